"""`security/authentication/publickeys`: keys with which accounts log in over SSH.

A key is in OpenSSH's format (`ssh-ed25519 AAAA… comment`, RFC 4253, 6.6); its base64 part must be
of the type named before it, and RSA keys need 2048 bits.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Resource
from sanstone.core.declaration.types import Integer, Text
from sanstone.model.security import Account, PublicKey
from sanstone.model.svm import Svm
from sanstone.resources.cluster.svm import WITH_SVM
from sanstone.resources.security.owner import owner_fields, owner_uuid
from sanstone.rules.security.logins import SSH_KEY
from sanstone.security import accounts, roles

MOST = 100


def delete_keys(change: Change, owner: str, account: str | None = None) -> None:
    """Delete the keys of an account, or of all accounts of an owner."""
    mine = select(PublicKey).filter_by(owner_uuid=owner)
    for row in change.session.scalars(mine).all():
        if account in (None, row.account):
            change.delete(row)


class _SvmKeys:
    """Deletes the keys of an SVM's accounts with it."""

    table = PublicKey.__tablename__

    def created(self, change: Change, svm: Svm) -> None:
        """Do nothing: a new SVM has no accounts."""

    def deleted(self, change: Change, svm: Svm) -> None:
        """Delete the keys."""
        delete_keys(change, svm.uuid)


WITH_SVM.append(_SvmKeys())


class PublicKeyResource(Resource[PublicKey]):
    """Keys of accounts."""

    path = "security/authentication/publickeys"
    doc = "Public keys with which accounts log in over SSH."
    model = PublicKey
    keys = ("owner.uuid", "account.name", "index")
    order = ("owner_uuid", "account", "index")
    fields = (
        *owner_fields(),
        Field(
            "account.name",
            Text(64, 1),
            "Name of the account.",
            access=CREATE,
            required=True,
            attribute="account",
            always=True,
        ),
        Field(
            "index",
            Integer(0, MOST - 1),
            "Number of the key among the account's; the lowest free one unless given.",
            access=CREATE,
        ),
        Field("public_key", SSH_KEY, "The key, as OpenSSH writes it.", WRITE, required=True),
        Field("comment", Text(255), "Comment.", access=WRITE, default=""),
        Field("sha_fingerprint", Text(), "Fingerprint, as `ssh-keygen -l` shows it."),
    )

    def create(self, change: Change, values: dict[str, Any]) -> PublicKey:
        """Add a key of an account."""
        owner, name = owner_uuid(values.get("owner")), values["account.name"]
        _require_power(change, owner, name)
        mine = select(PublicKey.index).filter_by(owner_uuid=owner, account=name)
        used = set(change.session.scalars(mine))
        free = next((n for n in range(MOST) if n not in used), None)
        index = values.get("index", free)
        if index is None or index in used:
            text = f"Key {index} of account {name} already exists."
            if index is None:
                text = f"Account {name} has {MOST} keys already, which is the most."
            raise errors.conflict(text, "index", errors.EXISTS)
        row = PublicKey(
            owner_uuid=owner,
            account=name,
            index=index,
            public_key=values["public_key"],
            comment=values["comment"],
        )
        change.add(row)
        return row

    def update(self, change: Change, row: PublicKey, values: dict[str, Any]) -> None:
        """Change a key or its comment."""
        _require_power(change, row.owner_uuid, row.account)
        row.public_key = values.get("public_key", row.public_key)
        row.comment = values.get("comment", row.comment)

    def delete(self, change: Change, row: PublicKey, options: dict[str, Any]) -> None:
        """Delete a key."""
        _require_power(change, row.owner_uuid, row.account)
        change.delete(row)


def _require_power(change: Change, owner: str, name: str) -> None:
    """Raise ApiError when the account is unknown, or may do more than the sender."""
    session = change.session
    account = session.scalar(select(Account).filter_by(owner_uuid=owner, name=name))
    if account is None:
        raise errors.unknown_reference(f'account "{name}"', "account.name", "1261218")
    theirs = roles.privileges(session, owner, account.role) or {}
    accounts.require_power(session, theirs, f'Account "{name}"')
