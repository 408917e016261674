"""Rules of udev against a root filesystem: which begin storage by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from image import storage_rules

RULE = 'ENV{VG}=="?*", RUN+="/usr/sbin/lvm vgchange -aay $env{VG}"\n'


@pytest.fixture
def target(tmp_path: Path) -> Path:
    for folder in storage_rules.FOLDERS:
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("rule", "begins"),
    [
        (RULE, "vgchange -aay"),
        ('IMPORT{program}="/usr/sbin/mdadm -If $name"\n', ""),
        ('RUN+="/usr/sbin/mdadm --incremental --export $devnode"\n', "mdadm --incremental"),
        ('IMPORT{program}="/usr/sbin/mdadm --detail --export $devnode"\n', ""),
        ('RUN+="/usr/sbin/iscsi_fw_login"\n', "iscsi_fw_login"),
        (f"# {RULE}", ""),
    ],
)
def test_rules_that_begin_storage(target: Path, rule: str, begins: str) -> None:
    (target / "usr/lib/udev/rules.d/69-own.rules").write_text(rule)
    expected = [f"69-own.rules: begins storage by itself: {begins}"] if begins else []
    assert storage_rules.unmasked(target) == expected


def test_a_rule_that_is_masked(target: Path) -> None:
    (target / "usr/lib/udev/rules.d/69-own.rules").write_text(RULE)
    (target / "etc/udev/rules.d/69-own.rules").symlink_to("/dev/null")
    assert storage_rules.unmasked(target) == []


def test_a_rule_that_is_replaced(target: Path) -> None:
    (target / "usr/lib/udev/rules.d/69-own.rules").write_text("")
    (target / "etc/udev/rules.d/69-own.rules").write_text(RULE)
    assert len(storage_rules.unmasked(target)) == 1
