"""Users and groups: the image has those that its files name.

The table's columns are those of Buildroot's manual, "Makeuser syntax". Accounts of packages are in
the image alone: Buildroot adds them to no folder. It has no systemd-sysusers(8).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from image import storage_rules

_OF_A_RULE = re.compile(r'\b(OWNER|GROUP)="([^"$%]+)"')
Accounts = Mapping[str, set[str]]


def known(target: Path, users_table: Path) -> Accounts:
    """Return the users and the groups, by OWNER and GROUP. Raises OSError.

    Those of the root `target` are there, and those that packages ask for in `users_table`.
    """
    users, groups = (_names(target / f"etc/{file}") for file in ("passwd", "group"))
    for line in users_table.read_text().splitlines():
        # A line of spaces is of a package without users.
        if line.strip() and not line.strip().startswith("#"):
            user, _, group, _, _, _, _, others, *_ = line.split()
            users.add(user)
            groups.update([group, *others.split(",")])
    # "-" is nobody, and no further group.
    return {"OWNER": users - {"-"}, "GROUP": groups - {"-"}}


def missing(accounts: Accounts, target: Path) -> list[str]:
    """Return a line for each account that a rule of udev(7) names and is not there.

    udev complains of it at each boot, and the device is root's. Raises OSError.
    """
    return [
        f"{file.name}: {key}: the image has no {name}"
        for file in storage_rules.rules(target)
        for key, name in sorted(set(_OF_A_RULE.findall(file.read_text())))
        if name not in accounts[key] and not name.isdigit()
    ]


def _names(file: Path) -> set[str]:
    return {line.partition(":")[0] for line in file.read_text().splitlines()}
