"""What hosts know a node by, and the access states that it reports for its paths by ANA and ALUA.

All endpoints of a node are in one group: in the ANA group to which all namespaces belong, and in
the node's target port group. There is one node, which owns all aggregates, so that every path is
optimized.
"""

from __future__ import annotations

from sanstone.core.database.statements import every
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.nvmet import ALL_CONTROLLERS
from sanstone.model.nodes import Node
from sanstone.model.nvme import ANA_GROUP
from sanstone.reconcile.served_endpoint import ServedEndpoint
from sanstone.reconcile.turn import Turn


def of_namespaces(endpoint: ServedEndpoint) -> dict[int, AccessState]:
    """Return the access state by ANA group at an endpoint."""
    return {ANA_GROUP: _of_node(endpoint.node_uuid)}


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
