"""`security/authentication/password`: change a password, usually one's own.

Whatever its role, an account may change its own; with an expired one it may do nothing else.
Another's requires permission to change that account, as with `security/accounts`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.action import Action
from sanstone.core.declaration.resource import CREATE, Field
from sanstone.core.declaration.types import Text
from sanstone.model.security import Account
from sanstone.resources.security.account import change_password, require_own_password
from sanstone.resources.security.owner import array_owner, owner_reference, owner_uuid
from sanstone.rules.security.logins import ACCOUNT_NAME
from sanstone.security import accounts, passwords, roles


class PasswordAction(Action):
    """Change a password."""

    path = "security/authentication/password"
    doc = "Changes the password of an account, one's own or another's."
    model = Account
    fields = (
        owner_reference(),
        Field("name", ACCOUNT_NAME, "Name of the account.", access=CREATE, required=True),
        Field(
            "password",
            Text(passwords.LONGEST, 1),
            "The new password.",
            access=CREATE,
            required=True,
            secret=True,
        ),
    )

    def run(self, change: Change, values: dict[str, Any]) -> dict[str, Any]:
        """Change the password."""
        session = change.session
        owner, name = owner_uuid(values.get("owner")), values["name"]
        row = session.scalar(select(Account).filter_by(owner_uuid=owner, name=name))
        actor = accounts.actor(session)
        if actor is None or row is None or actor.account != row.uuid:
            row = _of_another(change, row, owner, name)
        else:
            rule = passwords.rules(session, row.owner_uuid, row.role)
            passwords.check_delay(rule, 0.0 if row.must_change else row.password_changed)
        require_own_password(row.name, row.applications)
        change_password(change, row, values["password"])
        return {}


def _of_another(change: Change, row: Account | None, owner: str, name: str) -> Account:
    """Return the account if the sender may change it. Raises ApiError."""
    session = change.session
    actor = accounts.actor(session)
    own = session.get(Account, actor.account) if actor else None
    path = f"{roles.ROOT}/security/accounts/{owner or array_owner(session).uuid}/{name}"
    if actor and (
        "PATCH" not in roles.allowed(actor.privileges, path) or (own and accounts.expired(own))
    ):
        text = "Only the password of one's own account may be changed."
        raise errors.ApiError(403, errors.FORBIDDEN, text)
    if row is None:
        raise errors.unknown(f'account "{name}"', "name")
    theirs = roles.privileges(session, row.owner_uuid, row.role) or {}
    accounts.require_power(session, theirs, f'Account "{name}"')
    return row
