"""The access state in which a node serves: what its paths tell hosts by ANA and ALUA.

A node's endpoints are all in one group: in ANA's, to which all namespaces belong, and in LIO's only
target port group. There is one node, which owns all aggregates, so that each path is optimized.
"""

from __future__ import annotations

from sanstone.kernel.target.access import AccessState
from sanstone.model.nvme import ANA_GROUP
from sanstone.reconcile.served_endpoint import ServedEndpoint
from sanstone.reconcile.turn import Turn


def of_namespaces(endpoint: ServedEndpoint) -> dict[int, AccessState]:
    """Return the state of each ANA group at an endpoint."""
    return {ANA_GROUP: _of_node(endpoint.node_uuid)}


def of_luns(turn: Turn) -> AccessState:
    """Return the state in which the node of a turn serves LUNs at all of its endpoints."""
    return _of_node(turn.node_uuid)


def _of_node(_node_uuid: str) -> AccessState:
    return AccessState.OPTIMIZED
