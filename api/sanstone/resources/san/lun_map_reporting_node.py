"""`protocols/san/lun-maps/{lun.uuid}/{igroup.uuid}/reporting-nodes`: the nodes that show a map.

There is one node, and it reports every map. Clients read the list to select LIFs; it cannot be
changed.
"""

from __future__ import annotations

from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Field, Reference, Resource
from sanstone.core.declaration.types import Text, Uuid
from sanstone.model.nodes import this_node
from sanstone.model.san import Igroup, Lun, LunMap

LAST_NODE = "5374608"


class ReportingNodeResource(Resource[LunMap]):
    """Reporting nodes of a LUN map: each map's row represents its one node."""

    path = "protocols/san/lun-maps/{lun.uuid}/{igroup.uuid}/reporting-nodes"
    doc = "The nodes through which a mapped LUN is seen."
    model = LunMap
    keys = ("lun.uuid", "igroup.uuid", "uuid")
    order = ("lun_uuid", "igroup_uuid")
    methods = frozenset({"GET", "DELETE"})
    fields = (
        Field("uuid", Uuid(), "Identity.", get=lambda _row, reader: this_node(reader.session).uuid),
        Field("name", Text(64), "Name.", get=lambda _row, reader: this_node(reader.session).name),
        Reference("lun", Lun, "The LUN."),
        Reference("igroup", Igroup, "The igroup."),
    )

    def delete(self, change: Change, row: LunMap, options: dict[str, Any]) -> None:
        """Refuse: it is the last one."""
        raise errors.conflict("The last reporting node cannot be removed.", code=LAST_NODE)
