"""LUNs as SCSI backstores, and the iSCSI targets through which initiators reach them (LIO).

Each LIF is a target portal group of its SVM's target, as in ONTAP: hosts tell paths apart, and
sessions show at which LIF they came in. A group holds every LUN that is mapped in the SVM, under
the LUN's own number; the numbers that a host sees are those of its maps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import select

from sanstone import __version__
from sanstone.core import events
from sanstone.core import names as identities
from sanstone.kernel import names
from sanstone.kernel.target import lio, sessions
from sanstone.model.san import (
    Igroup,
    IgroupInitiator,
    IscsiCredential,
    IscsiService,
    Lun,
    LunMap,
    PortsetInterface,
)
from sanstone.protocols import iscsi
from sanstone.reconcile.stages import network, portals
from sanstone.reconcile.stages.portals import Portal
from sanstone.reconcile.state import Pass
from sanstone.resources.san.igroup import is_iscsi_name, is_served
from sanstone.resources.san.igroup_nesting import Nestings
from sanstone.resources.san.iscsi_credential import DEFAULT

TREE = "lio"
SESSIONS = "protocols/san/iscsi/sessions"


class Map(NamedTuple):
    """A LUN mapped to an igroup, in plain columns: there may be thousands."""

    lun: str
    igroup: str
    svm: str
    seen_as: int
    number: int
    serial_number: str
    unmap: bool

    @property
    def owner(self) -> str:
        """Return the map's owner."""
        return f"{LunMap.kind}:{self.lun}/{self.igroup}"

    @property
    def lun_owner(self) -> str:
        """Return the LUN's owner."""
        return f"{Lun.kind}:{self.lun}"


Maps = dict[str, list[Map]]


def reconcile(this: Pass) -> None:
    """Have LIO serve exactly the wanted LUNs."""
    maps, incomplete = _maps(this)
    services = _services(this)
    held = _held(this, services, incomplete)
    backstores = tuple({m.lun: _backstore(m) for rows in maps.values() for m in rows}.values())
    targets = tuple(_target(this, each, maps, each.svm_uuid in held) for each in services)
    this.serve(TREE, (backstores, targets), lio.read, lambda: lio.render(backstores, targets))
    if not this.quick:
        _observe(this)


def _maps(this: Pass) -> tuple[Maps, set[str]]:
    """Return by SVM the maps whose LUN can be exported now, and the SVMs that lack a LUN 0."""
    query = (
        select(
            *(LunMap.lun_uuid, LunMap.igroup_uuid, LunMap.svm_uuid, LunMap.logical_unit_number),
            *(Lun.number, Lun.serial_number, Lun.unmap),
        )
        .join(Lun, Lun.uuid == LunMap.lun_uuid)
        .order_by(LunMap.lun_uuid, LunMap.igroup_uuid)
    )
    found: Maps = defaultdict(list)
    incomplete: set[str] = set()
    for row in this.session.execute(query):
        entry = Map(*row)
        if entry.lun in this.ready:
            found[entry.svm].append(entry)
        elif this.block(entry.owner, entry.lun_owner) and entry.seen_as == 0:
            incomplete.add(entry.svm)
    return found, incomplete


def _held(this: Pass, services: Sequence[IscsiService], incomplete: set[str]) -> set[str]:
    """Return the SVMs that are not served yet because a host's LUN 0 is late.

    Where a host has no LUN 0, LIO shows one of its own that reads as zeroes (virtual LUN 0,
    transport_lookup_cmd_lun() in drivers/target/target_core_device.c). A host that reconnects
    would take that for its data. At any other number it is told that there is no LUN, and waits.
    An SVM that is served already stays so.
    """
    live = this.tree(TREE, lio.read).nodes
    return {
        service.svm_uuid
        for service in services
        if service.svm_uuid in incomplete
        and not any(
            lio.path_of_group(service.target_name, portal.lif.number) in live
            for portal in portals.of_family(this, "scsi")
        )
    }


def _services(this: Pass) -> Sequence[IscsiService]:
    return this.session.scalars(select(IscsiService).order_by(IscsiService.svm_uuid)).all()


def _backstore(row: Map) -> lio.Backstore:
    return lio.Backstore(
        name=row.lun,
        device=names.device_node(row.lun),
        serial=row.serial_number,
        vendor=identities.SCSI_VENDOR,
        product=identities.SCSI_PRODUCT,
        revision=__version__[:4],
        attributes={"emulate_tpu": str(int(row.unmap)), "emulate_tpws": str(int(row.unmap))},
        owner=row.lun_owner,
    )


