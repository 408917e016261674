"""Groups of hosts, and the maps by which these see LUNs and namespaces.

What igroups and subsystems have in common, and LUN maps and subsystem maps: the tables themselves
are in `san` and `nvme`.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from sqlalchemy import ColumnElement, ForeignKey, select
from sqlalchemy.orm import (
    Mapped,
    aliased,
    class_mapper,
    declared_attr,
    mapped_column,
    relationship,
    synonym,
)

from sanstone.core.database.change import Change, Owned
from sanstone.core.database.store import Identified
from sanstone.model.svm import Svm


class HostGroup(Owned, Identified):
    """Mixin of Igroup and Subsystem. `maps` are the rows that map LUNs or namespaces to it.

    With `delete_on_unmap` it is deleted with its last map.
    """

    hosts_in: ClassVar[str]
    """The relationship with its initiators or hosts."""
    name: Mapped[str]
    os_type: Mapped[str]
    comment: Mapped[str] = mapped_column(default="")
    delete_on_unmap: Mapped[bool] = mapped_column(default=False)

    @declared_attr
    def svm_uuid(cls) -> Mapped[str]:
        """The SVM that serves it; names are unique within it."""
        return mapped_column(ForeignKey("svm.uuid"))

    @declared_attr
    def svm(cls) -> Mapped[Svm]:
        """The SVM."""
        return relationship()

    def dissolve(self, change: Change) -> None:
        """Delete the group with its maps and its hosts."""
        held = ("maps", self.hosts_in)
        change.session.expire(self, held)
        for part in [part for name in held for part in getattr(self, name)]:
            change.delete(part)
        change.session.expire(self, held)
        change.delete(self)


class DeviceMap(Owned):
    """Mixin of LunMap and SubsystemMap: the hosts of a group see a device under a number.

    Each kind calls them by its protocol's names. Here they are `device`, `group` and `number`, for
    what holds for both kinds.
    """

    device_name: ClassVar[str]
    """What the kind calls the device: lun or namespace."""
    group_name: ClassVar[str]
    """What it calls the group: igroup or subsystem."""
    number_name: ClassVar[str]
    """The column of the number: the LUN's of SCSI, the NSID of NVMe."""
    keyed_by: ClassVar[tuple[str, str]]
    """The order of the two UUIDs in its key, which is that of ONTAP's REST API."""

    @declared_attr
    def svm_uuid(cls) -> Mapped[str]:
        """The SVM of both; here too, so that a list of an SVM's maps needs neither."""
        return mapped_column(ForeignKey("svm.uuid"))

    @declared_attr
    def svm(cls) -> Mapped[Svm]:
        """The SVM."""
        return relationship()

    @declared_attr
    def device(cls) -> Mapped[Any]:
        """The LUN or namespace."""
        return synonym(cls.device_name)

    @declared_attr
    def device_uuid(cls) -> Mapped[str]:
        """The UUID of the LUN or namespace."""
        return synonym(f"{cls.device_name}_uuid")

    @declared_attr
    def group(cls) -> Mapped[Any]:
        """The igroup or subsystem."""
        return synonym(cls.group_name)

    @declared_attr
    def group_uuid(cls) -> Mapped[str]:
        """The UUID of the igroup or subsystem."""
        return synonym(f"{cls.group_name}_uuid")

    @declared_attr
    def number(cls) -> Mapped[int]:
        """The number under which hosts see the device."""
        return synonym(cls.number_name)

    @classmethod
    def owning_node(cls, row: Any) -> ColumnElement[str]:
        """Return the owner of the device."""
        table: Any = class_mapper(cls).relationships[cls.device_name].entity.class_
        device = aliased(table)
        owner = select(table.owning_node(device)).where(device.uuid == row.device_uuid)
        return owner.scalar_subquery()

    @classmethod
    def observed_key(cls, row: Any) -> ColumnElement[str]:
        """Return its key."""
        first, second = (getattr(row, name) for name in cls.keyed_by)
        return cast(ColumnElement[str], first + "/" + second)

    @property
    def key(self) -> str:
        """Return its two UUIDs, with a slash between them."""
        first, second = self.keyed_by
        return f"{getattr(self, first)}/{getattr(self, second)}"

    @classmethod
    def device_of(cls, key: str) -> str:
        """Return the UUID of the device in a map's key."""
        return key.split("/")[cls.keyed_by.index("device_uuid")]

    @classmethod
    def group_of(cls, key: str) -> str:
        """Return the UUID of the group in a map's key."""
        return key.split("/")[cls.keyed_by.index("group_uuid")]

    def unmap(self, change: Change) -> None:
        """Delete the map, and the group with its last one under `delete_on_unmap`."""
        group = self.group
        change.delete(self)
        change.session.expire(group, ["maps"])
        if group.delete_on_unmap and not group.maps:
            group.dissolve(change)
