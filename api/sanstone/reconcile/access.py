"""The groups by which hosts know a node, and its access states for paths by ANA and ALUA.

The namespaces of the aggregates that have one home are an ANA group, with the number of that node
as its id. LUNs are each in the target port group of the node that exports them. Paths are optimized
at the node that owns the aggregate, and inaccessible at the one that stands by (`role`). After a
takeover they stay so until the data is there: of a LUN by itself, of a namespace with its group.
"""

from __future__ import annotations

from sanstone.core.database.statements import columns, every
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.nvmet import ALL_CONTROLLERS
from sanstone.model.aggregates import Aggregate
from sanstone.model.nodes import Node
from sanstone.reconcile.role import StandbyMemory
from sanstone.reconcile.turn import Turn


def of_namespaces(turn: Turn) -> dict[int, AccessState]:
    """Return the access state by ANA group at all endpoints of the turn's node."""
    return turn.once(_of_groups)


def _of_groups(turn: Turn) -> dict[int, AccessState]:
    homes = {turn.node_uuid, *turn.own(Aggregate, columns(Aggregate.home_node_uuid)).scalars()}
    homes -= set(turn.memory.of(StandbyMemory).namespaces.values())
    return {
        node.number: AccessState.OPTIMIZED if node.uuid in homes else AccessState.INACCESSIBLE
        for node in turn.rows(every(Node, Node.number))
    }


def controllers(turn: Turn) -> range:
    """Return the ids of the turn's node for controllers of subsystems, which are no other node's.

    Of a pair each has half of them.
    """
    nodes = turn.rows(every(Node, Node.number))
    share, place = len(ALL_CONTROLLERS) // len(nodes), nodes.index(_node(turn))
    return ALL_CONTROLLERS[place * share : (place + 1) * share]


def port_group(turn: Turn) -> int:
    """Return the id of the target port group of the turn's node, of the first one LIO's own: 0."""
    return _node(turn).number - 1


def _node(turn: Turn) -> Node:
    """Return the turn's node."""
    return turn.session.get_one(Node, turn.node_uuid)


def of_lun(turn: Turn, uuid: str) -> AccessState:
    """Return the access state of a LUN at all endpoints of the turn's node."""
    is_standby = uuid in turn.memory.of(StandbyMemory).luns
    return AccessState.INACCESSIBLE if is_standby else AccessState.OPTIMIZED
