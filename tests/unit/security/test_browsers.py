"""A browser that somebody logged in from is a source of its own."""

from __future__ import annotations

from contextlib import suppress

import pytest
from logins_by_password import HERE, Check
from sqlalchemy import Engine, select

from sanstone.core.database.store import reading
from sanstone.core.errors import ApiError
from sanstone.model.security import Account
from sanstone.security import authentication, browsers
from sanstone.security.authentication import Authenticator
from sanstone.security.failures import FREE_FAILURES


def test_a_browser_that_was_here_before_does_not_share_its_address(
    toys: Engine, check: Check, hashed: list[str]
) -> None:
    browser = Authenticator(toys)
    login = browser.check("admin", "right", HERE)
    assert login
    cookie = browsers.cookie(login.account.uuid)
    for number in range(int(authentication.GUESSES[0])):
        with suppress(ApiError):
            browser.check("admin", f"wrong {number}", HERE)
    for number in range(int(authentication.HASHES[0])):
        with suppress(ApiError):
            browser.check(f"nobody{number}", "wrong", HERE)
    with pytest.raises(ApiError, match="Too many"):
        browser.check("admin", "right", HERE)
    assert browser.check("admin", "right", HERE, cookie=cookie)
    with pytest.raises(ApiError, match="Too many"):
        browser.check("viewer", "right", HERE, cookie=cookie)


def test_a_browser_may_guess_no_more_than_others(toys: Engine, check: Check) -> None:
    with reading(toys) as session:
        uuid = session.scalars(select(Account.uuid).filter_by(name="admin")).one()
    browser, cookie = Authenticator(toys), browsers.cookie(uuid)
    assert browsers.cookie(uuid, cookie) == cookie, "it does not become another source"
    for _ in range(FREE_FAILURES):
        assert not browser.check("admin", "wrong", HERE, cookie=cookie)
    with pytest.raises(ApiError, match="Too many"):
        browser.check("admin", "right", HERE, cookie=cookie)
    assert check(), "nor does it share its failures"
    forged = cookie.rpartition(".")[0] + "." + "0" * 64
    for bad in (forged, "", ".", "..", f"{uuid}.x.y", "\udfff.a.b"):
        assert browsers.account_of(bad) == "", bad
