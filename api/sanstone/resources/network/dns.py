"""`name-services/dns`: which DNS servers are asked, and in which domains names are looked for.

There is one configuration at most, the array's, and it is what `cluster` has as `name_servers` and
`dns_domains`: a change of either is one of both. An SVM has none. All that it serves is reached by
address and reaches nobody by name, so that servers of its own would never be asked; giving it some
is refused. Servers are not asked before they are taken, since the API has no network to do so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.change import Change
from sanstone.core.resource import CREATE, WRITE, Field, Reader, Resource, constant
from sanstone.core.types import Boolean, Choice, Uuid
from sanstone.model.cluster import Cluster
from sanstone.model.svm import Svm
from sanstone.resources.cluster.cluster import DOMAINS, NAME_SERVERS
from sanstone.resources.cluster.svm import UNKNOWN
from sanstone.resources.security.owner import OwnerReference, array_owner
from sanstone.resources.without_effect import off

NOT_FOR_SVMS = "8847360"
_COLUMNS = {"domains": "dns_domains", "servers": "name_servers"}
"""Columns of the array by field."""


class DnsResource(Resource[Cluster]):
    """The array's use of DNS."""

    path = "name-services/dns"
    doc = "The DNS servers that the array asks. SVMs have none: they look up no names."
    model = Cluster
    order = ("uuid",)
    fields = (
        Field("uuid", Uuid(), "Identity of the array."),
        OwnerReference(
            "svm",
            Svm,
            "Whose it is: the array, which is named here as an SVM would be.",
            access=CREATE,
            get=lambda _row, reader: array_owner(reader.session),
            unknown_code=UNKNOWN,
            always=True,
        ),
        Field(
            "scope",
            Choice("cluster", "svm"),
            "Whose it is; SVMs have none.",
            access=CREATE,
            get=constant("cluster"),
        ),
        Field(
            "domains",
            DOMAINS,
            "Domains in which a host name without a dot is looked for, in this order.",
            access=WRITE,
            required=True,
            get=lambda row, _: row.dns_domains or None,
        ),
        Field(
            "servers",
            NAME_SERVERS,
            "Addresses of the DNS servers that are asked first, in this order, before DHCP's.",
            access=WRITE,
            required=True,
            get=lambda row, _: row.name_servers or None,
        ),
        off(
            "skip_config_validation",
            Boolean(),
            "Whether servers are taken without asking them first: they always are, in any case.",
            value=True,
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Cluster]:
        """Return the array if it has servers or domains; without them there is nothing."""
        array = _array(reader)
        return [array] if _configured(array) else []

    def create(self, change: Change, values: dict[str, Any]) -> Cluster:
        """Give the array its servers and domains."""
        svm = values.get("svm")
        row = _array(Reader(change.session))
        if isinstance(svm, Svm) or values.get("scope") == "svm":
            text = (
                "SVMs look up no names, so that they have no DNS servers. The array has: leave svm "
                f'out, or name "{row.name}".'
            )
            raise errors.invalid(text, "svm", NOT_FOR_SVMS)
        desired = _columns(values)
        if _configured(row):
            text = f'The DNS configuration of "{row.name}" already exists; change it instead.'
            raise errors.conflict(text, "svm", errors.EXISTS)
        _set(row, desired)
        return row

    def update(self, change: Change, row: Cluster, values: dict[str, Any]) -> None:
        """Change servers and domains."""
        _set(row, _columns(values))

    def delete(self, change: Change, row: Cluster, options: dict[str, Any]) -> None:
        """Take all servers and domains away; those of DHCP are asked still."""
        _set(row, {column: [] for column in _COLUMNS.values()})


def _columns(values: dict[str, Any]) -> dict[str, list[str]]:
    """Return the columns that a request gives. Raises ApiError for an empty list."""
    for name in _COLUMNS:
        if values.get(name) == []:
            text = f"There must be {name}; delete the whole to have none."
            raise errors.invalid(text, name)
    return {column: values[name] for name, column in _COLUMNS.items() if name in values}


def _set(row: Cluster, columns: dict[str, list[str]]) -> None:
    for column, entries in columns.items():
        setattr(row, column, entries)


def _array(reader: Reader) -> Cluster:
    return reader.session.scalars(select(Cluster)).one()


def _configured(row: Cluster) -> bool:
    return bool(row.name_servers or row.dns_domains)
