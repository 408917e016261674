"""Users for sshd and login(1): the accounts that may log in there.

Each account is a user record of systemd (systemd.io/USER_RECORD) in /run/sanstone/userdb, to which
/run/userdb is a link; nss-systemd(8) makes these users known to the whole system. The SSH keys of
an account are a file in /run/sanstone/keys. Neither contains a password: `sanstone-check-password`
asks the API. Both are written anew after each boot and removed with the account, and only root can
write them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache

from sqlalchemy import Select, select

from sanstone.core import places
from sanstone.core.database.statements import every
from sanstone.core.events import ERROR, Condition
from sanstone.kernel.host import FileError, Files, HostError
from sanstone.model.security import PUBLIC_KEY, SSH, Account, PublicKey
from sanstone.reconcile.declared import as_declared
from sanstone.reconcile.results import LoginsCreated
from sanstone.reconcile.turn import Turn
from sanstone.rules.security.logins import ACCOUNT_NAME, SSH_KEY
from sanstone.security import logins

READABLE = 0o644
SYSTEM_USERS = "/etc/passwd"
"""passwd(5). Its users take precedence over the array's accounts (etc/nsswitch.conf)."""
EVENT = "logins.failed"


def reconcile(turn: Turn) -> LoginsCreated:
    """Make the records and keys those of the accounts that may log in, and no others."""
    folder = places.run_directory()
    rows = turn.session.scalars(every(Account, Account.password_changed))
    accounts = [row for row in rows if logins.may_log_in(row) and _is_named(turn, row)]
    users = logins.users(accounts)
    system_names = {
        line.partition(":")[0] for line in turn.host.files.read(SYSTEM_USERS).splitlines()
    }
    for account in accounts:
        remedy = ""
        if account.name in system_names:
            remedy = "the system has a user of this name. Create one with another name."
        elif users[logins.user_id(account)] is not account:
            remedy = "delete it and create it again."
        if remedy:
            text = f'Account "{account.name}" cannot use SSH or the console: {remedy}'
            turn.conditions[f"{EVENT}:{account.uuid}"] = Condition(ERROR, EVENT, text)
    records = {f"{a.name}.user": _record(number, a) for number, a in users.items()}
    link_targets = {f"{number}.user": f"{account.name}.user" for number, account in users.items()}
    try:
        _make_contents(turn.host.files, f"{folder}/userdb", records, link_targets)
        _make_contents(turn.host.files, f"{folder}/keys", _keys(turn, users.values()), {})
    except FileError as error:
        text = f"Logins by SSH and at the console cannot be set up: {error}."
        turn.conditions[EVENT] = Condition(ERROR, EVENT, text)
    return LoginsCreated(turn.outcomes)


def _is_named(turn: Turn, account: Account) -> bool:
    """Return whether an account's name is valid, because files are named after it.

    Report the account if not.
    """
    try:
        as_declared(ACCOUNT_NAME, account.name)
    except HostError as error:
        text = f"Account {account.uuid} cannot use SSH or the console: {error}."
        turn.conditions[f"{EVENT}:{account.uuid}"] = Condition(ERROR, EVENT, text)
        return False
    return True


def _record(number: int, account: Account) -> str:
    """Return the user record of an account."""
    record = {
        "userName": account.name,
        "uid": number,
        "gid": logins.GROUP,
        "realName": "Account of the array",
        "homeDirectory": "/",
        "shell": logins.SHELL,
        "disposition": "regular",
        "locked": False,
    }
    return json.dumps(record, indent=1) + "\n"


def _keys(turn: Turn, accounts: Iterable[Account]) -> dict[str, str]:
    """Return the keys, one per line, by name of the accounts that may use them."""
    keys_of_account: dict[str, str] = {}
    allowed = {a.name for a in accounts if a.may_use(SSH, PUBLIC_KEY)}
    for key in turn.session.scalars(_of_the_array()):
        if key.account in allowed:
            try:
                line = as_declared(SSH_KEY, key.public_key)
            except HostError as error:
                text = f"Key {key.index} of {key.account} cannot be used: {error}."
                turn.conditions[f"{EVENT}:{key.account}:{key.index}"] = Condition(
                    ERROR, EVENT, text
                )
                continue
            keys_of_account[key.account] = keys_of_account.get(key.account, "") + f"{line}\n"
    return keys_of_account


@cache
def _of_the_array() -> Select[tuple[PublicKey]]:
    query = select(PublicKey).filter_by(owner_uuid="")
    return query.order_by(PublicKey.account, PublicKey.index)


def _make_contents(
    files: Files, folder: str, contents: dict[str, str], link_targets: dict[str, str]
) -> None:
    """Make a directory contain exactly these files and links. Raises FileError."""
    files.make_folder(folder)
    existing = files.listdir(folder)
    for name in existing:
        if name not in contents and name not in link_targets:
            files.unlink(f"{folder}/{name}")
    for name, text in contents.items():
        path = f"{folder}/{name}"
        # A link is never followed: the file replaces it.
        if name not in existing or files.is_link(path) or files.read(path) != text.rstrip("\n"):
            files.store(path, text.encode(), READABLE)
    for name, target in link_targets.items():
        path = f"{folder}/{name}"
        if files.is_link(path) and files.readlink(path) == target:
            continue
        if name in existing:
            files.unlink(path)
        files.symlink(target, path)
