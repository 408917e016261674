"""Users of the system: Buildroot's declaration equals systemd's."""

from __future__ import annotations

import re
import shlex

from image.repository import REPOSITORY

SYSUSERS = REPOSITORY / "overlay/usr/lib/sysusers.d/sanstone.conf"
RECIPE = REPOSITORY / "package/sanstone/sanstone.mk"


def declared() -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return name and home of each user, and name and number of each group, by sysusers.d(5)."""
    users, groups = set(), set()
    for line in SYSUSERS.read_text().splitlines():
        kind, name, number, *rest = line.split(maxsplit=3)
        if kind == "u":
            users.add((name, shlex.split(rest[0])[-1]))
        elif kind == "g":
            groups.add((name, number))
    return users, groups


def built() -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return the users of the recipe, whose fields are those of Buildroot's users tables."""
    table = re.search(r"define SANSTONE_USERS\n(.*?)endef", RECIPE.read_text(), re.DOTALL)
    assert table
    users, groups = set(), set()
    for line in table[1].splitlines():
        user, _, group, number, _, home, *_ = line.split()
        if user == "-":
            groups.add((group, "-" if number == "-1" else number))
        else:
            # support/scripts/mkusers takes no "/" there.
            assert home != "/"
            users.add((user, "/" if home == "-" else home))
    return users, groups


def test_the_image_has_the_users_and_groups_of_the_lab() -> None:
    assert built() == declared()
