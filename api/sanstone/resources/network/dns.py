"""`name-services/dns`: the DNS servers, and the domains in which names are looked for.

The array's configuration is `name_servers` and `dns_domains` of `cluster`: a change of either is
one of both. One of an SVM is kept and shown, for tools that set up ONTAP's SVMs, and has no effect:
all that an SVM serves is reached by address and reaches nobody by name. Servers are accepted
without a test query, since the API has no network for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Reader, Resource
from sanstone.core.declaration.types import Boolean, Choice, Uuid
from sanstone.model.cluster import Cluster
from sanstone.model.svm import Svm
from sanstone.resources.cluster.svm import UNKNOWN
from sanstone.resources.security.owner import ArrayOwner, OwnerReference, array_owner
from sanstone.resources.without_effect import off
from sanstone.rules.cluster.settings import DOMAINS, NAME_SERVERS

_COLUMNS = {"domains": "dns_domains", "servers": "name_servers"}
"""Columns of the array by field."""
KEPT = "dns"
"""The key of an SVM's configuration in its properties."""


@dataclass(frozen=True)
class Dns:
    """The configuration of the array, or of an SVM."""

    owner: Cluster | Svm

    @property
    def uuid(self) -> str:
        """Return the owner's UUID."""
        return self.owner.uuid

    @property
    def values(self) -> dict[str, list[str]]:
        """Return its lists by field; all are empty where there is no configuration."""
        if isinstance(self.owner, Svm):
            kept: dict[str, list[str]] = self.owner.properties.get(KEPT, {})
            return {name: [] for name in _COLUMNS} | kept
        return {name: getattr(self.owner, column) for name, column in _COLUMNS.items()}

    def change(self, lists: dict[str, list[str]]) -> None:
        """Change some of its lists."""
        if isinstance(self.owner, Svm):
            self.owner.properties = {**self.owner.properties, KEPT: self.values | lists}
            return
        for name, entries in lists.items():
            setattr(self.owner, _COLUMNS[name], entries)

    def clear(self) -> None:
        """Have no configuration."""
        if isinstance(self.owner, Svm):
            others = {name: value for name, value in self.owner.properties.items() if name != KEPT}
            self.owner.properties = others
            return
        self.change({name: [] for name in _COLUMNS})


def _svm(row: Dns, reader: Reader) -> Svm | ArrayOwner:
    return row.owner if isinstance(row.owner, Svm) else array_owner(reader.session)


class DnsResource(Resource[Dns]):
    """The use of DNS, of the array and in name of its SVMs."""

    path = "name-services/dns"
    doc = (
        "The DNS servers that the array asks. Those of an SVM are kept and have no effect: SVMs "
        "look up no names."
    )
    model = Cluster
    order = ("uuid",)
    fields = (
        Field("uuid", Uuid(), "Identity of its owner."),
        OwnerReference(
            "svm",
            Svm,
            "Its owner: the array, which is named here as an SVM would be, or an SVM.",
            access=CREATE,
            get=_svm,
            unknown_code=UNKNOWN,
            always=True,
        ),
        Field(
            "scope",
            Choice("cluster", "svm"),
            "Whether the array or an SVM owns it.",
            access=CREATE,
            get=lambda row, _: "svm" if isinstance(row.owner, Svm) else "cluster",
        ),
        Field(
            "domains",
            DOMAINS,
            "Domains in which a host name without a dot is looked for, in this order.",
            access=WRITE,
            required=True,
            get=lambda row, _: row.values["domains"] or None,
        ),
        Field(
            "servers",
            NAME_SERVERS,
            "Addresses of the DNS servers to query first, in this order, before DHCP's.",
            access=WRITE,
            required=True,
            get=lambda row, _: row.values["servers"] or None,
        ),
        off(
            "skip_config_validation",
            Boolean(),
            "Whether servers are taken without asking them first: they always are, in any case.",
            value=True,
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Dns]:
        """Return the array's, if it has any, and those of SVMs."""
        owners = (_array(reader), *reader.session.scalars(select(Svm)))
        return [dns for dns in map(Dns, owners) if _configured(dns)]

    def create(self, change: Change, values: dict[str, Any]) -> Dns:
        """Give the array, or an SVM, its servers and domains."""
        svm, scope = values.get("svm"), values.get("scope")
        row = Dns(svm if isinstance(svm, Svm) else _array(Reader(change.session)))
        if scope not in (None, "svm" if isinstance(svm, Svm) else "cluster"):
            text = f'"{row.owner.name}" is not of scope {scope}.'
            raise errors.invalid(text, "scope")
        lists = _lists(values)
        if _configured(row):
            text = f'The DNS configuration of "{row.owner.name}" already exists; change it instead.'
            raise errors.conflict(text, "svm", errors.EXISTS)
        row.change(lists)
        return row

    def update(self, change: Change, row: Dns, values: dict[str, Any]) -> None:
        """Change servers and domains."""
        row.change(_lists(values))

    def delete(self, change: Change, row: Dns, options: dict[str, Any]) -> None:
        """Take all servers and domains away; the array asks those of DHCP still."""
        row.clear()


def _lists(values: dict[str, Any]) -> dict[str, list[str]]:
    """Return the lists that a request gives. Raises ApiError for an empty one."""
    for name in _COLUMNS:
        if values.get(name) == []:
            text = f"There must be {name}; delete the whole to have none."
            raise errors.invalid(text, name)
    return {name: values[name] for name in _COLUMNS if name in values}


def _array(reader: Reader) -> Cluster:
    return reader.session.scalars(select(Cluster)).one()


def _configured(row: Dns) -> bool:
    return any(row.values.values())
