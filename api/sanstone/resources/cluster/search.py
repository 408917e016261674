"""`cluster/search`: one search over all objects, which is Sanstone's own.

Which fields of an object it looks in is said by the object's resource (`Resource.searched`). It
finds what its sender may see: objects that the role lets it list and read, and, for an account of
an SVM or with a header that names one, those of that SVM alone.

The best are shown, at most `MOST`: first objects with a field equal to the text, then those with
one that begins with it, then all others; these by kind and name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar
from urllib.parse import unquote

from sanstone.core.declaration import text_search
from sanstone.core.declaration.expressions import Expression, related
from sanstone.core.declaration.resource import Field, Reader, Reference, Resource
from sanstone.core.declaration.types import Text, Uuid
from sanstone.core.observed import Observed
from sanstone.model.svm import Svm
from sanstone.security import accounts, confinement, roles
from sanstone.security.roles import ROOT, Privileges

MOST = 100
"""Objects that one search shows."""
LONGEST = 255
"""Characters of a text to look for."""
_PLACEHOLDER = re.compile(r"{([a-z_.]+)}")
_EVERYTHING: Privileges = {ROOT: "all"}


@dataclass(frozen=True)
class Found:
    """An object that was found; `link` is its path as it stands in a URL."""

    rank: int
    kind: str
    name: str
    path: str
    link: str
    uuid: str | None
    svm_uuid: str


class SearchResource(Resource[Found]):
    """A match of a search."""

    path = "cluster/search"
    doc = (
        "Finds objects of all kinds by a part of their name, comment, serial number, address, IQN, "
        "NQN or WWPN; a hundred at most, the best first."
    )
    model = Observed
    keys = ("path",)
    order = ("rank", "kind", "name", "path")
    methods = frozenset({"GET"})
    slashed = frozenset({"path"})
    among: ClassVar[Sequence[Resource[Any]]] = ()
    """The resources to search; the package sets it once all are declared."""
    options = (
        Field(
            "query",
            Text(LONGEST),
            "The text to find, wherever it stands; capital letters are as small ones.",
            default="",
        ),
    )
    fields = (
        Field("kind", Text(), "Path of the resource that it is an object of."),
        Field("name", Text(4096), "Its name, or what stands for one."),
        Field("path", Text(4096), "Its own path, below /api/."),
        Field("uuid", Uuid(), "Its identity; absent where it has none of its own."),
        Reference(
            "svm",
            Svm,
            "The SVM that owns it, itself for an SVM; absent where none does.",
            get=lambda row, reader: reader.row(Svm, row.svm_uuid) if row.svm_uuid else None,
        ),
    )

    def stands_for(self, row: Found) -> str:
        """Return the path of the object that was found."""
        return row.link

    def rows(self, reader: Reader) -> Sequence[Found]:
        """Return the best matches, or the object of the request's path."""
        privileges = _privileges(reader)
        if path := reader.keys.get("path"):
            alike = (row for row in self._found(reader, "", path, None) if row.path == path)
            return [row for row in alike if _may_read(privileges, row)]
        text = reader.options.get("query", "")
        ranked = sorted(self._found(reader, text, "", MOST), key=_place)
        return list(islice((row for row in ranked if _may_read(privileges, row)), MOST))

    def _found(self, reader: Reader, text: str, path: str, maximum: int | None) -> Iterator[Found]:
        """Yield the matches of each kind, or of those that a path may be of."""
        only, privileges = confinement.confined(reader.session), _privileges(reader)
        for resource in self.among:
            above = resource.path.partition("/{")[0]
            owner = _owner(resource)
            if not resource.searched or (only and owner is None):
                continue
            if path and not path.startswith(f"{above}/"):
                continue
            if resource.path == above and not _allow(privileges, f"{ROOT}/{above}"):
                continue
            # Rows that the role hides must not take the places of others.
            most = maximum if _opens(privileges, f"{ROOT}/{above}") else None
            for hit in text_search.find(reader.session, resource, text, owner, only, most):
                yield _row(resource, hit)


def _row(resource: Resource[Any], hit: text_search.Hit) -> Found:
    keys = dict(zip(resource.keys, hit.keys, strict=True))
    link = resource.place(keys)
    path = unquote(link)
    return Found(hit.rank, resource.path, hit.name, path, link, keys.get("uuid"), hit.owner)


def _place(row: Found) -> tuple[int, str, str, str]:
    return row.rank, row.kind, row.name, row.path


def _owner(resource: Resource[Any]) -> Expression | None:
    """Return the UUID of the SVM that rows belong to, by themselves or with what they are below."""
    column = confinement.svm_column(resource.model)
    if column is not None:
        return Expression(column)
    for key in _PLACEHOLDER.findall(resource.path):
        node = resource.node(key.rpartition(".")[0])
        if isinstance(node, Reference):
            return related(resource.model, node.column, "svm_uuid")
    return None


def _privileges(reader: Reader) -> Privileges:
    actor = accounts.actor(reader.session)
    return actor.privileges if actor else _EVERYTHING


def _opens(privileges: Privileges, path: str) -> bool:
    """Return whether privileges allow to read all that is at a path and beneath."""
    return _allow(privileges, path) and "none" not in privileges.values()


def _may_read(privileges: Privileges, row: Found) -> bool:
    """Return whether privileges allow to list the objects beside a row's, and to read it."""
    own = f"{ROOT}/{row.path}"
    return _allow(privileges, _collection(row)) and _allow(privileges, own)


def _collection(row: Found) -> str:
    """Return the path of the collection that an object is in."""
    segments = row.kind.count("/") + 1
    return ROOT + "/" + "/".join(row.path.split("/")[:segments])


def _allow(privileges: Privileges, path: str) -> bool:
    return "GET" in roles.allowed(privileges, path)
