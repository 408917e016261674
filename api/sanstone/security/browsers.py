"""Browsers that have logged in before: device cookies, in OWASP's terms.

A user who shares an address with a guesser would share the guesser's delays, since a request with
the right password looks like a guess until it is checked. So a browser that has logged in gets a
cookie that names the account, and its attempts at that account count as a source of their own. The
cookie grants no access: a thief may guess, as slowly as everyone else. It is signed with the
array's key, so it survives restarts and needs no table.
"""

from __future__ import annotations

import hmac
import secrets as chance

from sanstone.core import secrets


def cookie(account: str, current: str = "") -> str:
    """Return the cookie for a browser that logged in as the account of this UUID.

    A valid cookie is kept: one browser must not become many sources.
    """
    if account_of(current) == account:
        return current
    content = f"{account}.{chance.token_hex(16)}"
    return f"{content}.{_signature(content)}"


def account_of(cookie: str) -> str:
    """Return the UUID of the account that a cookie was issued for, '' if it is forged."""
    content, _, signature = cookie.rpartition(".")
    if not content or not hmac.compare_digest(_signature(content).encode(), signature.encode()):
        return ""
    return content.partition(".")[0]


def source(cookie: str) -> str:
    """Return the source that stands for the browser of a valid cookie."""
    return "browser " + cookie.split(".")[1]


def _signature(content: str) -> str:
    return secrets.digest(f"browser\0{content}")
