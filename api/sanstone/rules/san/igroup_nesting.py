"""Nested igroups, and the maps that their initiators see.

A LUN that is mapped to an igroup is seen by its initiators and by those of all igroups in it, at
any depth. An initiator sees the maps of all igroups that it is in, directly or not, through one
target: among them, each number must belong to one LUN only, and each LUN to one number. The kernel
would use the last link written and hide the other LUN, so `check_view` refuses it in advance.

Nestings are few, so all of them are loaded; maps and initiators may be thousands and are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.statements import columns
from sanstone.model.san import Igroup, IgroupInitiator, IgroupNesting, LunMap


class Nestings:
    """The nestings of the array, as of its construction."""

    def __init__(self, session: Session) -> None:
        self._above: dict[str, set[str]] = {}
        self._below: dict[str, set[str]] = {}
        edges = columns(IgroupNesting.igroup_uuid, IgroupNesting.child_uuid)
        for above, below in session.execute(edges):
            self._above.setdefault(below, set()).add(above)
            self._below.setdefault(above, set()).add(below)

    def above(self, igroups: Iterable[str]) -> set[str]:
        """Return igroups and all that they are in: their initiators see the maps of these."""
        return _reached(igroups, self._above)

    def below(self, igroups: Iterable[str]) -> set[str]:
        """Return igroups and all that are in them: the initiators of these see their maps."""
        return _reached(igroups, self._below)


def _reached(start: Iterable[str], edges: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = set(start)
    while waiting:
        reached |= waiting
        waiting = {end for each in waiting for end in edges.get(each, ())} - reached
    return reached


def initiators(session: Session, igroups: Iterable[str]) -> set[str]:
    """Return the names of the direct initiators of igroups."""
    members = IgroupInitiator.igroup_uuid.in_(igroups)
    return set(session.scalars(select(IgroupInitiator.name).where(members)))


def holding(session: Session, svm_uuid: str, names: Iterable[str]) -> dict[str, set[str]]:
    """Return the igroups of an SVM that each initiator is directly in."""
    query = (
        select(IgroupInitiator.name, IgroupInitiator.igroup_uuid)
        .join(Igroup, Igroup.uuid == IgroupInitiator.igroup_uuid)
        .where(Igroup.svm_uuid == svm_uuid, IgroupInitiator.name.in_(names))
    )
    by_initiator: dict[str, set[str]] = {}
    for name, igroup in session.execute(query):
        by_initiator.setdefault(name, set()).add(igroup)
    return by_initiator


def direct_igroups(session: Session) -> dict[tuple[str, str], list[Igroup]]:
    """Return the igroups that each initiator is directly in, by SVM and initiator name."""
    members = select(IgroupInitiator.name, Igroup).join(IgroupInitiator.igroup)
    igroups: dict[tuple[str, str], list[Igroup]] = {}
    for name, igroup in session.execute(members.order_by(Igroup.name)):
        igroups.setdefault((igroup.svm_uuid, name), []).append(igroup)
    return igroups


def maps(session: Session, igroups: Iterable[str]) -> list[tuple[int, str]]:
    """Return the number and the LUN of every map to the igroups."""
    columns = (LunMap.logical_unit_number, LunMap.lun_uuid)
    rows = session.execute(select(*columns).where(LunMap.igroup_uuid.in_(igroups)))
    return [(number, lun) for number, lun in rows]


def check_gain(session: Session, svm_uuid: str, names: set[str], gained: str) -> None:
    """Raise ApiError when maps conflict for initiators that gain the igroups `gained`."""
    nestings = Nestings(session)
    new = nestings.above([gained])
    by_initiator = holding(session, svm_uuid, names)
    checked: set[frozenset[str]] = set()
    for name in sorted(names):
        view = frozenset(nestings.above(by_initiator.get(name, ())) | new)
        if view not in checked:
            checked.add(view)
            _check_view(name, maps(session, view))


def _check_view(name: str, seen: list[tuple[int, str]]) -> None:
    for part in zip(*seen, strict=True):
        twice = {value for value, times in Counter(part).items() if times > 1}
        if twice:
            number = next(number for number, lun in seen if {number, lun} & twice)
            text = (
                f'Initiator "{name}" would see LUN number {number}, or the LUN that it stands for, '
                "through two igroups."
            )
            raise errors.conflict(text, "name")
