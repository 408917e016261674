"""NVMe subsystems, their hosts and namespaces, and the ports that serve them (nvmet)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from sanstone import __version__
from sanstone.core import names as identities
from sanstone.kernel import names
from sanstone.kernel.target import nvmet, sessions
from sanstone.model.nvme import Namespace, NvmeService, Subsystem, SubsystemHost, SubsystemMap
from sanstone.reconcile.stages import network, portals
from sanstone.reconcile.stages.portals import Portal
from sanstone.reconcile.state import Pass

TREE = "nvmet"
CONTROLLERS = "protocols/nvme/subsystem-controllers"
HASHES = {"sha_256": "hmac(sha256)", "sha_512": "hmac(sha512)"}
GROUPS = {
    "none": "null",
    "2048_bit": "ffdhe2048",
    "3072_bit": "ffdhe3072",
    "4096_bit": "ffdhe4096",
    "6144_bit": "ffdhe6144",
    "8192_bit": "ffdhe8192",
}


class Map(NamedTuple):
    """A namespace in a subsystem, in plain columns: there may be thousands."""

    subsystem: str
    namespace: str
    nsid: int
    ana_group: int

    @property
    def owner(self) -> str:
        """Return the map's owner."""
        return f"{SubsystemMap.kind}:{self.subsystem}/{self.namespace}"

    @property
    def namespace_owner(self) -> str:
        """Return the namespace's owner."""
        return f"{Namespace.kind}:{self.namespace}"


def reconcile(this: Pass) -> None:
    """Have nvmet serve exactly the wanted subsystems."""
    rows = _rows(this)
    maps, incomplete = _maps(this)
    places = list(_served(this))
    fresh = TREE not in this.memory.trees
    held = _held(this, rows, places, incomplete)
    subsystems = tuple(
        _subsystem(row, maps[row.uuid], [] if row.uuid in held else places) for row in rows
    )
    hosts, ports = _hosts(rows), tuple(_port(place, places) for place in places)
    before = this.memory.served.get(TREE)
    this.serve(
        TREE,
        (subsystems, hosts, ports),
        nvmet.read,
        lambda: nvmet.render(subsystems, hosts, ports),
    )
    for row in rows:
        _tell_sizes(this, row, maps[row.uuid], every=fresh)
    if this.quick and this.memory.served.get(TREE) == before:
        return
    owners = {subsystem.nqn: subsystem.owner for subsystem in subsystems}
    for controller in sessions.strangers(this.host, subsystems):
        with this.attempt(owners.get(controller.subsystem, "")):
            sessions.disconnect(this.host, controller)
            this.did(f"controller {controller.id} of {controller.subsystem}: disconnected")
    _observe(this, rows)


def _rows(this: Pass) -> Sequence[Subsystem]:
    query = select(Subsystem).options(selectinload(Subsystem.hosts))
    return this.session.scalars(query.order_by(Subsystem.uuid)).all()


def _held(
    this: Pass, rows: Sequence[Subsystem], places: Sequence[Portal], incomplete: set[str]
) -> set[str]:
    """Return the subsystems that are not served yet because a namespace of theirs is late.

    A host that connects to a subsystem drops for good what it does not find there, while it waits
    for one that does not answer. One that is served already stays so.
    """
    live = this.tree(TREE, nvmet.read).nodes
    return {
        row.uuid
        for row in rows
        if row.uuid in incomplete
        and not any(nvmet.link(p.lif.number, row.target_nqn) in live for p in places)
    }


def _maps(this: Pass) -> tuple[dict[str, list[Map]], set[str]]:
    """Return by subsystem the maps whose namespace can be exported now, and who lacks one."""
    query = select(
        SubsystemMap.subsystem_uuid,
        SubsystemMap.namespace_uuid,
        SubsystemMap.nsid,
        SubsystemMap.ana_group,
    ).order_by(SubsystemMap.subsystem_uuid, SubsystemMap.nsid)
    found: dict[str, list[Map]] = defaultdict(list)
    incomplete: set[str] = set()
    for row in this.session.execute(query):
        entry = Map(*row)
        if entry.namespace in this.ready:
            found[entry.subsystem].append(entry)
        elif this.block(entry.owner, entry.namespace_owner):
            incomplete.add(entry.subsystem)
    return found, incomplete


