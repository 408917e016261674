"""Which accounts are users of the system, and under which number."""

from __future__ import annotations

from typing import Any

import pytest

from sanstone.model.security import Account
from sanstone.security import logins

UUID = "0b5ed3f6-30a5-4b3b-8f0c-6a1b0a1b2c3d"
SSH_KEY = [{"application": "ssh", "authentication_methods": ["publickey"]}]
HTTP_ONLY = [{"application": "http", "authentication_methods": ["password"]}]
CONSOLE = [{"application": "console", "authentication_methods": ["password"]}]


def account(**more: Any) -> Account:
    """Return an account that may log in."""
    plain = {"uuid": UUID, "name": "alice", "owner_uuid": "", "locked": False}
    return Account(**{**plain, "applications": SSH_KEY, **more})


def test_the_number_follows_from_the_account_and_is_nobody_elses() -> None:
    number = logins.user_id(account())
    assert number == logins.user_id(account(name="renamed"))
    assert number != logins.user_id(account(uuid=UUID.replace("3d", "3e")))
    # Above the ranges of containers, below the sign bit (systemd.io/UIDS-GIDS).
    assert 0x7000_0000 <= number < 0x7FFF_FFFF


@pytest.mark.parametrize(
    ("more", "may"),
    [
        ({}, True),
        ({"applications": CONSOLE}, True),
        ({"applications": HTTP_ONLY}, False),
        ({"locked": True}, False),
        ({"owner_uuid": UUID}, False),
    ],
)
def test_accounts_that_may_log_in(more: dict[str, Any], may: bool) -> None:
    assert logins.may_log_in(account(**more)) is may
    assert list(logins.users([account(**more)])) == ([logins.user_id(account())] if may else [])


def test_of_two_with_one_number_the_first_is_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logins, "user_id", lambda _: 7)
    old, young = account(), account(name="bob")
    assert logins.users([old, young]) == {7: old}
