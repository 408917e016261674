"""The groups by which hosts know a node, and its access states for paths by ANA and ALUA.

The namespaces of the aggregates that have one home are an ANA group, with the number of that node
as its id. Who owns them has optimized paths to the group, the other node has none that work. LUNs
are in the target port group of the node that exports them, which owns them, so that every path to
one is optimized.
"""

from __future__ import annotations

from sanstone.core.database.statements import columns, every
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.nvmet import ALL_CONTROLLERS
from sanstone.model.aggregates import Aggregate
from sanstone.model.nodes import Node
from sanstone.reconcile.turn import Turn


def of_namespaces(turn: Turn) -> dict[int, AccessState]:
    """Return the access state by ANA group at all endpoints of the turn's node."""
    return turn.once(_of_groups)


def _of_groups(turn: Turn) -> dict[int, AccessState]:
    homes = {turn.node_uuid, *turn.own(Aggregate, columns(Aggregate.home_node_uuid)).scalars()}
    return {
        node.number: _of_node(turn.node_uuid) if node.uuid in homes else AccessState.INACCESSIBLE
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


def of_luns(turn: Turn) -> AccessState:
    """Return the access state of LUNs at all endpoints of the turn's node."""
    return _of_node(turn.node_uuid)


def _of_node(_node_uuid: str) -> AccessState:
    return AccessState.OPTIMIZED
