"""The LUNs that the initiators of igroups see, and the LIFs at which they see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import or_, select

from sanstone.model.san import Igroup, IgroupInitiator, Lun, LunMap, PortsetInterface
from sanstone.reconcile.stages.scsi_memory import ScsiMemory
from sanstone.reconcile.turn import Turn
from sanstone.rules.san.igroup_nesting import Nestings


class Map(NamedTuple):
    """A LUN mapped to an igroup, as plain columns, because there may be thousands."""

    lun: str
    igroup: str
    svm: str
    seen_as: int
    number: int
    serial_number: str
    unmap: bool

    @property
    def owner(self) -> str:
        """Return the owner of the map."""
        return f"{LunMap.kind}:{self.lun}/{self.igroup}"

    @property
    def lun_owner(self) -> str:
        """Return the owner of the LUN."""
        return f"{Lun.kind}:{self.lun}"


_MAPS = (
    select(
        *(LunMap.lun_uuid, LunMap.igroup_uuid, LunMap.svm_uuid, LunMap.logical_unit_number),
        *(Lun.number, Lun.serial_number, Lun.unmap),
    )
    .join(Lun, Lun.uuid == LunMap.lun_uuid)
    .order_by(LunMap.lun_uuid, LunMap.igroup_uuid)
)


_MEMBERS = select(IgroupInitiator.name, IgroupInitiator.igroup_uuid).order_by(
    IgroupInitiator.igroup_uuid
)
_IGROUPS = select(Igroup.uuid, Igroup.portset_uuid, Igroup.svm_uuid)


class Views:
    """The LUNs that each initiator sees: the maps of all igroups that contain it, together.

    The maps of an igroup that is bound to a portset are visible at the portset's LIFs only. If that
    is true of all igroups of an initiator, the initiator cannot even log in elsewhere: otherwise
    LIO would answer for an absent LUN 0 with one that reads as zeroes.

    Views cover everything, or only some LUNs, igroups and initiators (`names`). In that case they
    contain every map of these LUNs with the initiators that see it, and every map that these
    initiators see.
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
        members = _MEMBERS
        maps = _MAPS
        initiators: set[str] = set()
        if luns is not None and not (igroups or names):
            maps = maps.where(LunMap.lun_uuid.in_(luns))
        elif luns is not None:
            below = IgroupInitiator.igroup_uuid.in_(self._nestings.below(igroups))
            in_scope = session.execute(members.where(or_(IgroupInitiator.name.in_(names), below)))
            initiators = {name for name, _ in in_scope} | set(names)
            # An initiator also sees the LUNs of its other igroups.
            direct = session.execute(members.where(IgroupInitiator.name.in_(initiators)))
            visible = self._nestings.above({igroup for _, igroup in direct} | set(igroups))
            maps = maps.where(or_(LunMap.lun_uuid.in_(luns), LunMap.igroup_uuid.in_(visible)))
        self.maps = [Map(*row) for row in session.execute(maps)]
        if luns is not None:
            mapped = self._nestings.below(entry.igroup for entry in self.maps)
            in_igroups = IgroupInitiator.igroup_uuid.in_(mapped | self._nestings.below(igroups))
            members = members.where(or_(IgroupInitiator.name.in_(initiators), in_igroups))
        self._igroups: dict[str, set[str]] = defaultdict(set)
        self._members: dict[str, list[str]] = defaultdict(list)
        self._below: dict[str, set[str]] = {}
        for name, igroup in session.execute(members):
            self._igroups[name].add(igroup)
            self._members[igroup].append(name)
        query = _IGROUPS
        if luns is not None:
            above = self._nestings.above([*self._members, *igroups])
            query = query.where(Igroup.uuid.in_(above))
        rows = session.execute(query).tuples().all()
        self._portsets = {uuid: portset for uuid, portset, _ in rows}
        self.svms = {uuid: svm for uuid, _, svm in rows}
        lifs = select(PortsetInterface.portset_uuid, PortsetInterface.interface_uuid)
        is_bound = any(self._portsets.values())
        self._lifs = set(session.execute(lifs).tuples()) if is_bound else set()

    @property
    def names(self) -> set[str]:
        """Return the names of the initiators that it covers."""
        return set(self._igroups)

    def initiators(self, igroup: str) -> set[str]:
        """Return the initiators that see the maps of an igroup."""
        if igroup not in self._below:
            below = self._nestings.below([igroup])
            self._below[igroup] = {name for nested in below for name in self._members[nested]}
        return self._below[igroup]

    def remember(self, memory: ScsiMemory, igroups: Collection[str] | None = None) -> None:
        """Remember which initiators see the maps of igroups, for the time after an igroup's
        deletion.

        This covers all igroups, or some. Of the igroups above those, only the initiators that they
        add are known here.
        """
        selected = self.svms.keys() if igroups is None else igroups & self.svms.keys()
        for igroup in self._nestings.above(selected) - selected:
            below = self._nestings.below([igroup]) & selected
            added = {name for nested in below for name in self.initiators(nested)}
            memory.initiators[igroup] = memory.initiators.get(igroup, frozenset()) | added
        for igroup in selected:
            memory.initiators[igroup] = frozenset(self.initiators(igroup))

    def igroups(self, name: str, svm: str, lif: str) -> list[str]:
        """Return the igroups of an SVM with maps that an initiator sees at a LIF."""
        above = self._nestings.above(self._igroups.get(name, ()))
        return sorted(
            igroup
            for igroup in above
            if self.svms.get(igroup) == svm and self.is_shown(igroup, lif)
        )

    def owner(self, name: str, svm: str) -> str:
        """Return the owner of an initiator's ACL, one of its igroups in the SVM; '' for none."""
        igroups = [igroup for igroup in self._igroups[name] if self.svms.get(igroup) == svm]
        return f"{Igroup.kind}:{min(igroups)}" if igroups else ""

    def is_shown(self, igroup: str, lif: str) -> bool:
        """Return whether an igroup's maps are visible at a LIF."""
        portset = self._portsets.get(igroup)
        return portset is None or (portset, lif) in self._lifs
