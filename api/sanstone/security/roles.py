"""Roles: what an account may do, by path of the REST API.

A role is a set of privileges: paths, each with an access. Of the privileges whose path leads to a
request's, that with the longest path counts, of equally long ones that with fewer `*`, which stands
for any one part of a path (`/api/storage/volumes/*/snapshots`), and of those the one that allows
least. Without any, nothing is allowed. An access is ONTAP's word for a set of methods.

Roles of the array are for accounts of the array, roles of an SVM for the SVM's. Some of each are
built in and never change; they are declared here and stand in no table.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.model.security import ADMIN, VSADMIN, Privilege, Role

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
"""By ONTAP's word for an access, the methods that it allows."""
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

None changes the SVM itself or its network interfaces: what a tenant may use is not the tenant's to
say.
"""


def built_in(owner_uuid: str) -> dict[str, Privileges]:
    """Return the built-in roles of an SVM, or with '' of the array."""
    return BUILT_IN_FOR_SVMS if owner_uuid else BUILT_IN


def privileges(session: Session, owner_uuid: str, name: str) -> Privileges | None:
    """Return what a role allows, None when there is no such role."""
    if name in built_in(owner_uuid):
        return built_in(owner_uuid)[name]
    if session.get(Role, (owner_uuid, name)) is None:
        return None
    mine = select(Privilege).filter_by(owner_uuid=owner_uuid, role=name)
    return {row.path: row.access for row in session.scalars(mine)}


def allowed(given: Privileges, path: str) -> frozenset[str]:
    """Return the methods that privileges allow on a path."""
    parts = _parts(path)
    leading = [(_parts(p), METHODS[a]) for p, a in given.items() if _leads(_parts(p), parts)]
    if not leading:
        return METHODS["none"]
    best = max(leading, key=lambda each: (*_plainness(each[0]), -len(each[1]), each[0]))
    return best[1]


def hides_beneath(given: Privileges, path: str) -> bool:
    """Return whether privileges may forbid looking at some objects of the collection at a path."""
    parts = _parts(path)
    hidden = (_parts(p) for p, access in given.items() if access == "none")
    return any(_leads(p[: len(parts)], parts) for p in hidden if len(p) > len(parts))


def covers(mine: Privileges, theirs: Privileges) -> bool:
    """Return whether `mine` allow all that `theirs` do: nobody can give more than they have.

    They are compared at each path of either, and where one of each meet: `/api/*/luns` and
    `/api/storage/*` do at `/api/storage/luns`, where neither says alone what is allowed.
    """
    met = {_meeting(_parts(p), _parts(q)) for p in mine for q in theirs if "*" in p + q}
    paths = {*mine, *theirs, *met} - {""}
    return all(allowed(theirs, path) <= allowed(mine, path) for path in paths)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _plainness(pattern: list[str]) -> tuple[int, int]:
    return len(pattern), -pattern.count("*")


def _leads(pattern: list[str], parts: list[str]) -> bool:
    return len(pattern) <= len(parts) and all(
        wanted in ("*", part) for wanted, part in zip(pattern, parts, strict=False)
    )


def _meeting(one: list[str], other: list[str]) -> str:
    """Return the shortest path that two patterns lead to, '' when they never meet."""
    pairs = list(zip_longest(one, other, fillvalue="*"))
    if any("*" not in pair and pair[0] != pair[1] for pair in pairs):
        return ""
    return "/" + "/".join(b if a == "*" else a for a, b in pairs)
