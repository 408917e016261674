"""`security login role create`: a role by directories of commands, a privilege at a time.

Where there is no such role yet, the privilege comes with a role, as on ONTAP. The other commands on
such privileges are those of `tables/security.py`.
"""

from __future__ import annotations

from sanstone.client.rest import Record
from sanstone.shell import rehearsal
from sanstone.shell.arguments import Arguments
from sanstone.shell.errors import ShellError
from sanstone.shell.parameters import Parameter
from sanstone.shell.session import Session
from sanstone.shell.tree import Command
from sanstone.shell.values import to_body

_ROLES = "security/roles"
_PRIVILEGES = "security/roles/{owner.uuid}/{role.name}/privileges"
_ACCESSES = (
    *("none", "readonly", "read_create", "read_modify", "read_create_modify"),
    "all",
)
_ACCESS = Parameter(
    "access", "choice", "What may be done there; all if left out.", choices=_ACCESSES
)
_PARAMETERS = (
    Parameter("vserver", "name", "The Vserver of the role.", source="svm/svms"),
    Parameter("role", "text", "Name of the role.", required=True, positional=True),
    Parameter("cmddirname", "text", "A directory of commands.", required=True, positional=True),
    _ACCESS,
    Parameter("query", "text", "Nothing, since a query cannot narrow a privilege."),
)


def create(session: Session, arguments: Arguments) -> None:
    """Add a privilege to a role; create that where it is missing. Raises ShellError."""
    if arguments.text("query"):
        raise ShellError(
            "command failed: A query cannot narrow a privilege. Leave it out, or give the role of "
            "one Vserver."
        )
    access = arguments.bound.get("access")
    privilege = {
        "path": arguments.text("cmddirname"),
        "access": to_body(_ACCESS, access) if access else "all",
    }
    name, owner = arguments.text("role"), arguments.text("vserver")
    path, body = _request(session, name, owner, privilege)
    session.array.create(path, body)
    if session.settings.dry_run:
        session.write(rehearsal.lines(session.array.tried, session.settings.units))


def _request(session: Session, name: str, owner: str, privilege: Record) -> tuple[str, Record]:
    """Return the path and the body for a privilege, or for a role that has it alone."""
    roles, privileges = (session.collections[path] for path in (_ROLES, _PRIVILEGES))
    query = {"name": name, **({"owner.name": owner} if owner else {"scope": "cluster"})}
    roles_of_name = list(roles.rows(session.array, query, ["name"]))
    if roles_of_name:
        return privileges.collection_path(roles_of_name[0]), privilege
    body = {"name": name, "privileges": [privilege]}
    return roles.collection_path({}), body | ({"owner.name": owner} if owner else {})


COMMANDS = (
    Command(
        ("security", "login", "role", "create"),
        "Let a role use a directory of commands, and create the role where it is missing",
        create,
        lambda: _PARAMETERS,
    ),
)
