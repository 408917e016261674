"""Where a LIF goes when its port is dead, by its failover policy.

The policies are ONTAP's. On one node those that keep it on the node, or in the broadcast domain,
let it go to the same ports. By default LIFs of management go, and those that serve data stay: the
hosts' multipathing takes another LIF.

All ports are in one broadcast domain, though not all reach each other. So a LIF goes rather to a
port where another LIF is on its network, and else to one with the same VLAN tag. To the management
port a LIF of an SVM goes only in the first case.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from ipaddress import ip_address, ip_interface

from sanstone.model.network import HOME_PORT_ONLY, IpInterface
from sanstone.protocols import ROCE, offered
from sanstone.rules.network.ports import MANAGEMENT_PORT, Port

BY_DEFAULT, BROADCAST_DOMAIN_ONLY = "default", "broadcast_domain_only"
POLICIES = (
    HOME_PORT_ONLY,
    BY_DEFAULT,
    "home_node_only",
    "sfo_partners_only",
    BROADCAST_DOMAIN_ONLY,
)


def policy(requested: str, services: Collection[str]) -> str:
    """Return the failover policy of a LIF: the wanted one, or that of its services."""
    if requested != BY_DEFAULT:
        return requested
    serves_data = "data_core" in services or offered(services, ROCE)
    return HOME_PORT_ONLY if serves_data else BROADCAST_DOMAIN_ONLY


def destination(
    lif: IpInterface,
    lifs: Sequence[IpInterface],
    ports_by_name: Mapping[str, Port],
    dead: Collection[str],
    steady: Collection[str],
) -> str:
    """Return the port to which a LIF is to go now, '' for none.

    `dead` are the ports that have had no link for some time, `steady` those that have had one.
    """
    goes_home = lif.failed_over and lif.auto_revert and lif.home_port in steady
    if goes_home and not lif.is_home:
        return lif.home_port
    if lif.port not in dead or not lif.enabled:
        return ""
    others = [each for each in lifs if each.uuid != lif.uuid]
    candidates = _candidates(lif, others, ports_by_name, steady)
    return min(candidates, default=(True, True, 0, ""))[-1]


def _candidates(
    lif: IpInterface,
    others: Sequence[IpInterface],
    ports_by_name: Mapping[str, Port],
    steady: Collection[str],
) -> Iterator[tuple[bool, bool, int, str]]:
    """Yield the ports to which a LIF may go, each behind its weights, the best first in order."""
    stays = lif.failover == HOME_PORT_ONLY or bool(lif.rdma)
    network = ip_interface(f"{lif.address}/{lif.prefix_length}").network
    for name, port in ports_by_name.items():
        is_home = name == lif.home_port
        if name == lif.port or name not in steady or port.lag or (stays and not is_home):
            continue
        there = [each for each in others if each.port == name]
        is_near = any(ip_address(each.address) in network for each in there)
        is_alike = _tag(port) == _tag(ports_by_name.get(lif.port, Port(lif.port)))
        is_for_data = name != MANAGEMENT_PORT or lif.svm_uuid is None
        if is_home or is_near or (is_alike and is_for_data):
            yield not is_home, not is_near, len(there), name


def _tag(port: Port) -> int:
    return (port.desired.tag if port.desired else None) or 0