def _target(this: Pass, service: IscsiService, maps: Maps, held: bool) -> lio.ScsiTarget:
    rows = maps[service.svm_uuid]
    view = View(this, service, rows)
    places = (p for p in portals.of_family(this, "scsi") if p.lif.svm_uuid == service.svm_uuid)
    open_now = service.enabled and not held
    served = [p for p in places if open_now and network.serving(this, p.lif)]
    groups = tuple(_group(portal, rows, tuple(view.acls(portal.lif.uuid))) for portal in served)
    return lio.ScsiTarget(service.target_name, "iscsi", groups, service.owner)


def _group(portal: Portal, rows: Sequence[Map], acls: tuple[lio.Acl, ...]) -> lio.PortalGroup:
    return lio.PortalGroup(
        tag=portal.lif.number,
        portals=((portal.lif.address, portal.protocol.port),),
        luns={row.number: row.lun for row in rows},
        acls=acls,
        relative_port=portal.lif.number,
        owner=portal.lif.owner,
    )


class View:
    """What the initiators of an SVM see: the maps of all their igroups together.

    An igroup that is bound to a portset is seen through the portset's LIFs only. An initiator of
    which that is true of all igroups may not even log in elsewhere: LIO would answer for a LUN 0
    that is not there with one that reads as zeroes.
    """

    def __init__(self, this: Pass, service: IscsiService, rows: Sequence[Map]) -> None:
        session, of_svm = this.session, {"svm_uuid": service.svm_uuid}
        credentials = session.scalars(select(IscsiCredential).filter_by(**of_svm))
        self._credentials = {row.initiator: row for row in credentials}
        self._maps: dict[str, dict[int, int]] = defaultdict(dict)
        for row in rows:
            self._maps[row.igroup][row.seen_as] = row.number
        query = select(IgroupInitiator).join(Igroup).filter_by(**of_svm)
        self._igroups: dict[str, set[str]] = defaultdict(set)
        self._owners: dict[str, str] = {}
        for initiator in session.scalars(query.order_by(IgroupInitiator.igroup_uuid)):
            if is_iscsi_name(initiator.name):
                self._igroups[initiator.name].add(initiator.igroup_uuid)
                self._owners.setdefault(initiator.name, initiator.owner)
            elif not is_served(initiator.name):
                _tell_of_unserved(this, initiator)
        nestings = Nestings(session)
        for name, igroups in self._igroups.items():
            self._igroups[name] = nestings.above(igroups)
        bound = select(Igroup.uuid, Igroup.portset_uuid).filter_by(**of_svm)
        self._portsets = dict(session.execute(bound).tuples().all())
        members = select(PortsetInterface.portset_uuid, PortsetInterface.interface_uuid)
        self._members = set(session.execute(members).tuples())

    def acls(self, lif: str) -> Iterator[lio.Acl]:
        """Return who may log in at a LIF, and what each sees there."""
        for name, igroups in sorted(self._igroups.items()):
            served = sorted(igroup for igroup in igroups if self._is_served(igroup, lif))
            credential = self._credentials.get(name) or self._credentials.get(DEFAULT)
            denied = credential is not None and credential.authentication_type == "deny"
            if served and not denied:
                seen = {n: own for igroup in served for n, own in self._maps[igroup].items()}
                yield lio.Acl(name, _authentication(credential), seen, self._owners[name])

    def _is_served(self, igroup: str, lif: str) -> bool:
        portset = self._portsets[igroup]
        return portset is None or (portset, lif) in self._members


def _tell_of_unserved(this: Pass, initiator: IgroupInitiator) -> None:
    """Tell of an initiator that sees nothing: the API takes no new one, and keeps those it had."""
    igroup = initiator.igroup
    text = (
        f'Initiator "{initiator.name}" of igroup "{igroup.name}" of SVM "{igroup.svm.name}" sees '
        "no LUNs: it is a WWPN, and LUNs are served over iSCSI only."
    )
    condition = f"igroup.not_served:{igroup.uuid}/{initiator.name}"
    this.conditions[condition] = (events.ERROR, "igroup.not_served", text)


def _authentication(credential: IscsiCredential | None) -> lio.Authentication:
    if credential is None or credential.authentication_type != "chap":
        return lio.Authentication()
    return lio.Authentication(
        userid=credential.inbound_user,
        password=credential.inbound_password or "",
        userid_mutual=credential.outbound_user,
        password_mutual=credential.outbound_password or "",
    )


def _observe(this: Pass) -> None:
    by_target = {service.target_name: service.svm_uuid for service in _services(this)}
    this.seen[SESSIONS] = {
        f"{by_target[live.target]}/{live.tag}/{live.tsih}": {
            "svm": by_target[live.target],
            "tag": live.tag,
            "tsih": live.tsih,
            "initiator": live.initiator,
            "isid": live.isid,
            "alias": live.alias,
            "connections": [
                {
                    "cid": c.id,
                    "port": iscsi.PROTOCOL.port,
                    "initiator_address": c.address,
                    "state": c.state,
                }
                for c in live.connections
            ],
        }
        for live in sessions.iscsi_sessions(this.host)
        if live.target in by_target
    }
