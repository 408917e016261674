"""The records of `private/cli/…`, by the command: what ONTAP's command line would show.

Clients read some facts by a command alone: NetApp's Ansible modules, and Harvest's poller. Only
known facts are shown; a missing field is one that the array does not know.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from sanstone.core.declaration.resource import Reader
from sanstone.core.declaration.types import Timestamp
from sanstone.model.cluster import the_cluster
from sanstone.model.network import IpInterface
from sanstone.model.nodes import every_node, this_node
from sanstone.model.san import Lun
from sanstone.model.svm import Svm
from sanstone.model.volumes import Volume, usable
from sanstone.rules.network.service_policies import transports
from sanstone.rules.storage.thin_devices import state
from sanstone.rules.storage.volume_space import shown_as_taken
from sanstone.security import confinement

Record = dict[str, Any]


class Table(NamedTuple):
    """The table of a command; `keys` are the fields that it always shows."""

    keys: tuple[str, ...]
    records: Callable[[Session], Iterator[Record]]


def _of_svm(session: Session, model: Any) -> Select[Any]:
    """Return the statement for the rows that the caller may see."""
    return confinement.narrow(session, model, select(model).order_by(model.uuid))


def _personality(session: Session) -> Iterator[Record]:
    """Answer what `netapp.ontap` queries before it manages LUNs: this is no ASA r2 system."""
    yield {"node": this_node(session).name, "ASA_R2": False, "ASA_NEXT": False}


def _date(session: Session) -> Iterator[Record]:
    yield {"node": this_node(session).name, "date": Timestamp().format(time.time())}


def _nodes(session: Session) -> Iterator[Record]:
    """Yield the node, which is healthy as long as it answers."""
    node = this_node(session)
    yield {"node": node.name, "uuid": node.uuid, "health": True}


def _svms(session: Session) -> Iterator[Record]:
    """Yield the SVMs, and before them the array itself, which ONTAP shows as one of type admin."""
    if not confinement.confined(session):
        array = the_cluster(session)
        yield {"vserver": array.name, "uuid": array.uuid, "type": "admin"}
    for row in session.scalars(_of_svm(session, Svm)):
        yield {
            "vserver": row.name,
            "uuid": row.uuid,
            "type": "data",
            "admin_state": row.state,
            "operational_state": row.state,
            "is_space_enforcement_logical": False,
            "is_space_reporting_logical": False,
        }


def _names(session: Session) -> dict[str, str]:
    """Return the names of nodes by UUID."""
    return {node.uuid: node.name for node in every_node(session)}


def _interfaces(session: Session) -> Iterator[Record]:
    cluster, names = the_cluster(session).name, _names(session)
    for row in session.scalars(_of_svm(session, IpInterface)):
        yield {
            "vserver": row.svm.name if row.svm else cluster,
            "lif": row.name,
            "address": row.address,
            "home_node": names[row.home_node_uuid],
            "home_port": row.home_port,
            "data_protocol": sorted({each.name.replace("_", "-") for each in transports(row)}),
        }


def _volumes(session: Session) -> Iterator[Record]:
    reader, names = Reader(session), _names(session)
    for row in session.scalars(_of_svm(session, Volume)):
        total, used = usable(row.size, row.snapshot_reserve_percent), shown_as_taken(row, reader)
        yield {
            "vserver": row.svm.name,
            "volume": row.name,
            "instance_uuid": row.uuid,
            "aggregate": row.aggregate.name,
            "node": names[row.aggregate.node_uuid],
            "aggr_list": [row.aggregate.name],
            "nodes": [names[row.aggregate.node_uuid]],
            "size": row.size,
            "total": total,
            "used": used,
            "available": max(0, total - used),
            "percent_used": round(100 * used / total),
            "percent_snapshot_space": row.snapshot_reserve_percent,
            "state": row.state,
            "type": "RW",
            "volume_style_extended": "flexvol",
            "vsroot": False,
            "is_constituent": False,
        }


def _luns(session: Session) -> Iterator[Record]:
    reader, names = Reader(session), _names(session)
    for row in session.scalars(_of_svm(session, Lun)):
        yield {
            "vserver": row.svm.name,
            "path": row.name,
            "volume": row.volume.name,
            "lun": row.base_name,
            "node": names[row.volume.aggregate.node_uuid],
            "uuid": row.uuid,
            "serial": row.serial_number,
            "serial_hex": row.serial_number.encode().hex(),
            "ostype": row.os_type,
            "state": state(row, reader),
            "size": row.size,
            "size_used": reader.seen(row.kind, row.uuid).get("used", 0),
        }


def _deleted_volumes(_session: Session) -> Iterator[Record]:
    """Return nothing: a deleted volume is gone at once."""
    yield from ()


def _efficient_volumes(_session: Session) -> Iterator[Record]:
    """Return nothing: no volume's data is reduced."""
    yield from ()


_NODE, _VOLUME = ("node",), ("vserver", "volume")
TABLES: dict[str, Table] = {
    "cluster/date": Table(_NODE, _date),
    "debug/smdb/table/OntapMode": Table(_NODE, _personality),
    "debug/smdb/table/OntapPersonality": Table(_NODE, _personality),
    "lun": Table(("vserver", "path"), _luns),
    "network/interface": Table(("vserver", "lif"), _interfaces),
    "node": Table(_NODE, _nodes),
    "volume": Table(_VOLUME, _volumes),
    "volume/efficiency": Table(_VOLUME, _efficient_volumes),
    "volume/recovery-queue": Table(_VOLUME, _deleted_volumes),
    "vserver": Table(("vserver",), _svms),
}
