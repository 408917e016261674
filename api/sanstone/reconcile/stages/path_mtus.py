"""How large packets pass between LIFs and the hosts that are logged in there.

Where a port has a larger MTU than all networks have, a switch on the way may have a smaller one. It
drops large packets and tells nobody, so that a host logs in and hangs with its first large I/O. A
thread asks with echoes (`tasks.path_prober`); this stage says between whom, after `paths`, and
takes in what came of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from typing import Any, NamedTuple

from sanstone.core.events import ALERT, Condition
from sanstone.model.network import IpInterface
from sanstone.model.observations import PATHS
from sanstone.reconcile.results import NetworkUp, PathMtusSeen, PathsSeen
from sanstone.reconcile.stages import network
from sanstone.reconcile.tasks.path_prober import PathMtus, Way
from sanstone.reconcile.turn import Turn
from sanstone.rules.san.configured_paths import configured_paths
from sanstone.rules.san.paths import MTU, MTU_OF_PORT, PASSES

EVENT = "path.mtu"
EVERYWHERE = 1500
"""Bytes of the MTU that every Ethernet has."""
NAMED = 5
"""How many hosts an event names."""


class _Path(NamedTuple):
    """A path that is looked at: its key, LIF, host, and the ways to the host's addresses."""

    key: str
    lif: IpInterface
    host: str
    ways: tuple[Way, ...]


def observe(turn: Turn, _network: NetworkUp, _paths: PathsSeen) -> PathMtusSeen:
    """Say which ways are to be looked at, and take in how large packets pass there."""
    if not turn.looks:
        return PathMtusSeen(turn.outcomes)
    turn.judge()
    paths, known = turn.seen.every(PATHS), turn.memory.of(PathMtus)
    looked_at = list(_looked_at(turn, paths))
    known.ways = frozenset(way for path in looked_at for way in path.ways)
    narrow: dict[str, dict[str, int]] = defaultdict(dict)
    for path in looked_at:
        facts = paths[path.key]
        if all(way in known.passing for way in path.ways):
            passing = [size for way in path.ways if (size := known.passing[way]) is not None]
            least = min(passing) if passing else None
            facts = facts | {MTU: {MTU_OF_PORT: path.ways[0].mtu, PASSES: least}}
            paths[path.key] = facts
        seen = facts.get(MTU, {})
        passes = seen.get(PASSES)
        if passes is not None and passes < seen[MTU_OF_PORT]:
            narrow[path.lif.uuid][path.host] = passes
    for key in paths.keys() - {path.key for path in looked_at}:
        if MTU in paths[key]:
            paths[key] = {name: fact for name, fact in paths[key].items() if name != MTU}
    lifs = {path.lif.uuid: (path.lif, path.ways[0].mtu) for path in looked_at}
    for uuid, hosts in narrow.items():
        turn.conditions[f"{EVENT}:{uuid}"] = _condition(*lifs[uuid], hosts)
    return PathMtusSeen(turn.outcomes)


def _looked_at(turn: Turn, paths: Mapping[str, Mapping[str, Any]]) -> Iterator[_Path]:
    """Yield connected hosts' paths to a port with an MTU that not all networks have."""
    links = {link.name: link.mtu for link in network.state(turn).links}
    large = {
        lif.uuid: lif
        for lif in network.interfaces(turn)
        if links.get(lif.port, 0) > EVERYWHERE and network.address_is_live(turn, lif)
    }
    if not large:
        return
    for each in configured_paths(turn.session):
        lif, facts = large.get(each.interface.uuid), paths.get(each.key, {})
        if lif and facts.get("connected"):
            mtu = links[lif.port]
            addresses = filter(None, map(_plain, facts.get("addresses", ())))
            ways = tuple(Way(lif.address, address, mtu) for address in addresses)
            if ways:
                host = each.comment or facts.get("alias") or each.initiator
                yield _Path(each.key, lif, f"{host} ({ways[0].destination})", ways)


def _plain(address: str) -> str:
    """Return a host's address as the kernel tells it without brackets and zone, '' for none."""
    bare = address.removeprefix("[").partition("]")[0].partition("%")[0]
    try:
        return str(ip_address(bare))
    except ValueError:
        return ""


def _condition(lif: IpInterface, mtu: int, hosts: Mapping[str, int]) -> Condition:
    """Return the condition of a LIF between which and some hosts large packets do not pass."""
    named = ", ".join(sorted(hosts)[:NAMED])
    if len(hosts) > NAMED:
        named += f" and {len(hosts) - NAMED} more"
    text = (
        f'Jumbo frames do not pass between LIF "{lif.name}" ({lif.address}) and {named}: packets '
        f"of {mtu} bytes, the MTU of port {lif.port}, get no answer, and those of "
        f"{min(hosts.values())} do. Set the MTU of all switch ports and the host's to {mtu}, or "
        f"that of the port to what passes."
    )
    return Condition(ALERT, EVENT, text, lif.owner)
