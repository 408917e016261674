"""`security/login/totps`: profiles of accounts for codes of an authenticator app (TOTP, RFC 6238).

A user who may change an account creates its profile. The answer to the POST shows the secret, once,
and five emergency codes; each takes the place of one code. From then on the account's applications
may ask for a code after the password or key (`second_authentication_method` in
`security/accounts`).

Codes are of six digits and 30 s, by SHA-1, as every app takes them. A lost phone's profile is
disabled, or deleted, and another created; meanwhile the account does not get in where it asks for a
code.

ONTAP makes a profile at the request of the account itself, after it has logged in by SSH. Here its
role has to allow POST of this path, as for its keys.
"""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, MODIFY, WRITE, Field, Resource
from sanstone.core.declaration.types import Boolean, Strings, Text
from sanstone.model.security import HTTP, Account, Totp
from sanstone.model.svm import Svm
from sanstone.resources.cluster.svm import WITH_SVM
from sanstone.resources.security.owner import array_owner, owner_fields, owner_uuid
from sanstone.security import accounts, roles, totp

NO_PROFILE, NO_ACCOUNT, LAST = "144834566", "1261218", "7077896"


def delete_profiles(change: Change, owner: str, account: str | None = None) -> None:
    """Delete the profile of an account, or of all accounts of an owner."""
    for row in change.session.scalars(select(Totp).filter_by(owner_uuid=owner)).all():
        if account in (None, row.account):
            change.delete(row)


class _SvmProfiles:
    """Deletes the profiles of an SVM's accounts with it."""

    table = Totp.__tablename__

    def created(self, change: Change, svm: Svm) -> None:
        """Do nothing: a new SVM has no accounts."""

    def deleted(self, change: Change, svm: Svm) -> None:
        """Delete the profiles."""
        delete_profiles(change, svm.uuid)


WITH_SVM.append(_SvmProfiles())


class TotpResource(Resource[Totp]):
    """Profiles for codes."""

    path = Totp.shown_as
    doc = "TOTP profiles: the secrets of accounts' authenticator apps, for a second factor."
    model = Totp
    keys = ("owner.uuid", "account.name")
    order = ("owner_uuid", "account")
    unknown_code = NO_PROFILE
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
        Field("comment", Text(255), "Comment.", access=WRITE, default=""),
        Field(
            "enabled",
            Boolean(),
            "Whether its codes are accepted. While they are not, the account cannot log in where "
            "it needs one.",
            access=MODIFY,
        ),
        Field(
            "sha_fingerprint",
            Text(),
            "SHA-256 of the secret, which tells it from others.",
            get=lambda row, _: totp.fingerprint(row.secret_key or ""),
        ),
    )
    answer = (
        Field("secret_key", Text(), "The secret in base32, to be typed into an app."),
        Field(
            "install_url",
            Text(),
            "The secret as an `otpauth:` URI, which apps take from a QR code.",
        ),
        Field(
            "verification_code",
            Text(),
            "The code of this moment: an app that takes over the secret shows the same.",
        ),
        Field(
            "emergency_codes",
            Strings(),
            "Codes of eight digits for who has lost the app; each counts once.",
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> Totp:
        """Create a profile; the answer shows its secret. Raises ApiError."""
        session = change.session
        owner, name = owner_uuid(values.get("owner")), values["account.name"]
        account = _account(change, owner, name)
        if account.is_group:
            text = f'"{name}" is a group of the directory, whose members have no profiles.'
            raise errors.invalid(text, "account.name")
        if accounts.profile_of(session, account):
            text = f'The TOTP profile of "{name}" already exists; delete it to make another.'
            raise errors.conflict(text, "account.name", errors.EXISTS)
        secret, codes = totp.new_secret(), totp.new_emergency_codes()
        row = Totp(
            owner_uuid=owner,
            account=name,
            secret_key=secret,
            comment=values["comment"],
            emergency_codes=[totp.emergency_digest(account.uuid, code) for code in codes],
        )
        change.add(row)
        change.tell(
            row,
            secret_key=secret,
            install_url=totp.uri(secret, (values.get("owner") or array_owner(session)).name, name),
            verification_code=totp.code_of(secret, totp.step_at(time.time())),
            emergency_codes=codes,
        )
        return row

    def update(self, change: Change, row: Totp, values: dict[str, Any]) -> None:
        """Enable or disable a profile, or change its comment. Raises ApiError."""
        account = _account(change, row.owner_uuid, row.account)
        enabled = values.get("enabled", row.enabled)
        if not enabled:
            _require_another(change, account)
        row.enabled, row.comment = enabled, values.get("comment", row.comment)

    def delete(self, change: Change, row: Totp, options: dict[str, Any]) -> None:
        """Delete a profile. Raises ApiError."""
        _require_another(change, _account(change, row.owner_uuid, row.account))
        change.delete(row)


def _account(change: Change, owner: str, name: str) -> Account:
    """Return an account that may do no more than the sender. Raises ApiError."""
    session = change.session
    account = session.scalar(select(Account).filter_by(owner_uuid=owner, name=name))
    if account is None:
        raise errors.unknown_reference(f'account "{name}"', "account.name", NO_ACCOUNT)
    theirs = roles.privileges(session, owner, account.role) or {}
    accounts.require_power(session, theirs, f'Account "{name}"')
    return account


def _require_another(change: Change, account: Account) -> None:
    """Raise ApiError where nobody could administer the array without an account's codes."""
    needs = account.asks_code(HTTP)
    if needs and accounts.only_administrator(change.session, [account.uuid]):
        text = f'Account "{account.name}" is the last that can administer the array, by its codes.'
        raise errors.conflict(text, code=LAST)
