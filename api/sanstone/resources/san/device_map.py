"""A map, by which the hosts of a group see a device: the common part of LUN and subsystem maps.

Both objects are of one SVM. Hosts see the device under a number, the lowest that is free unless the
request gives one.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import filterfalse
from typing import Any, ClassVar, TypeVar

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.database.store import Base
from sanstone.core.declaration.resource import CREATE, Reference, Resource
from sanstone.model.host_groups import DeviceMap
from sanstone.rules.cluster import node_memory

Map = TypeVar("Map", bound=DeviceMap)


def mapped_object(name: str, to: type[Base], doc: str, **codes: Any) -> Reference:
    """Return the field of the device or of the group, with ONTAP's error codes."""
    return Reference(
        name, to, doc, access=CREATE, required=True, scope=("svm",), always=True, **codes
    )


class DeviceMapResource(Resource[Map]):
    """Base of the maps' resources.

    `called` is how messages call a device, by its name. `numbers` are those that a map may have.
    `other_svm` and `mapped_already` are ONTAP's error codes.
    """

    called: ClassVar[str]
    numbers: ClassVar[range]
    other_svm: ClassVar[str]
    mapped_already: ClassVar[str]
    methods = frozenset({"GET", "POST", "DELETE"})

    def select(self) -> Select[Any]:
        """Load the maps with their groups; their devices are always loaded."""
        model: Any = self.model
        return select(model).options(joinedload(getattr(model, model.group_name)))

    def create(self, change: Change, values: dict[str, Any]) -> Map:
        """Map a device to a group of the same SVM."""
        model: Any = self.model
        session, svm = change.session, values.get("svm")
        device, group = values[model.device_name], values[model.group_name]
        if group.svm_uuid != device.svm_uuid or (svm and svm.uuid != device.svm_uuid):
            text = f'{self.called.format(device.name)} and {model.group_name} "{group.name}" '
            text += "must be in the same SVM."
            raise errors.invalid(text, model.group_name, self.other_svm)
        taken = self.check(session, device, group)
        node_memory.require(session)
        of_group = select(model.number).where(model.group_uuid == group.uuid)
        taken |= set(session.scalars(of_group))
        number = values.get(model.number_name)
        if number is None:
            number = next(filterfalse(taken.__contains__, self.numbers), None)
        if number is None or number in taken:
            raise self.unavailable(group, number)
        row: Map = model(
            device_uuid=device.uuid,
            group_uuid=group.uuid,
            svm_uuid=device.svm_uuid,
            number=number,
            **self.own(session, device),
        )
        change.add(row)
        return row

    def delete(self, change: Change, row: Map, options: dict[str, Any]) -> None:
        """Unmap the device; hosts lose it at once."""
        row.unmap(change)

    @abstractmethod
    def check(self, session: Session, device: Any, group: Any) -> set[int]:
        """Raise ApiError when the hosts of the group cannot be shown the device.

        Return the numbers under which they see others through other groups.
        """

    @abstractmethod
    def unavailable(self, group: Any, number: int | None) -> errors.ApiError:
        """Return the error for a number that is taken, or for None, where no number is left."""

    def own(self, session: Session, device: Any) -> dict[str, Any]:
        """Return the columns that only this kind of map has."""
        return {}

    def mapped(self, device: Any, group: Any) -> errors.ApiError:
        """Return the error for a device that is mapped to a group, and so cannot be again."""
        model: Any = self.model
        text = f"{self.called.format(device.name)} is already mapped to {model.group_name} "
        text += f'"{group.name}".'
        return errors.conflict(text, model.device_name, self.mapped_already)
