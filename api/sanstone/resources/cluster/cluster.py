"""`cluster`: the array as a whole. One row, created at the array's first start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone import __version__
from sanstone.core import build, errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import MODIFY, Field, Items, Reader, Resource, constant
from sanstone.core.declaration.types import Boolean, Integer, IpAddress, Text, Timestamp, Uuid
from sanstone.core.history.metrics import CLUSTER
from sanstone.model import nodes
from sanstone.model.cluster import Cluster, NtpServer
from sanstone.model.network import EthernetPort, IpInterface
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.rules.cluster.settings import (
    ARRAY_NAME,
    CONTACT,
    DOMAINS,
    LOCATION,
    NAME_SERVERS,
    NTP_SERVERS,
)

GENERATION, MAJOR, MINOR = 9, 16, 1
"""The release of ONTAP with this REST API; clients select their calls by it."""


def _full(_row: Any, _reader: Reader) -> str:
    api = f"{GENERATION}.{MAJOR}.{MINOR}"
    return f"Sanstone {build.running()}, Linux {build.kernel()}, REST API of ONTAP {api}"


def version_fields() -> tuple[Field, ...]:
    """Return the fields of the version, which the cluster and its node show alike."""
    return (
        Field("version.full", Text(), "Release, build and kernel in words.", get=_full),
        Field("version.generation", Integer(), "First number.", get=constant(GENERATION)),
        Field("version.major", Integer(), "Second number.", get=constant(MAJOR)),
        Field("version.minor", Integer(), "Third number.", get=constant(MINOR)),
        Field("version.release", Text(), "Sanstone's release.", get=constant(__version__)),
        Field(
            "version.build.commit",
            Text(40),
            "Commit of Sanstone's repository that it was built of; absent where none is known.",
            get=lambda _row, _reader: build.running().commit or None,
        ),
        Field(
            "version.build.time",
            Timestamp(),
            "Time of that commit, or the one that its builder gave for it.",
            get=lambda _row, _reader: build.running().time,
        ),
        Field(
            "version.build.development",
            Boolean(),
            "Whether it is no release: built of another commit than a release's, or changed.",
            get=lambda _row, _reader: build.running().development,
        ),
        Field(
            "version.kernel",
            Text(),
            "Release of the Linux kernel that runs.",
            get=lambda _row, _reader: build.kernel(),
        ),
    )


def management_interfaces(_row: Any, reader: Reader) -> Iterable[Any]:
    """Return the LIFs that belong to no SVM, and after them what the management port has by DHCP:
    name, uuid, address.
    """
    leased = [
        SimpleNamespace(name=port, uuid=None, address=address)
        for port, seen in sorted(reader.observed(EthernetPort.kind).items())
        for address in seen.data.get("management_addresses", ())
    ]
    return [*reader.once(_management_lifs), *leased]


def _management_lifs(session: Session) -> Sequence[Any]:
    return session.execute(
        select(IpInterface.name, IpInterface.uuid, IpInterface.address)
        .where(IpInterface.svm_uuid.is_(None))
        .order_by(IpInterface.name)
    ).all()


def management_items() -> Items:
    """Return the list of management LIFs, which the cluster and its node show alike."""
    return Items(
        "management_interfaces",
        (
            Field("name", Text(), "Name of the interface; of an address by DHCP its port's."),
            Field("uuid", Uuid(), "Identity of the interface; an address by DHCP has none."),
            Field("ip.address", IpAddress(), "Its address.", attribute="address"),
        ),
        "Interfaces through which the array is managed.",
        get=management_interfaces,
    )


def _ntp_servers(_row: Cluster, reader: Reader) -> list[str]:
    return list(reader.session.scalars(select(NtpServer.server).order_by(NtpServer.server)))


class ClusterResource(Resource[Cluster]):
    """The array."""

    path = "cluster"
    doc = "The array as a whole."
    model = Cluster
    shared = True
    single = True
    keys = ()
    asynchronous = True
    methods = frozenset({"GET", "PATCH"})
    fields = (
        Field("uuid", Uuid(), "Identity of the array."),
        Field(
            "name",
            ARRAY_NAME,
            "Name of the array; its node's name begins with it.",
            access=MODIFY,
        ),
        Field(
            "contact", CONTACT, "Who knows the array: a name, an address, a number.", access=MODIFY
        ),
        Field("location", LOCATION, "Where the array stands.", access=MODIFY),
        Field(
            "timezone.name",
            Text(64, 1),
            "Time zone, as the IANA database names it.",
            access=MODIFY,
            attribute="timezone",
        ),
        Field("serial_number", Text(32), "Number in the names of the array's targets."),
        Field("create_time", Timestamp(), "When the array started for the first time."),
        *version_fields(),
        Field("san_optimized", Boolean(), "Whether only SAN is served.", get=constant(False)),
        Field("disaggregated", Boolean(), "Whether it has no aggregates.", get=constant(False)),
        Field(
            "dns_domains",
            DOMAINS,
            "Domains in which a host name without a dot is looked for, in this order.",
            access=MODIFY,
        ),
        Field(
            "name_servers",
            NAME_SERVERS,
            "Addresses of the DNS servers to ask first, in this order, before those of DHCP.",
            access=MODIFY,
        ),
        Field(
            "ntp_servers",
            NTP_SERVERS,
            "NTP servers, which `cluster/ntp/servers` adds and removes.",
            get=_ntp_servers,
        ),
        management_items(),
        *statistics_fields(lambda _row: CLUSTER),
    )

    def update(self, change: Change, row: Cluster, values: dict[str, Any]) -> None:
        """Change names and descriptions; identities that hosts see do not change."""
        zone = values.get("timezone.name", row.timezone)
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise errors.invalid(f'"{zone}" is not a time zone.', "timezone.name") from error
        row.timezone = zone
        for name in ("name", "contact", "location", "name_servers", "dns_domains"):
            if name in values:
                setattr(row, name, values[name])
        for node in nodes.every_node(change.session):
            node.name = nodes.name_of(row.name, node.number)
