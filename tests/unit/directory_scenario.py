"""The answers of every directory, OpenLDAP's server as well as a domain controller."""

from __future__ import annotations

from sanstone.kernel.directory.ldap import Client
from sanstone.kernel.directory.question import Answer, Directory, Question

JOE, EVE = ("joe", "joe's secret"), ("eve", "eve's secret")
PAST = ("past", "past secret")
"""A user whose account has ended."""
GROUPS = ("operators", "storage-admins", "nobody")
NOBODY_ELSE = [
    ("joe", "wrong", True),
    ("joe", "", True),
    ("joe", "joe's secret\0", True),
    ("nobody", "joe's secret", False),
    ("*", "joe's secret", False),
    ("joe)(uid=*", "joe's secret", False),
    ("joe)(sAMAccountName=*", "joe's secret", False),
    ("JOE", "joe's secret", False),
    ("joe ", "joe's secret", False),
    (*PAST, False),
]
"""Names, passwords, and whether there is a user of the name."""


def check_known(directory: Directory, login: tuple[str, str], *groups: str) -> None:
    """Check that a user is known by a password, and without, and is in these groups alone."""
    name, password = login
    answer = Client().ask(Question(directory, name, password, GROUPS))
    assert answer == Answer(known=True, proved=True, groups=groups), name
    answer = Client().ask(Question(directory, name, None, GROUPS))
    assert answer == Answer(known=True, groups=groups), name


def check_unknown(directory: Directory, name: str, password: str, is_known: bool) -> None:
    """Check that a password proves nobody; `is_known` is whether the directory has the name."""
    answer = Client().ask(Question(directory, name, password, GROUPS))
    assert answer == Answer(known=is_known), name
