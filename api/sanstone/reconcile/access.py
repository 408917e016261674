"""The access states that a node reports for its paths by ANA and ALUA.

All endpoints of a node are in one group: in the ANA group to which all namespaces belong, and in
LIO's only target port group. There is one node, which owns all aggregates, so that every path is
optimized.
"""

from __future__ import annotations

from sanstone.kernel.target.access import AccessState
from sanstone.model.nvme import ANA_GROUP
from sanstone.reconcile.served_endpoint import ServedEndpoint
from sanstone.reconcile.turn import Turn


def of_namespaces(endpoint: ServedEndpoint) -> dict[int, AccessState]:
    """Return the access state by ANA group at an endpoint."""
    return {ANA_GROUP: _of_node(endpoint.node_uuid)}


def of_luns(turn: Turn) -> AccessState:
    """Return the access state of LUNs at all endpoints of the turn's node."""
    return _of_node(turn.node_uuid)


def _of_node(_node_uuid: str) -> AccessState:
    return AccessState.OPTIMIZED
