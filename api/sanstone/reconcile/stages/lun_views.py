"""Which LUNs the initiators of igroups see, and where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import or_, select

from sanstone.core import events
from sanstone.model.san import Igroup, IgroupInitiator, Lun, LunMap, PortsetInterface
from sanstone.reconcile.memory import ScsiMemory
from sanstone.reconcile.turn import Turn
from sanstone.resources.san.igroup import is_served
from sanstone.resources.san.igroup_nesting import Nestings


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


_MAPS = (
    select(
        *(LunMap.lun_uuid, LunMap.igroup_uuid, LunMap.svm_uuid, LunMap.logical_unit_number),
        *(Lun.number, Lun.serial_number, Lun.unmap),
    )
    .join(Lun, Lun.uuid == LunMap.lun_uuid)
    .order_by(LunMap.lun_uuid, LunMap.igroup_uuid)
)


class Views:
    """Which LUNs the initiators see: the maps of all igroups that they are in, together.

    An igroup that is bound to a portset is seen through the portset's LIFs only. An initiator of
    which that is true of all igroups may not even log in elsewhere: LIO would answer for a LUN 0
    that is not there with one that reads as zeroes.

    Of all, or of some LUNs, igroups and initiators alone. It then knows every map of those LUNs and
    who sees it, and every map that those initiators see.
    """

    def __init__(
        self,
        turn: Turn,
        luns: Collection[str] | None = None,
        igroups: Collection[str] = (),
        names: Collection[str] = (),
    ) -> None:
        session = turn.session
        self._nestings = Nestings(session)
        members = select(IgroupInitiator.name, IgroupInitiator.igroup_uuid)
        maps = _MAPS
        if luns is not None:
            below = IgroupInitiator.igroup_uuid.in_(self._nestings.below(igroups))
            touched = session.execute(members.where(or_(IgroupInitiator.name.in_(names), below)))
            # An initiator's other igroups show it LUNs, too.
            also = {name for name, _ in touched} | set(names)
            direct = session.execute(members.where(IgroupInitiator.name.in_(also)))
            seen = self._nestings.above({igroup for _, igroup in direct} | set(igroups))
            maps = maps.where(or_(LunMap.lun_uuid.in_(luns), LunMap.igroup_uuid.in_(seen)))
        self.maps = [Map(*row) for row in session.execute(maps)]
        if luns is not None:
            showing = self._nestings.below(entry.igroup for entry in self.maps)
            there = IgroupInitiator.igroup_uuid.in_(showing | self._nestings.below(igroups))
            members = members.where(or_(IgroupInitiator.name.in_(also), there))
        self._igroups: dict[str, set[str]] = defaultdict(set)
        self._members: dict[str, list[str]] = defaultdict(list)
        self._below: dict[str, set[str]] = {}
        for name, igroup in session.execute(members.order_by(IgroupInitiator.igroup_uuid)):
            if is_served(name):
                self._igroups[name].add(igroup)
                self._members[igroup].append(name)
            else:
                _tell_of_unserved(turn, igroup, name)
        bound = select(Igroup.uuid, Igroup.portset_uuid, Igroup.svm_uuid)
        if luns is not None:
            concerned = self._nestings.above([*self._members, *igroups])
            bound = bound.where(Igroup.uuid.in_(concerned))
        rows = session.execute(bound).tuples().all()
        self._portsets = {uuid: portset for uuid, portset, _ in rows}
        self.svms = {uuid: svm for uuid, _, svm in rows}
        lifs = select(PortsetInterface.portset_uuid, PortsetInterface.interface_uuid)
        self._lifs = set(session.execute(lifs).tuples())

    @property
    def names(self) -> set[str]:
        """Return the initiators that it knows."""
        return set(self._igroups)

    def initiators(self, igroup: str) -> set[str]:
        """Return the initiators that see the maps of an igroup."""
        if igroup not in self._below:
            below = self._nestings.below([igroup])
            self._below[igroup] = {name for each in below for name in self._members[each]}
        return self._below[igroup]

    def remember(self, memory: ScsiMemory, igroups: Collection[str] | None = None) -> None:
        """Remember who sees the maps of each igroup, or of some, for when it is gone.

        Of those that some are in, only what these add is known here.
        """
        chosen = self.svms.keys() if igroups is None else igroups & self.svms.keys()
        for igroup in self._nestings.above(chosen) - chosen:
            below = self._nestings.below([igroup]) & chosen
            added = {name for each in below for name in self.initiators(each)}
            memory.initiators[igroup] = memory.initiators.get(igroup, frozenset()) | added
        for igroup in chosen:
            memory.initiators[igroup] = frozenset(self.initiators(igroup))

    def igroups(self, name: str, svm: str, lif: str) -> list[str]:
        """Return the igroups of an SVM whose maps an initiator sees at a LIF."""
        every = self._nestings.above(self._igroups.get(name, ()))
        return sorted(
            each for each in every if self.svms.get(each) == svm and self.is_shown(each, lif)
        )

    def owner(self, name: str, svm: str) -> str:
        """Return the igroup that answers for an initiator's ACL."""
        mine = [each for each in self._igroups[name] if self.svms.get(each) == svm]
        return f"{Igroup.kind}:{min(mine)}" if mine else ""

    def is_shown(self, igroup: str, lif: str) -> bool:
        """Return whether an igroup's maps are seen at a LIF."""
        portset = self._portsets.get(igroup)
        return portset is None or (portset, lif) in self._lifs


def _tell_of_unserved(turn: Turn, igroup_uuid: str, name: str) -> None:
    """Tell of an initiator that sees nothing: the API takes no new one, and keeps those it had."""
    igroup = turn.session.get_one(Igroup, igroup_uuid)
    text = (
        f'Initiator "{name}" of igroup "{igroup.name}" of SVM "{igroup.svm.name}" sees '
        "no LUNs: it is a WWPN, and LUNs are served over iSCSI only."
    )
    condition = f"igroup.not_served:{igroup.uuid}/{name}"
    turn.tell(igroup.owner, condition, (events.ERROR, "igroup.not_served", text))
