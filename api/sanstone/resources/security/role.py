"""`security/roles`: permissions of accounts, by path of this API.

The built-in roles of the array and of each SVM are shown among the others and cannot be changed.
Privileges are for paths of this API, since the shell sends requests like every other client.
ONTAP's other kind, by directory of commands, is kept as it is given, and stands for the paths that
these commands ask; one for a single command is refused. Nobody can create a role that allows more
than their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from marshmallow import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import (
    CREATE,
    WRITE,
    Field,
    Items,
    Reader,
    Resource,
    constant,
)
from sanstone.core.declaration.types import Boolean, Choice, Text
from sanstone.model.security import Account, Privilege, Role
from sanstone.model.svm import Svm
from sanstone.resources.security.owner import owner_fields, owner_uuid
from sanstone.security import accounts, command_directories, roles
from sanstone.security.roles import Privileges

BUILT_IN, BAD_PATH, IN_USE = "1263347", "5636169", "5636172"
MOST = 64
"""Most privileges of a role, since the time to compare two roles is quadratic."""


class ApiPath(Text):
    """A path of this API, in which `*` matches any one segment, or a directory of commands."""

    good = (
        "lun",
        "vserver nvme subsystem",
        command_directories.DEFAULT,
        "/api/storage/volumes",
        "/api/storage/volumes/*/snapshots",
        "/api/storage/disks/1.0.1",
        "/api/protocols/nvme/subsystems/*/hosts/nqn.2014-08.org.example:host",
    )

    def __init__(self) -> None:
        super().__init__(255, 1)
        self.bad += (
            "volume show",
            "cluster",
            "volume  snapshot",
            "",
            "/api//storage",
            "/api/../etc",
            "/api/storage/.",
            "/api/..",
            "/apis",
            "api/storage",
        )

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        if command_directories.paths(text):
            return text
        if not re.fullmatch(r"/api(?:/(?:\*|(?!\.{1,2}(?:/|$))[A-Za-z0-9_:.+-]+))*", text):
            raise ValidationError(
                "This must be a path of the API, such as /api/storage/volumes, or a directory of "
                "commands, such as volume."
            )
        return text


@dataclass(frozen=True)
class AnyRole:
    """A role, built in or not."""

    owner_uuid: str
    name: str
    builtin: bool
    privileges: Privileges


def all_roles(session: Session) -> list[AnyRole]:
    """Return all roles."""
    created: dict[tuple[str, str], dict[str, str]] = {
        (row.owner_uuid, row.name): {} for row in session.scalars(select(Role))
    }
    for row in session.scalars(select(Privilege)):
        created[row.owner_uuid, row.role][row.path] = row.access
    owners = ["", *session.scalars(select(Svm.uuid))]
    built_in = [
        AnyRole(owner, name, True, privileges)
        for owner in owners
        for name, privileges in roles.built_in(owner).items()
    ]
    return [*built_in, *(AnyRole(*key, False, accesses) for key, accesses in created.items())]


def privilege_fields(access_of: Any, path_of: Any) -> tuple[Field, ...]:
    """Return the fields of a privilege, with these getters."""
    return (
        Field(
            "path",
            ApiPath(),
            "Path of the API, with all that is below it, or a directory of commands, as `lun`.",
            access=CREATE,
            required=True,
            get=path_of,
            code=BAD_PATH,
        ),
        Field(
            "access",
            Choice(*roles.METHODS),
            "What may be done there.",
            access=WRITE,
            required=True,
            get=access_of,
            always=True,
        ),
        Field("query", Text(), "Narrows a command; never shown.", get=constant(None)),
    )


def _privileges(row: AnyRole, _reader: Reader) -> Iterable[tuple[str, str]]:
    return sorted(row.privileges.items())


class RoleResource(Resource[AnyRole]):
    """Roles."""

    path = "security/roles"
    doc = "Roles say what accounts may do, by path of the API or by directory of commands."
    model = Role
    keys = ("owner.uuid", "name")
    order = ("owner_uuid", "name")
    methods = frozenset({"GET", "POST", "DELETE"})
    fields = (
        *owner_fields(),
        Field(
            "name",
            Text(64, 1, r"[A-Za-z0-9_][A-Za-z0-9_.-]*", "letters, digits, _ . -"),
            "Name of the role.",
            access=CREATE,
            required=True,
        ),
        Field("builtin", Boolean(), "Whether it comes with the array and never changes."),
        Items(
            "privileges",
            privilege_fields(lambda item, _: item[1], lambda item, _: item[0]),
            "What may be done where; of the paths that lead to a request's, the longest counts.",
            access=CREATE,
            required=True,
            get=_privileges,
            bare="path",
            maximum=MOST,
        ),
    )

    def rows(self, reader: Reader) -> Sequence[AnyRole]:
        """Return the roles, built-in ones included."""
        return all_roles(reader.session)

    def create(self, change: Change, values: dict[str, Any]) -> AnyRole:
        """Add a role."""
        owner, name = owner_uuid(values.get("owner")), values["name"]
        if roles.privileges(change.session, owner, name) is not None:
            text = f'A role named "{name}" already exists.'
            raise errors.conflict(text, "name", errors.EXISTS)
        privileges = {entry["path"]: entry["access"] for entry in values["privileges"]}
        if len(privileges) != len(values["privileges"]) or not privileges:
            text = "Give each path once, and one at least."
            raise errors.invalid(text, "privileges", errors.GIVEN_TWICE)
        accounts.require_power(change.session, privileges, f'The role "{name}"')
        change.add(Role(owner_uuid=owner, name=name))
        for path, access in privileges.items():
            change.add(Privilege(owner_uuid=owner, role=name, path=path, access=access))
        return AnyRole(owner, name, False, privileges)

    def delete(self, change: Change, row: AnyRole, options: dict[str, Any]) -> None:
        """Delete a role that no account has."""
        require_changeable(change, row)
        users = select(Account.name).filter_by(owner_uuid=row.owner_uuid, role=row.name)
        if user := change.session.scalar(users.limit(1)):
            text = f'The role "{row.name}" is that of account "{user}".'
            raise errors.conflict(text, code=IN_USE)
        mine = select(Privilege).filter_by(owner_uuid=row.owner_uuid, role=row.name)
        for privilege in change.session.scalars(mine).all():
            change.delete(privilege)
        change.delete(change.session.get_one(Role, (row.owner_uuid, row.name)))


def require_changeable(change: Change, row: AnyRole) -> None:
    """Raise ApiError for a built-in role, or one that allows more than the sender's own."""
    if row.builtin:
        text = f'The role "{row.name}" is built in and cannot be changed.'
        raise errors.conflict(text, "name", BUILT_IN)
    accounts.require_power(change.session, row.privileges, f'The role "{row.name}"')
