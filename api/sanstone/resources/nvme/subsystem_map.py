"""`protocols/nvme/subsystem-maps`: the namespaces of subsystems, and their ids.

A namespace is in at most one subsystem (ONTAP's rule). Its `os_type` may differ from the
subsystem's, but its blocks must be such as the subsystem's hosts can use. Its id is the lowest free
one of the subsystem; nvmet enables 1,024 namespaces of a subsystem and refuses more
(NVMET_MAX_NAMESPACES, drivers/nvme/target/nvmet.h), so there are as many ids.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, Field, Reference, Resource
from sanstone.core.declaration.types import Text
from sanstone.model.nodes import Node
from sanstone.model.nvme import ONLY_BLOCK, Namespace, Subsystem, SubsystemMap
from sanstone.resources.cluster.svm import svm_reference
from sanstone.rules.cluster import node_memory

MAPPED_ALREADY, NOT_MAPPED, OTHER_SVM = "72089790", "72090019", "72090020"
UNKNOWN_NAMESPACE, UNKNOWN_SUBSYSTEM = "72090006", "72090021"
MOST_NAMESPACES = 1024


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
        """Load the maps with their subsystems; their namespaces are always loaded."""
        return select(SubsystemMap).options(joinedload(SubsystemMap.subsystem))

    def create(self, change: Change, values: dict[str, Any]) -> SubsystemMap:
        """Map a namespace to a subsystem of the same SVM."""
        subsystem, namespace, session = values["subsystem"], values["namespace"], change.session
        svm = values.get("svm")
        if namespace.svm_uuid != subsystem.svm_uuid or (svm and svm.uuid != namespace.svm_uuid):
            text = f'"{namespace.name}" and subsystem "{subsystem.name}" must be in the same SVM.'
            raise errors.invalid(text, "subsystem", OTHER_SVM)
        if namespace.map:
            other = namespace.map.subsystem.name
            text = f'"{namespace.name}" is already mapped to subsystem "{other}".'
            raise errors.conflict(text, "namespace", MAPPED_ALREADY)
        only = ONLY_BLOCK.get(subsystem.os_type, namespace.block_size)
        if namespace.block_size != only:
            text = (
                f'Hosts of subsystem "{subsystem.name}" ({subsystem.os_type}) use blocks of {only} '
                f'bytes alone; "{namespace.name}" has blocks of {namespace.block_size}.'
            )
            raise errors.conflict(text, "namespace")
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
            ana_group=session.get_one(Node, namespace.volume.aggregate.home_node_uuid).number,
        )
        change.add(entry)
        session.expire(namespace, ["map"])
        return entry

    def delete(self, change: Change, row: SubsystemMap, options: dict[str, Any]) -> None:
        """Unmap the namespace; hosts lose it at once."""
        row.unmap(change)
