"""`security/roles/{owner}/{role}/privileges`: the privileges of one role, one by one.

The key of a privilege is its path, which has slashes; clients write them as %2F.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import READ, Field, Reader, Resource
from sanstone.core.declaration.types import Text
from sanstone.model.security import Privilege
from sanstone.resources.security.owner import owner_reference
from sanstone.resources.security.owner import owner_uuid as uuid_of
from sanstone.resources.security.role import (
    MOST,
    AnyRole,
    all_roles,
    privilege_fields,
    require_changeable,
)
from sanstone.security import accounts


@dataclass(frozen=True)
class AnyPrivilege:
    """A privilege of a role, built in or not."""

    role: AnyRole
    path: str

    @property
    def owner_uuid(self) -> str:
        """Return the UUID of the role's owner."""
        return self.role.owner_uuid

    @property
    def role_name(self) -> str:
        """Return the name of the role."""
        return self.role.name

    @property
    def access(self) -> str:
        """Return the access."""
        return self.role.privileges[self.path]


class RolePrivilegeResource(Resource[AnyPrivilege]):
    """Privileges of a role."""

    path = "security/roles/{owner.uuid}/{role.name}/privileges"
    doc = "Privileges of a role say what may be done at a path and below it."
    model = Privilege
    keys = ("owner.uuid", "role.name", "path")
    order = ("owner_uuid", "role_name", "path")
    slashed = frozenset({"path"})
    fields = (
        owner_reference(READ),
        Field("role.name", Text(), "Name of the role."),
        *privilege_fields(lambda row, _: row.access, lambda row, _: row.path),
    )

    def rows(self, reader: Reader) -> Sequence[AnyPrivilege]:
        """Return the privileges of all roles."""
        return [AnyPrivilege(r, path) for r in all_roles(reader.session) for path in r.privileges]

    def create(self, change: Change, values: dict[str, Any]) -> AnyPrivilege:
        """Add a privilege to a role."""
        owner, name, path = uuid_of(values["owner"]), values["role.name"], values["path"]
        role = _role(change, owner, name)
        if role is None:
            raise errors.unknown(f'role "{name}"', "role.name")
        require_changeable(change, role)
        if path in role.privileges:
            text = f'A privilege for {path} already exists in role "{name}".'
            raise errors.conflict(text, "path", errors.EXISTS)
        if len(role.privileges) >= MOST:
            raise errors.conflict(
                f'The role "{name}" has {MOST} privileges, the most there can be.'
            )
        privileges = {**role.privileges, path: values["access"]}
        accounts.require_power(change.session, privileges, f'The role "{name}"')
        change.add(Privilege(owner_uuid=owner, role=name, path=path, access=values["access"]))
        return AnyPrivilege(AnyRole(owner, name, False, privileges), path)

    def update(self, change: Change, row: AnyPrivilege, values: dict[str, Any]) -> None:
        """Change the access to a path."""
        access = values.get("access", row.access)
        _require_power(change, row, {row.path: access})
        _stored(change, row).access = access

    def delete(self, change: Change, row: AnyPrivilege, options: dict[str, Any]) -> None:
        """Delete a privilege; one of a shorter path may then allow more."""
        _require_power(change, row, {})
        change.delete(_stored(change, row))


def _role(change: Change, owner: str, name: str) -> AnyRole | None:
    """Return a role's current state, with earlier parts of the request."""
    roles = (r for r in all_roles(change.session) if (r.owner_uuid, r.name) == (owner, name))
    return next(roles, None)


def _require_power(change: Change, row: AnyPrivilege, instead: dict[str, str]) -> None:
    """Raise ApiError unless the role may have `instead` of a privilege.

    Other privileges of the role may have been changed by the same request since `row` was read.
    """
    require_changeable(change, row.role)
    role = _role(change, row.owner_uuid, row.role_name) or row.role
    others = {path: access for path, access in role.privileges.items() if path != row.path}
    accounts.require_power(change.session, others | instead, f'The role "{row.role_name}"')


def _stored(change: Change, row: AnyPrivilege) -> Privilege:
    return change.session.get_one(Privilege, (row.owner_uuid, row.role.name, row.path))
