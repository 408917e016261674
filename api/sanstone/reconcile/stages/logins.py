"""Users for sshd and login(1), out of the accounts that may use them.

Each account is a user record of systemd (systemd.io/USER_RECORD) in /run/sanstone/userdb, to which
/run/userdb is a link; nss-systemd(8) shows these to the whole system. Its SSH keys are a file in
/run/sanstone/keys. There is no password in either: `sanstone-check-password` asks the API. All is
written anew after each boot and taken away with the account, and nobody but root can write it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import select

from sanstone.core import durable, places
from sanstone.kernel.host import HostError
from sanstone.model.security import PUBLIC_KEY, SSH, Account, PublicKey
from sanstone.reconcile.declared import as_declared
from sanstone.reconcile.state import Pass
from sanstone.resources.security.account import NAME
from sanstone.resources.security.publickey import KEY
from sanstone.security import logins

READABLE = 0o644
SYSTEM_USERS = "/etc/passwd"
"""passwd(5). These come before accounts of the array (etc/nsswitch.conf)."""
EVENT = "logins.failed"


def reconcile(this: Pass) -> None:
    """Have a record and keys for each account that may log in, and nothing else."""
    folder = places.run_directory()
    rows = this.session.scalars(select(Account).order_by(Account.password_changed))
    accounts = [account for account in rows if _is_named(this, account)]
    users = logins.users(accounts)
    taken = {line.partition(":")[0] for line in this.host.files.read(SYSTEM_USERS).splitlines()}
    for account in filter(logins.may_log_in, accounts):
        remedy = ""
        if account.name in taken:
            remedy = "the system has a user of this name. Create one with another name."
        elif users[logins.user_id(account)] is not account:
            remedy = "delete it and create it again."
        if remedy:
            text = f'Account "{account.name}" cannot use SSH or the console: {remedy}'
            this.conditions[f"{EVENT}:{account.uuid}"] = ("error", EVENT, text)
    records = {f"{a.name}.user": _record(number, a) for number, a in users.items()}
    links = {f"{number}.user": f"{account.name}.user" for number, account in users.items()}
    try:
        _fill(folder / "userdb", records, links)
        _fill(folder / "keys", _keys(this, users.values()), {})
    except OSError as error:
        text = f"Logins by SSH and at the console cannot be set up: {error}."
        this.conditions[EVENT] = ("error", EVENT, text)


def _is_named(this: Pass, account: Account) -> bool:
    """Return whether an account has a name that it may have; files are named after it."""
    try:
        as_declared(NAME, account.name)
    except HostError as error:
        text = f"Account {account.uuid} cannot use SSH or the console: {error}."
        this.conditions[f"{EVENT}:{account.uuid}"] = ("error", EVENT, text)
        return False
    return True


def _record(number: int, account: Account) -> str:
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


def _keys(this: Pass, accounts: Iterable[Account]) -> dict[str, str]:
    """Return the keys of the accounts that may use them, one to a line, by name."""
    found: dict[str, str] = {}
    allowed = {a.name for a in accounts if a.may_use(SSH, PUBLIC_KEY)}
    mine = select(PublicKey).filter_by(owner_uuid="").order_by(PublicKey.account, PublicKey.index)
    for key in this.session.scalars(mine):
        if key.account in allowed:
            try:
                text = as_declared(KEY, key.public_key)
            except HostError as error:
                told = f"Key {key.index} of {key.account} cannot be used: {error}."
                this.conditions[f"{EVENT}:{key.account}:{key.index}"] = ("error", EVENT, told)
                continue
            found[key.account] = found.get(key.account, "") + f"{text}\n"
    return found


def _fill(folder: Path, files: dict[str, str], links: dict[str, str]) -> None:
    """Make a folder hold these files and links and nothing else. Raises OSError."""
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in files and path.name not in links:
            path.unlink()
    for name, text in files.items():
        path = folder / name
        if not path.exists() or path.read_text() != text:
            durable.write(path, text.encode(), READABLE)
    for name, target in links.items():
        path = folder / name
        if not path.is_symlink() or str(path.readlink()) != target:
            path.unlink(missing_ok=True)
            path.symlink_to(target)
