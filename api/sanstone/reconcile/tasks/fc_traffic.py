"""The traffic of Fibre Channel ports and interfaces, for the sampler.

A port has counters of its own, if its driver counts. An interface has none. By FCP the target
counts what initiators do with each LUN at the interface; only LUNs with I/O of hosts are read, so
that an idle array costs nothing. By NVMe nothing counts (nvmet has no counters).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session, selectinload

from sanstone.core.database.store import reading
from sanstone.core.history.metrics import Counters
from sanstone.core.history.metrics_file import Key
from sanstone.kernel.host import Host
from sanstone.kernel.network import fc
from sanstone.kernel.target import lun_traffic
from sanstone.kernel.target.addresses import WorldWideName
from sanstone.model.network import FCP, FcInterface
from sanstone.model.observations import FC_PORTS
from sanstone.model.san import FcpService, Lun
from sanstone.model.volumes import Volume
from sanstone.reconcile.served_endpoint import fabric
from sanstone.rules.network.endpoints import transports_at
from sanstone.rules.network.virtual_ports import virtual_names


class FibreChannelTraffic:
    """Reads the counters of ports and of interfaces."""

    def __init__(self, host: Host, database: Engine) -> None:
        self._host, self._database = host, database
        self._ports: dict[str, Counters] = {}
        """By name of the port: its last counters."""
        self._present: frozenset[str] = frozenset()
        self._luns: dict[tuple[str, str], Counters] = {}
        """By interface and LUN: what was counted when it was used last."""
        self._has_counted = False

    def of_ports(self) -> Iterator[tuple[Key, Counters]]:
        """Yield the counters of each port that has any; frames count as operations.

        What goes to hosts is what they read. Raises HostError.
        """
        traffic = fc.traffic(self._host)
        self._present = frozenset(traffic)
        self._ports = {wwpn: each for wwpn, each in self._ports.items() if wwpn in traffic}
        for wwpn, each in traffic.items():
            if each:
                self._ports[wwpn] = Counters(
                    reads=each.sent,
                    writes=each.received,
                    read_bytes=each.sent_bytes,
                    written_bytes=each.received_bytes,
                )
        for wwpn, counters in self._ports.items():
            yield (FC_PORTS, wwpn), counters

    def of_interfaces(self, used: Collection[str]) -> dict[Key, Counters]:
        """Return hosts' I/O at each interface, and by each FCP service, since the last call.

        `used` are the LUNs with which they did something. The first call looks at all LUNs: earlier
        counts belong to nobody, and a later export starts at zero. Raises HostError.
        """
        increments: dict[Key, Counters] = defaultdict(Counters)
        is_first = not self._has_counted
        with reading(self._database) as session:
            interfaces = self._groups(session) if used or is_first else {}
            luns = _numbers(session, None if is_first else used) if interfaces else []
        for uuid, number, svm in luns:
            for interface, group in interfaces.get(svm, ()):
                counted = lun_traffic.of_lun(self._host, group, number)
                if counted is None:
                    self._luns.pop((interface, uuid), None)
                    continue
                now = Counters(
                    others=counted.commands,
                    read_bytes=counted.read_bytes,
                    written_bytes=counted.written_bytes,
                )
                if not is_first:
                    growth = now.since(self._luns.get((interface, uuid), Counters()))
                    for key in ((FcInterface.kind, interface), (FcpService.kind, svm)):
                        increments[key] = increments[key] + growth
                self._luns[interface, uuid] = now
        self._has_counted = True
        return increments

    def _groups(self, session: Session) -> dict[str, list[tuple[str, str]]]:
        """Return by SVM the interfaces by FCP that have a port, with their portal groups."""
        by_svm: dict[str, list[tuple[str, str]]] = defaultdict(list)
        query = select(FcInterface).filter_by(data_protocol=FCP)
        for row in session.scalars(query.options(selectinload(FcInterface.endpoints))):
            names = virtual_names(session, row) or WorldWideName("", row.wwpn)
            for endpoint in row.endpoints if row.port in self._present else ():
                for protocol in transports_at(endpoint, row):
                    its_fabric = fabric(protocol)
                    target = its_fabric.target("", names)
                    path = its_fabric.group_path(target, its_fabric.tag(endpoint.id))
                    by_svm[row.svm_uuid].append((row.uuid, path))
        return by_svm


def keys(session: Session) -> set[Key]:
    """Return the keys of the interfaces that are counted."""
    query = select(FcInterface.uuid).filter_by(data_protocol=FCP)
    return {(FcInterface.kind, uuid) for uuid in session.scalars(query)}


def _numbers(session: Session, luns: Collection[str] | None) -> list[tuple[str, int, str]]:
    """Return UUID, number and SVM of LUNs, None for all."""
    query = select(Lun.uuid, Lun.number, Volume.svm_uuid)
    query = query.join(Volume, Volume.uuid == Lun.volume_uuid)
    if luns is not None:
        query = query.where(Lun.uuid.in_(luns))
    return list(session.execute(query).tuples())
