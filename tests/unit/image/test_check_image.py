"""`make check-image`: the record, a tree of Buildroot, and a finished build."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import fake_buildroot
import pytest

from image import __main__ as check
from image import built, called_programs, inputs, record, requested, versions
from image.buildroot import TREE
from image.repository import REPOSITORY, REQUIREMENTS

FRAGMENT = REPOSITORY / "board/common/kernel/targets.fragment"
PIN = record.Pin("2026.05.1", "cb85")
CALL = called_programs.Call(REPOSITORY / "api/sanstone/a.py", 3, "mdadm")


def pinned() -> dict[str, str]:
    """Return the Python packages as Buildroot would have them."""
    pins = [line.split("==") for line in REQUIREMENTS.read_text().splitlines() if "==" in line]
    return {versions.package_name(name): version for name, version in pins}


class Bench:
    """An output folder, a record that is of these inputs, and the files that ask."""

    def __init__(self, folder: Path) -> None:
        self.output = folder / "output"
        self.recorded = folder / "recorded"
        self.config = folder / "asked"
        fragment = f"{TREE}/{FRAGMENT.relative_to(REPOSITORY)}"
        self.config.write_text(f'BR2_A=y\n{requested.FRAGMENTS}="{fragment}"\n')
        buildroot = {"BR2_A": "y", requested.FRAGMENTS: f'"{fragment}"'}
        kernel = {each.symbol: each.value for each in requested.of_kernel(buildroot)}
        tried = record.Tried("linux 6.12.91", {}, {})
        self.record = record.Record(
            PIN, inputs.digests(REPOSITORY), buildroot, kernel, pinned(), tried
        )
        self.write(self.record)

    def write(self, changed: record.Record) -> None:
        changed.write(self.recorded)

    def run(self, *options: str) -> int:
        pin = ["--pin", PIN.version, PIN.commit]
        return check.main([*pin, "--output", str(self.output), *options, str(self.config)])

    def build(self) -> Path:
        """Finish a build that obtained all requested options."""
        self.output.mkdir()
        (self.output / built.INPUTS_FILE).write_text(json.dumps(inputs.digests(REPOSITORY)))
        (self.output / ".config").write_text(self.config.read_text())
        for folder, text in {"linux-6": FRAGMENT.read_text(), "linux-headers-6": ""}.items():
            (self.output / "build" / folder).mkdir(parents=True)
            (self.output / "build" / folder / ".config").write_text(text)
        versions = {name: {"version": version} for name, version in pinned().items()}
        (self.output / "info.json").write_text(json.dumps(versions))
        (self.output / "target/usr/bin").mkdir(parents=True)
        (self.output / "target/usr/bin/mdadm").touch()
        (self.output / "build/buildroot-fs").mkdir()
        for accounts in ("target/etc/passwd", "target/etc/group"):
            (self.output / accounts).parent.mkdir(exist_ok=True)
            (self.output / accounts).touch()
        (self.output / "build/buildroot-fs/full_users_table.txt").touch()
        return self.output


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    bench = Bench(tmp_path)
    monkeypatch.setattr(check, "RECORDED", bench.recorded)
    # All sources take long to parse; test_called_programs.py reads some of them.
    monkeypatch.setattr(called_programs, "calls", lambda _sources: [CALL])
    monkeypatch.setattr(built, "OVERLAYS", [tmp_path / "overlay"])
    return bench


def test_a_record_of_the_same_inputs(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.run() == 0
    assert "the image is as configured" in capsys.readouterr().out


def test_no_record(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    (bench.recorded / "made-of.json").unlink()
    assert bench.run() == 1
    assert "there is no record: try it on Buildroot with `make record-image`" in (
        capsys.readouterr().err
    )


def test_an_input_that_changed_since(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    changed = dict(bench.record.inputs) | {"Config.in": "00"}
    bench.write(replace(bench.record, inputs=changed))
    assert bench.run() == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Config.in: has changed since the record was made"
    assert "`make record-image`, and commit board/image/recorded" in lines[1]


def test_another_buildroot_than_the_recorded(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write(replace(bench.record, pin=record.Pin("2026.05", "e70f")))
    assert bench.run() == 1
    assert "Makefile: BUILDROOT_COMMIT is cb85, in the record it is e70f" in capsys.readouterr().err


def test_a_record_without_a_requested_option(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write(replace(bench.record, kernel={}))
    assert bench.run() == 1
    line = FRAGMENT.read_text().splitlines().index("CONFIG_NVME_TARGET_TCP=m") + 1
    text = f"{FRAGMENT}:{line}: CONFIG_NVME_TARGET_TCP: asked for m, obtained not set"
    assert text in capsys.readouterr().err


def test_a_pin_of_a_python_package_that_the_record_has_not(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write(replace(bench.record, packages=pinned() | {"python-flask": "0.1"}))
    assert bench.run() == 1
    assert "the image has 0.1" in capsys.readouterr().err


def test_checks_on_other_sources_are_reported(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write(replace(bench.record, packages=pinned() | {"linux": "6.12.100"}))
    assert bench.run() == 0
    text = capsys.readouterr().out
    assert "linux: tried with 6.12.91, not with 6.12.100, which is built" in text


def test_without_the_record_a_tree_is_looked_at(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (bench.recorded / "made-of.json").unlink()
    fake = fake_buildroot.make(tmp_path / "buildroot")
    (fake.folder / "info.json").unlink()
    assert bench.run("--unrecorded", "--buildroot", str(fake.folder)) == 1
    text = capsys.readouterr().err
    assert "show-info: exit status 2" in text
    assert "record-image" not in text


def test_a_build_with_all_requested_options(bench: Bench) -> None:
    bench.build()
    assert bench.run("--unrecorded") == 0


def test_a_build_that_lost_an_option(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    config = bench.build() / ".config"
    config.write_text(config.read_text().replace("BR2_A=y", "# BR2_A is not set"))
    assert bench.run() == 1
    assert "asked:1: BR2_A: asked for y, obtained not set" in capsys.readouterr().err


def test_a_build_with_a_lost_kernel_option(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    config = bench.build() / "build/linux-6/.config"
    config.write_text(config.read_text().replace("CONFIG_NVME_TARGET_TCP=m\n", ""))
    assert bench.run() == 1
    assert "CONFIG_NVME_TARGET_TCP: asked for m, obtained not set" in capsys.readouterr().err


def test_a_build_without_what_the_product_selects(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    with (bench.build() / ".config").open("a") as config:
        config.write("BR2_PACKAGE_NVMETCLI=y\n")
    assert bench.run() == 1
    assert "nvmetcli/Config.in:4: BR2_PACKAGE_PYTHON_CONFIGSHELL_FB" in capsys.readouterr().err


def test_a_build_without_a_program(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    (bench.build() / "target/usr/bin/mdadm").unlink()
    assert bench.run() == 1
    assert "a.py:3: the image has no mdadm" in capsys.readouterr().err


def test_a_build_without_what_a_unit_needs(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.build()
    unit = tmp_path / "overlay/usr/lib/systemd/system/own.service"
    unit.parent.mkdir(parents=True)
    unit.write_text("[Unit]\nRequires=other.service\n")
    assert bench.run() == 1
    assert "own.service: Requires: the image has no other.service" in capsys.readouterr().err


def test_a_build_without_a_configured_kernel(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    (bench.build() / "build/linux-6/.config").unlink()
    assert bench.run() == 1
    assert "0 configured kernels, not one" in capsys.readouterr().err


def test_a_build_of_other_inputs_is_passed_by(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    (bench.build() / built.INPUTS_FILE).write_text("{}")
    (bench.output / "target/usr/bin/mdadm").unlink()
    assert bench.run() == 0
    assert "not looked at: the build in" in capsys.readouterr().out
