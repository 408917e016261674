"""`private/cli/security/login/role/config`: rules for passwords and failed logins, per role.

ONTAP's REST API has no other place for them than the REST form of its command `security login role
config`, which is flat and calls the owner `vserver`. Rules that are not set are ONTAP's defaults.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from marshmallow import ValidationError
from sqlalchemy import select

from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import MODIFY, Field, Reader, Resource, constant
from sanstone.core.declaration.types import Choice, Integer, Text, Type
from sanstone.model.security import MOST_REMEMBERED, PasswordRules
from sanstone.model.svm import Svm
from sanstone.resources.security.owner import array_owner
from sanstone.resources.security.role import AnyRole, all_roles
from sanstone.security import accounts, passwords

UNLIMITED = "unlimited"
MOST_DAYS = 3650


class Days(Type):
    """A number of days, or `unlimited` (also -1), which is stored as 0."""

    schema = {"type": ["string", "integer"]}
    good = (UNLIMITED, 90, "90", -1)
    bad = ({"a": 1}, [1], True, "", "soon", 0, -2, MOST_DAYS + 1, 1.5, "0" * 8 + "1" * 20)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> int:
        if value in (UNLIMITED, -1, "-1"):
            return 0
        text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
        if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= MOST_DAYS:
            raise ValidationError(f"This must be 1 to {MOST_DAYS} days, or {UNLIMITED}.")
        return int(text)

    def format(self, value: Any) -> Any:
        return value or UNLIMITED


class Switch(Choice):
    """`enabled` or `disabled`, stored as a truth value."""

    schema = {"enum": ["enabled", "disabled"]}

    def __init__(self) -> None:
        super().__init__("enabled", "disabled")

    def deserialize(self, value: Any, *args: Any, **kw: Any) -> Any:
        """Return whether it is switched on."""
        return super().deserialize(value, *args, **kw) == "enabled"

    def format(self, value: Any) -> Any:
        return "enabled" if value else "disabled"


@dataclass(frozen=True)
class RoleRules:
    """The rules for a role, and the role."""

    vserver: str
    subject: AnyRole
    rules: PasswordRules

    @property
    def role(self) -> str:
        """Return the name of the role."""
        return self.subject.name

    @property
    def owner_uuid(self) -> str:
        """Return the UUID of the role's owner."""
        return self.subject.owner_uuid


def _rule(name: str, column: str, kind: Type, doc: str) -> Field:
    return Field(name, kind, doc, MODIFY, get=lambda row, _: getattr(row.rules, column))


COLUMNS = {
    "passwd_minlength": "minimum_length",
    "passwd_alphanum": "letters_and_digits",
    "passwd_min_special_chars": "special",
    "passwd_min_lowercase_chars": "lowercase",
    "passwd_min_uppercase_chars": "uppercase",
    "passwd_min_digits": "digits",
    "passwd_expiry_time": "expiry_days",
    "require_initial_passwd_update": "initial_change",
    "disallowed_reuse": "remembered",
    "change_delay": "change_delay_days",
    "max_failed_login_attempts": "most_failures",
    "lockout_duration": "lockout_days",
}
"""The column of each rule, by ONTAP's name."""
KINDS: dict[str, tuple[Type, str]] = {
    "passwd_minlength": (Integer(3, 64), "Fewest characters of a password."),
    "passwd_alphanum": (Switch(), "Whether both letters and digits are needed."),
    "passwd_min_special_chars": (Integer(0, 64), "Fewest characters besides letters and digits."),
    "passwd_min_lowercase_chars": (Integer(0, 64), "Fewest lower-case letters."),
    "passwd_min_uppercase_chars": (Integer(0, 64), "Fewest upper-case letters."),
    "passwd_min_digits": (Integer(0, 64), "Fewest digits."),
    "passwd_expiry_time": (Days(), "Days after which a password must be changed, or unlimited."),
    "require_initial_passwd_update": (Switch(), "Whether what an administrator set must be."),
    "disallowed_reuse": (Integer(0, MOST_REMEMBERED), "Former passwords not allowed."),
    "change_delay": (Integer(0, 1000), "Days before an account may change its password again."),
    "max_failed_login_attempts": (Integer(0, 1000), "Failed logins that lock an account; 0: none."),
    "lockout_duration": (Integer(0, MOST_DAYS), "Days it stays locked; 0: until unlocked."),
}


class RoleConfigResource(Resource[RoleRules]):
    """Rules for passwords, per role."""

    path = "private/cli/security/login/role/config"
    doc = "What passwords must be, how long they last, and when failed logins lock an account."
    model = PasswordRules
    keys = ("vserver", "role")
    order = ("vserver", "role")
    methods = frozenset({"GET", "PATCH"})
    fields = (
        Field("vserver", Text(), "The SVM that owns the role, or the array."),
        Field("role", Text(), "Name of the role."),
        Field("username_minlength", Integer(), "Fewest characters of a name.", get=constant(3)),
        *(_rule(name, COLUMNS[name], *KINDS[name]) for name in COLUMNS),
    )

    def rows(self, reader: Reader) -> Sequence[RoleRules]:
        """Return the rules of all roles."""
        session = reader.session
        names = dict(session.execute(select(Svm.uuid, Svm.name)).tuples().all())
        names[""] = array_owner(session).name
        rules = passwords.all_rules(session)
        return [
            RoleRules(
                names[role.owner_uuid],
                role,
                rules.get((role.owner_uuid, role.name))
                or passwords.defaults(role.owner_uuid, role.name),
            )
            for role in all_roles(session)
        ]

    def update(self, change: Change, row: RoleRules, values: dict[str, Any]) -> None:
        """Change rules; existing passwords stay valid until they expire."""
        accounts.require_power(
            change.session, row.subject.privileges, f'The role "{row.subject.name}"'
        )
        for name, value in values.items():
            setattr(row.rules, COLUMNS[name], value)
        change.add(row.rules)
