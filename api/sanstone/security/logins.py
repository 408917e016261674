"""Array accounts as users of the operating system, for SSH and the console.

sshd and login(1) know users by number, and so does the API on the shell's socket (unix(7),
SO_PEERCRED): the number *is* the account there. It follows from the account's UUID, so it needs no
table, is the same after each boot, and is not given again: an account that is deleted and made
again under its old name is another user, and shells of the old one that still run can do nothing.

The range is one that neither Debian nor systemd hands out (systemd.io/UIDS-GIDS). Two accounts out
of a thousand share a number with a probability of 1 in 500; the younger of them does not get in.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from sanstone.model.security import CONSOLE, PASSWORD, PUBLIC_KEY, SSH, Account

GROUP = 799
"""The group `sanstone-shell` of all these users (usr/lib/sysusers.d/sanstone.conf)."""
SHELL = "/usr/bin/sanstone-shell"
FIRST, COUNT = 0x7000_0000, 0x0FFF_FFF0
_WAYS = ((SSH, PASSWORD), (SSH, PUBLIC_KEY), (CONSOLE, PASSWORD))


def user_id(account: Account) -> int:
    """Return the number of an account's user."""
    return FIRST + uuid.UUID(account.uuid).int % COUNT


def may_log_in(account: Account) -> bool:
    """Return whether an account may have a shell: it is the array's, not locked, and says so."""
    if account.owner_uuid or account.locked:
        return False
    return any(account.may_use(application, method) for application, method in _WAYS)


def users(accounts: Iterable[Account]) -> dict[int, Account]:
    """Return the accounts that may log in by the number of their user, the oldest of a number."""
    found: dict[int, Account] = {}
    for account in accounts:
        if may_log_in(account):
            found.setdefault(user_id(account), account)
    return found
