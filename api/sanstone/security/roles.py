"""Roles: what an account may do, by path of the REST API.

A role is a set of privileges: paths, each with an access. A privilege applies to a request when its
path is a prefix of the request's; `*` matches any one segment (`/api/storage/volumes/*/snapshots`).
The longest path takes precedence, then the one with fewer `*`, then the one that allows least.
Without any privilege that applies, nothing is allowed. An access is ONTAP's name of a set of
methods. A path may also be a directory of the shell's commands, as in ONTAP's older roles; it
stands for the paths that these ask (`command_directories`).

Roles of the array are for accounts of the array, roles of an SVM for those of the SVM. Some of each
are built in and never change; they are declared here and are in no table.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.model.security import ADMIN, VSADMIN, Privilege, Role
from sanstone.security.command_directories import DEFAULT, paths

ROOT = "/api"
READING = frozenset({"GET", "HEAD", "OPTIONS"})
METHODS: dict[str, frozenset[str]] = {
    "none": frozenset(),
    "readonly": READING,
    "read_create": READING | {"POST"},
    "read_modify": READING | {"PATCH"},
    "read_create_modify": READING | {"POST", "PATCH"},
    "all": READING | {"POST", "PATCH", "DELETE"},
}
"""The methods that an access allows, by ONTAP's name of it."""
Privileges = Mapping[str, str]
"""Accesses by path."""

_SVM_READING = {
    f"{ROOT}/{path}": "readonly"
    for path in (
        "application",
        "cluster",
        "cluster/jobs",
        "name-services",
        "network",
        "private/cli/debug/smdb/table",
        "protocols",
        "security/accounts",
        "snapmirror",
        "storage",
        "svm",
    )
}
_SVM_DATA = dict.fromkeys(
    (f"{ROOT}/application", f"{ROOT}/storage", f"{ROOT}/support/ems/application-logs"), "all"
)
_SVM_PROTOCOLS = {f"{ROOT}/protocols": "all"}
BUILT_IN: dict[str, Privileges] = {
    ADMIN: {ROOT: "all"},
    "readonly": {ROOT: "readonly"},
    "backup": {
        f"{ROOT}/cluster": "readonly",
        f"{ROOT}/storage": "readonly",
        f"{ROOT}/svm": "readonly",
        f"{ROOT}/storage/volumes/*/snapshots": "all",
    },
    "none": {ROOT: "none"},
}
"""The array's built-in roles."""
BUILT_IN_FOR_SVMS: dict[str, Privileges] = {
    VSADMIN: {
        **_SVM_READING,
        **_SVM_DATA,
        **_SVM_PROTOCOLS,
        f"{ROOT}/security/login/messages": "read_modify",
    },
    "vsadmin-volume": _SVM_READING | _SVM_DATA,
    "vsadmin-protocol": _SVM_READING | _SVM_PROTOCOLS,
    "vsadmin-backup": _SVM_READING | {f"{ROOT}/storage/volumes/*/snapshots": "all"},
    "vsadmin-readonly": _SVM_READING,
}
"""The built-in roles of every SVM.

None may change the SVM itself or its network interfaces: a tenant does not decide which resources
it may use.
"""


def built_in(owner_uuid: str) -> dict[str, Privileges]:
    """Return the built-in roles of an SVM, or those of the array for ''."""
    return BUILT_IN_FOR_SVMS if owner_uuid else BUILT_IN


def privileges(session: Session, owner_uuid: str, name: str) -> Privileges | None:
    """Return a role's privileges by path, None when it does not exist."""
    if name in built_in(owner_uuid):
        return built_in(owner_uuid)[name]
    if session.get(Role, (owner_uuid, name)) is None:
        return None
    mine = select(Privilege).filter_by(owner_uuid=owner_uuid, role=name)
    return by_path({row.path: row.access for row in session.scalars(mine)})


def by_path(privileges: Privileges) -> Privileges:
    """Return privileges by path of the API alone.

    Of two directories with one path the longer decides, then the one that allows least; a path that
    is given itself decides before any.
    """
    directories = [name for name in privileges if not name.startswith("/")]
    directories.sort(
        key=lambda name: (name != DEFAULT, len(name.split()), -len(METHODS[privileges[name]]))
    )
    by_place: dict[str, str] = {}
    for name in directories:
        by_place |= dict.fromkeys(paths(name), privileges[name])
    return by_place | {path: access for path, access in privileges.items() if path.startswith("/")}


def allowed(privileges: Privileges, path: str) -> frozenset[str]:
    """Return the methods that privileges allow on a path."""
    parts = _parts(path)
    leading = [(_parts(p), METHODS[a]) for p, a in privileges.items() if _leads(_parts(p), parts)]
    if not leading:
        return METHODS["none"]
    best = max(leading, key=lambda each: (*_plainness(each[0]), -len(each[1]), each[0]))
    return best[1]


def hides_beneath(privileges: Privileges, path: str) -> bool:
    """Return whether privileges may hide some objects of the collection at a path."""
    parts = _parts(path)
    hidden = (_parts(p) for p, access in privileges.items() if access == "none")
    return any(_leads(p[: len(parts)], parts) for p in hidden if len(p) > len(parts))


def covers(mine: Privileges, theirs: Privileges) -> bool:
    """Return whether `mine` allow all that `theirs` do: nobody can grant more than they have.

    They are compared at each path of either, and where a path of each overlap: `/api/*/luns` and
    `/api/storage/*` do at `/api/storage/luns`, where neither alone decides.
    """
    mine, theirs = by_path(mine), by_path(theirs)
    met = {_meeting(_parts(p), _parts(q)) for p in mine for q in theirs if "*" in p + q}
    decisive = {*mine, *theirs, *met} - {""}
    return all(allowed(theirs, path) <= allowed(mine, path) for path in decisive)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _plainness(pattern: list[str]) -> tuple[int, int]:
    return len(pattern), -pattern.count("*")


def _leads(pattern: list[str], parts: list[str]) -> bool:
    return len(pattern) <= len(parts) and all(
        segment in ("*", part) for segment, part in zip(pattern, parts, strict=False)
    )


def _meeting(first: list[str], second: list[str]) -> str:
    """Return the shortest path that two patterns both match, '' for none."""
    pairs = list(zip_longest(first, second, fillvalue="*"))
    if any("*" not in pair and pair[0] != pair[1] for pair in pairs):
        return ""
    return "/" + "/".join(b if a == "*" else a for a, b in pairs)
