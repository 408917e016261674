"""`protocols/nvme/subsystem-maps`: which namespace a subsystem shows, and under which id.

A namespace is in at most one subsystem (ONTAP's rule). Its id is the lowest free one of the
subsystem; nvmet enables 1,024 namespaces of a subsystem and refuses more
(NVMET_MAX_NAMESPACES, drivers/nvme/target/nvmet.h), so there are as many ids.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Select, UniqueConstraint, select
from sqlalchemy.orm import Mapped, joinedload, mapped_column, relationship

from sanstone.core import errors
from sanstone.core.change import Change, Owned
from sanstone.core.resource import CREATE, Field, Reference, Resource
from sanstone.core.store import Base
from sanstone.core.types import Text
from sanstone.resources.cluster import node_memory
from sanstone.resources.cluster.svm import Svm, svm_reference
from sanstone.resources.nvme.subsystem import Subsystem
from sanstone.resources.storage.namespace import Namespace

MAPPED_ALREADY, NOT_MAPPED, OTHER_SVM = "72089790", "72090019", "72090020"
UNKNOWN_NAMESPACE, UNKNOWN_SUBSYSTEM = "72090006", "72090021"
MOST_NAMESPACES = 1024


class SubsystemMap(Owned, Base):
    """A namespace in a subsystem; one namespace is in at most one (ONTAP's rule and ours)."""

    __tablename__ = "subsystem_map"
    __table_args__ = (UniqueConstraint("subsystem_uuid", "nsid"),)
    kind = "protocols/nvme/subsystem-maps"

    namespace_uuid: Mapped[str] = mapped_column(ForeignKey("namespace.uuid"), primary_key=True)
    subsystem_uuid: Mapped[str] = mapped_column(ForeignKey("subsystem.uuid"), index=True)
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    nsid: Mapped[int]
    ana_group: Mapped[int] = mapped_column(default=1)
    namespace: Mapped[Namespace] = relationship(back_populates="map", lazy="joined", innerjoin=True)
    subsystem: Mapped[Subsystem] = relationship(back_populates="maps")
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return `<subsystem uuid>/<namespace uuid>`, the keys of a map in ONTAP's REST API."""
        return f"{self.subsystem_uuid}/{self.namespace_uuid}"

    def unmap(self, change: Change) -> None:
        """Delete the map, and the subsystem with its last one where it wants that."""
        subsystem = self.subsystem
        change.delete(self)
        change.session.expire(subsystem, ["maps"])
        if subsystem.delete_on_unmap and not subsystem.maps:
            subsystem.dissolve(change)

    @property
    def shown_nsid(self) -> str:
        """Return the namespace id as ONTAP shows it, eight hexadecimal digits and an h."""
        return f"{self.nsid:08x}h"

    @property
    def shown_ana_group(self) -> str:
        """Return the ANA group id, likewise."""
        return f"{self.ana_group:08x}h"


class SubsystemMapResource(Resource[SubsystemMap]):
    """Subsystem maps."""

    path = "protocols/nvme/subsystem-maps"
    doc = "Subsystem maps show a namespace to the hosts of a subsystem."
    model = SubsystemMap
    keys = ("subsystem.uuid", "namespace.uuid")
    order = ("subsystem_uuid", "nsid")
    methods = frozenset({"GET", "POST", "DELETE"})
    unknown_code = NOT_MAPPED
    fields = (
        svm_reference(required=False, always=True),
        Reference(
            "subsystem",
            Subsystem,
            "The subsystem.",
            access=CREATE,
            required=True,
            scope=("svm",),
            always=True,
            unknown_code=UNKNOWN_SUBSYSTEM,
            mismatch_code=OTHER_SVM,
        ),
        Reference(
            "namespace",
            Namespace,
            "The namespace.",
            access=CREATE,
            required=True,
            scope=("svm",),
            always=True,
            unknown_code=UNKNOWN_NAMESPACE,
        ),
        Field("nsid", Text(9, 9), "Namespace id.", attribute="shown_nsid", always=True),
        Field("anagrpid", Text(9, 9), "ANA group.", attribute="shown_ana_group", always=True),
    )

    def select(self) -> Select[Any]:
        """Return the maps with their subsystems; their namespaces always come along."""
        return select(SubsystemMap).options(joinedload(SubsystemMap.subsystem))

    def create(self, change: Change, values: dict[str, Any]) -> SubsystemMap:
        """Map a namespace to a subsystem of the same SVM."""
        subsystem, namespace, session = values["subsystem"], values["namespace"], change.session
        svm = values.get("svm")
        if namespace.svm_uuid != subsystem.svm_uuid or (svm and svm.uuid != namespace.svm_uuid):
            text = f'"{namespace.name}" and subsystem "{subsystem.name}" must be in the same SVM.'
            raise errors.invalid(text, "subsystem", OTHER_SVM)
        if namespace.map:
            text = f'"{namespace.name}" is mapped to subsystem "{namespace.map.subsystem.name}".'
            raise errors.conflict(text, "namespace", MAPPED_ALREADY)
        ids = select(SubsystemMap.nsid).where(SubsystemMap.subsystem_uuid == subsystem.uuid)
        taken = set(session.scalars(ids))
        nsid = next((n for n in range(1, MOST_NAMESPACES + 1) if n not in taken), None)
        if nsid is None:
            text = (
                f'Subsystem "{subsystem.name}" has {MOST_NAMESPACES} namespaces, the most there '
                "can be; map this one to another subsystem."
            )
            raise errors.conflict(text, "subsystem")
        node_memory.require(session)
        entry = SubsystemMap(
            namespace_uuid=namespace.uuid,
            subsystem_uuid=subsystem.uuid,
            svm_uuid=subsystem.svm_uuid,
            nsid=nsid,
        )
        change.add(entry)
        session.expire(namespace, ["map"])
        return entry

    def delete(self, change: Change, row: SubsystemMap, options: dict[str, Any]) -> None:
        """Unmap the namespace; hosts lose sight of it at once."""
        row.unmap(change)