def _served(this: Pass) -> Iterator[Portal]:
    """Return the portals at which NVMe is served: those of SVMs whose service is enabled."""
    services = this.session.scalars(select(NvmeService).filter_by(enabled=True))
    enabled = {service.svm_uuid for service in services}
    for portal in portals.of_family(this, "nvme"):
        if portal.lif.svm_uuid in enabled and network.serving(this, portal.lif):
            yield portal


def _port(portal: Portal, all_portals: Sequence[Portal]) -> nvmet.Port:
    """Return a port; it refers discovering hosts to the other portals of its SVM."""
    others = (p for p in all_portals if p.lif.svm_uuid == portal.lif.svm_uuid and p != portal)
    return nvmet.Port(
        id=portal.lif.number,
        address=portal.lif.address,
        transport=portal.protocol.kernel_name,
        service=str(portal.protocol.port),
        family=portal.family,
        referrals=tuple(
            nvmet.Referral(
                name=other.lif.uuid,
                address=other.lif.address,
                transport=other.protocol.kernel_name,
                service=str(other.protocol.port),
                family=other.family,
                port_id=other.lif.number,
            )
            for other in others
        ),
        owner=portal.lif.owner,
    )


def _subsystem(row: Subsystem, maps: Sequence[Map], places: Sequence[Portal]) -> nvmet.Subsystem:
    return nvmet.Subsystem(
        nqn=row.target_nqn,
        serial=row.serial_number,
        model=identities.NVME_MODEL,
        firmware=__version__[:8],
        hosts=tuple(host.nqn for host in row.hosts),
        namespaces=tuple(
            nvmet.Namespace(
                nsid=entry.nsid,
                device=names.device_node(entry.namespace),
                uuid=entry.namespace,
                nguid=identities.plain(entry.namespace),
                ana_group=entry.ana_group,
                owner=entry.owner,
            )
            for entry in maps
        ),
        ports=tuple(place.lif.number for place in places if place.lif.svm_uuid == row.svm_uuid),
        owner=row.owner,
    )


def _hosts(rows: Sequence[Subsystem]) -> tuple[nvmet.AllowedHost, ...]:
    """Return each host once: the kernel keeps a host's keys for all subsystems together."""
    hosts: dict[str, SubsystemHost] = {}
    for row in rows:
        for host in row.hosts:
            hosts.setdefault(host.nqn, host)
    return tuple(
        nvmet.AllowedHost(
            nqn=host.nqn,
            key=host.host_secret or "",
            controller_key=host.controller_secret or "",
            hash=HASHES[host.hash_function],
            group=GROUPS[host.group_size],
            owner=host.owner,
        )
        for host in hosts.values()
    )


def _tell_sizes(this: Pass, row: Subsystem, maps: Sequence[Map], *, every: bool) -> None:
    """Have exported namespaces take their devices' sizes: those that grew in this pass, or all
    after a start, since the last one may have ended between growing and telling."""
    for entry in maps:
        if entry.owner not in this.failures and (every or entry.namespace in this.resized):
            with this.attempt(entry.namespace_owner):
                nvmet.revalidate_size(this.host, row.target_nqn, entry.nsid)


def _observe(this: Pass, rows: Sequence[Subsystem]) -> None:
    by_nqn = {row.target_nqn: row for row in rows}
    this.seen[CONTROLLERS] = {
        f"{by_nqn[live.subsystem].uuid}/{live.id}": {
            "subsystem": by_nqn[live.subsystem].uuid,
            "id": live.id,
            "host_nqn": live.host,
            "host_address": live.host_address,
            "port": live.port,
            "state": live.state,
            "keep_alive_ms": live.keep_alive * 1000,
        }
        for live in sessions.controllers(this.host)
        if live.subsystem in by_nqn
    }
