"""Array accounts as users of the operating system, for SSH and the console.

sshd and login(1) know users by number, and so does the API on the shell's socket (unix(7),
SO_PEERCRED): the number *is* the account there. It is derived from the account's UUID, so it needs
no table, is the same after each boot, and is not reused: an account that is deleted and created
again under its old name is another user, and running shells of the old one can do nothing.

The range is one that neither Debian nor systemd assigns (systemd.io/UIDS-GIDS). Among a thousand
accounts, two share a number with a probability of 1 in 500; the younger cannot log in.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from sanstone.model.security import CONSOLE, NSSWITCH, PASSWORD, PUBLIC_KEY, SSH, Account

GROUP = 799
"""The group `sanstone-shell` of all these users (usr/lib/sysusers.d/sanstone.conf)."""
SHELL = "/usr/bin/sanstone-shell"
FIRST, COUNT = 0x7000_0000, 0x0FFF_FFF0
_WAYS = ((SSH, PASSWORD), (SSH, NSSWITCH), (SSH, PUBLIC_KEY), (CONSOLE, PASSWORD))


def user_id(account: Account) -> int:
    """Return the number of an account's user."""
    return FIRST + uuid.UUID(account.uuid).int % COUNT


def may_log_in(account: Account) -> bool:
    """Return whether an account may have a shell: it is the array's, not locked, and allowed to.

    The members of a group have none: sshd would have to know their names.
    """
    if account.owner_uuid or account.locked or account.is_group:
        return False
    return any(account.may_use(application, method) for application, method in _WAYS)


def users(accounts: Iterable[Account]) -> dict[int, Account]:
    """Return the accounts that may log in, by user number, the oldest for each number."""
    by_number: dict[int, Account] = {}
    for account in accounts:
        if may_log_in(account):
            by_number.setdefault(user_id(account), account)
    return by_number
