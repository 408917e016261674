"""Browsers from which somebody has logged in before: device cookies, as OWASP calls them.

Whoever shares an address with a guesser would share the guesser's delays, and what is asked of the
array with a right password looks like a guess until it is checked. A browser that logged in once is
therefore given a cookie that says as which account, and its attempts at that account are counted as
from a source of its own. The cookie opens nothing: whoever steals it may guess, as slowly as all
others. It is signed with the array's key, so it outlives restarts, and needs no place in a table.
"""

from __future__ import annotations

import hmac
import secrets as chance

from sanstone.core import secrets


def cookie(account: str, known: str = "") -> str:
    """Return the cookie for a browser that logged in as an account, by its UUID.

    The one that it has is kept where it is good: no browser becomes many sources.
    """
    if account_of(known) == account:
        return known
    told = f"{account}.{chance.token_hex(16)}"
    return f"{told}.{_signature(told)}"


def account_of(cookie: str) -> str:
    """Return the UUID of the account that a cookie was made for, '' where it is forged."""
    told, _, signature = cookie.rpartition(".")
    if not told or not hmac.compare_digest(_signature(told).encode(), signature.encode()):
        return ""
    return told.partition(".")[0]


def source(cookie: str) -> str:
    """Return what a good cookie's browser is called as a source."""
    return "browser " + cookie.split(".")[1]


def _signature(told: str) -> str:
    return secrets.digest(f"browser\0{told}")
