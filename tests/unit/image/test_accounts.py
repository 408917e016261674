"""Users and groups against a root filesystem: those that its rules name exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from image import accounts

USERS_TABLE = """\
 \tserver -1 server -1 * /run/server - - Of a package
\t# groups alone
\t- - readers 799 * - - - Who reads
\t
 \tother -1 other -1 * - - writers,others Of two groups more
"""


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """The root filesystem, with the table beside it."""
    target = tmp_path / "target"
    for name, text in {
        "etc/passwd": "root:x:0:0::/root:/bin/sh\n",
        "etc/group": "wheel:x:10:\n",
        "usr/lib/sysusers.d/own.conf": "u sysuser -\n",
    }.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(text)
    (tmp_path / "users_table").write_text(USERS_TABLE)
    return target


def accounts_in(target: Path) -> accounts.Accounts:
    return accounts.known(target, target.with_name("users_table"))


def test_accounts_of_the_skeleton_and_of_packages(target: Path) -> None:
    names = accounts_in(target)
    assert {"root", "server", "other"} <= names["OWNER"]
    assert {"wheel", "server", "readers", "writers", "others"} <= names["GROUP"]
    assert not {"sysuser", "-"} & {*names["OWNER"], *names["GROUP"]}


def test_accounts_that_rules_name(target: Path) -> None:
    rules = target / "usr/lib/udev/rules.d"
    rules.mkdir(parents=True)
    (rules / "50-own.rules").write_text(
        'KERNEL=="rtc0", GROUP="clock"\nKERNEL=="a", OWNER="server", GROUP="readers"\n'
        'KERNEL=="b", OWNER="sysuser", GROUP="10", ENV{ID}=="x", GROUP="$env{G}"\n'
    )
    assert accounts.missing(accounts_in(target), target) == [
        "50-own.rules: GROUP: the image has no clock",
        "50-own.rules: OWNER: the image has no sysuser",
    ]
