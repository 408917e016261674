"""One network scenario for every form of `host.Host`: its lines must be the same on all.

It takes two Ethernet ports that nothing uses through all that the drivers do: addresses, routes,
rules, bonds, VLANs, soft-RoCE, the firewall. It yields a line for each outcome, and
`network_scenario.txt` holds the lines that it must print. The unit test runs it on the fake kernel.
On a machine it is a program: `python3 network_scenario.py LINK LINK` prints the lines, as root,
with `sanstone` on the path and the firewall's table loaded. It leaves everything as it was.
"""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from sanstone.kernel import plan
from sanstone.kernel.host import (
    Bond,
    CommandError,
    Host,
    HostError,
    Link,
    RequestError,
    Route,
    Rule,
    Vlan,
)
from sanstone.kernel.network import firewall, links, net, rdma
from sanstone.kernel.network.firewall import Opening
from sanstone.kernel.network.links import DesiredLink
from sanstone.kernel.network.net import Desired, DesiredAddress, DesiredPort, DesiredRoute
from sanstone.kernel.network.rdma import PREFIXES, ROCE

PREFIX = PREFIXES[ROCE]
FOUR, SIX = "192.0.2.1", "2001:db8::1"
NOBODY_FOUR, NOBODY_SIX = "192.0.2.9", "2001:db8::9"
"""For documentation (RFC 5737, RFC 3849): no other machine has them."""
TABLE = 4_000_000
LACP, SPREAD = Bond("802.3ad", "layer2+3"), Bond("balance-xor", "layer2+3")
BOND, ON_BOND, ON_PORT = "scenario0", "scenario0.7", "scenario7"
MAC = "02:12:34:56:78:9a"


def answer(call: Callable[[], object]) -> str:
    """Return the name of the error with which a call is refused, "done" for none."""
    try:
        call()
    except RequestError as error:
        return errno.errorcode[error.errno]
    except CommandError:
        return "CommandError"
    return "done"


def run(host: Host, first: str, second: str) -> Iterator[str]:
    """Go through the scenario."""
    before = {name: link_of(host, name) for name in (first, second)}
    for name in before:
        host.network.set_link(name, up=False)
    yield from changes(host, first)
    yield from addresses(host, first)
    yield from echoes(host, first)
    yield from routes(host, first)
    yield from rules(host)
    yield from vlans(host, first)
    yield from bonds(host, first, second)
    yield from soft_roce(host, first, second)
    yield from planned(host, first, second)
    yield from openings(host, first)
    for name, link in before.items():
        host.network.set_link(name, up=link.up, mtu=link.mtu)


def link_of(host: Host, name: str) -> Link:
    """Return a link that there is."""
    return next(link for link in host.network.links() if link.name == name)


def changes(host: Host, link: str) -> Iterator[str]:
    """Hear that something changed, once for each change."""
    network, rule = host.network, Rule(FOUR, TABLE)
    # The kernel tells of a port that was switched off up to a second later (net/core/link_watch.c).
    while network.has_changed():
        time.sleep(1.2)  # noqa: TID251 - of a real kernel
    network.add_address(link, FOUR, 24)
    yield f"changed by an address: {network.has_changed()}, again: {network.has_changed()}"
    network.add_rule(rule)
    yield f"changed by a rule: {network.has_changed()}, again: {network.has_changed()}"
    network.set_link(link, mtu=1400)
    network.set_link(link, mtu=1500)
    yield f"changed there and back: {network.has_changed()}, again: {network.has_changed()}"
    network.remove_rule(rule)
    network.remove_address(link, FOUR, 24)
    yield f"changed by removals: {network.has_changed()}, again: {network.has_changed()}"


def addresses(host: Host, link: str) -> Iterator[str]:
    """Give a port addresses, down and up, and take them away."""
    network = host.network
    yield f"address at a port that is down: {answer(lambda: network.add_address(link, FOUR, 24))}"
    yield f"again: {answer(lambda: network.add_address(link, FOUR, 24))}"
    yield f"with another prefix: {answer(lambda: network.add_address(link, FOUR, 25))}"
    yield f"at no port: {answer(lambda: network.add_address('none', FOUR, 24))}"
    yield f"IPv6, down: {answer(lambda: network.add_address(link, SIX, 64))}"
    yield f"ours: {_own_addresses(host, link)}"
    yield f"removed: {answer(lambda: network.remove_address(link, FOUR, 25))}"
    yield f"again: {answer(lambda: network.remove_address(link, FOUR, 25))}"
    yield f"port switched on: {answer(lambda: network.set_link(link, up=True))}"
    yield f"ours: {_own_addresses(host, link)}"
    yield f"IPv6 again: {answer(lambda: network.add_address(link, SIX, 64))}"
    yield f"another IPv6: {answer(lambda: network.add_address(link, '2001:db8::2', 64))}"
    yield f"switched off: {answer(lambda: network.set_link(link, up=False))}"
    yield f"ours: {_own_addresses(host, link)}"
    yield f"IPv6 that went: {answer(lambda: network.remove_address(link, SIX, 64))}"
    yield f"IPv4 removed: {answer(lambda: network.remove_address(link, FOUR, 24))}"
    yield f"MTU: {answer(lambda: network.set_link(link, mtu=1400))}, {link_of(host, link).mtu}"
    yield f"MTU as it was: {answer(lambda: network.set_link(link, mtu=1500))}"
    yield f"no port switched on: {answer(lambda: network.set_link('none', up=True))}"


def echoes(host: Host, link: str) -> Iterator[str]:
    """Ask ourselves, and a neighbour that is not there."""
    network = host.network
    network.set_link(link, up=True)
    for own, nobody, prefix in ((FOUR, NOBODY_FOUR, 24), (SIX, NOBODY_SIX, 64)):
        outcome = answer(partial(network.echo, own, [own], 576))
        yield f"echo from no address of ours: {outcome}"
        network.add_address(link, own, prefix)
        for size in (1500, 9000):
            answering = network.echo(own, [own, nobody], size)
            yield f"of {own} and {nobody}, {size} bytes are answered by: {answering}"
        network.remove_address(link, own, prefix)
    network.set_link(link, up=False)


def _own_addresses(host: Host, link: str) -> list[str]:
    return sorted(
        f"{each.address}/{each.prefix_length}"
        for each in host.network.addresses()
        if each.link == link and each.ours
    )


def routes(host: Host, link: str) -> Iterator[str]:
    """Make routes out of a port in a table of their own, and see when they go."""
    network = host.network
    on_link = Route(TABLE, "192.0.2.0/24", "", link, 1)
    default = Route(TABLE, "0.0.0.0/0", "192.0.2.254", link, 20)
    six = Route(TABLE, "2001:db8::/64", "", link, 1)
    default_six = Route(TABLE, "::/0", "2001:db8::fe", link, 20)
    yield f"on a port that is down: {answer(lambda: network.add_route(on_link))}"
    yield f"IPv6: {answer(lambda: network.add_route(six))}"
    network.add_address(link, FOUR, 24)
    yield f"gateway behind a port that is down: {answer(lambda: network.add_route(default))}"
    yield f"IPv6: {answer(lambda: network.add_route(default_six))}"
    network.set_link(link, up=True)
    network.add_address(link, SIX, 64)
    for what, route in (
        ("network", on_link),
        ("default", default),
        ("the same", default),
        ("another gateway, same metric", replace(default, gateway="192.0.2.253")),
        ("another gateway, other metric", replace(default, gateway="192.0.2.253", metric=30)),
        ("gateway of another network", replace(default, gateway="198.51.100.1", metric=40)),
        ("IPv6 network", six),
        ("IPv6 default", default_six),
        ("the same", default_six),
        ("IPv6 gateway of another network", replace(default_six, gateway="2001:db8:9::1")),
        ("out of no port", replace(on_link, link="none")),
    ):
        yield f"{what}: {answer(lambda route=route: network.add_route(route))}"  # type: ignore[misc]
    yield from _own_routes(host, link)
    yield f"removed: {answer(lambda: network.remove_route(default))}"
    yield f"again: {answer(lambda: network.remove_route(default))}"
    yield f"IPv6 removed: {answer(lambda: network.remove_route(default_six))}"
    yield f"again: {answer(lambda: network.remove_route(default_six))}"
    yield f"address removed: {answer(lambda: network.remove_address(link, FOUR, 24))}"
    yield from _own_routes(host, link)
    yield f"switched off: {answer(lambda: network.set_link(link, up=False))}"
    yield from _own_routes(host, link)


def _own_routes(host: Host, link: str) -> Iterator[str]:
    own = [route for route in host.network.routes() if route.link == link]
    yield f"routes: {len(own)}"
    for route in sorted(own, key=lambda route: (route.destination, route.metric)):
        through = f" through {route.gateway}" if route.gateway else ""
        yield f"  {route.destination}{through}, metric {route.metric}"


def rules(host: Host) -> Iterator[str]:
    """Have packets of an address routed by a table."""
    network = host.network
    for source in (FOUR, SIX):
        rule = Rule(source, TABLE)
        yield f"rule for {source}: {answer(lambda rule=rule: network.add_rule(rule))}"  # type: ignore[misc]
        yield f"again: {answer(lambda rule=rule: network.add_rule(rule))}"  # type: ignore[misc]
        yield f"is there: {rule in network.rules()}"
        yield f"removed: {answer(lambda rule=rule: network.remove_rule(rule))}"  # type: ignore[misc]
        yield f"again: {answer(lambda rule=rule: network.remove_rule(rule))}"  # type: ignore[misc]


def vlans(host: Host, link: str) -> Iterator[str]:
    """Put a VLAN on a port."""
    network, vlan = host.network, Vlan(link, 7)
    yield f"VLAN of no port: {answer(lambda: network.make_vlan(ON_PORT, Vlan('none', 7)))}"
    yield f"tag that is none: {answer(lambda: network.make_vlan(ON_PORT, Vlan(link, 4095)))}"
    yield f"VLAN: {answer(lambda: network.make_vlan(ON_PORT, vlan))}"
    yield f"again: {answer(lambda: network.make_vlan(ON_PORT, vlan))}"
    yield f"same tag: {answer(lambda: network.make_vlan('scenario8', vlan))}"
    own = link_of(host, ON_PORT)
    yield f"it is ours: {own.ours}, up: {own.up}, of {own.kind}, tag {own.composition == vlan}"
    yield f"address and MTU of its port: {_same(own, link_of(host, link))}"
    yield f"on over a port that is off: {answer(lambda: network.set_link(ON_PORT, up=True))}"
    network.set_link(link, up=True)
    yield f"over one that is on: {answer(lambda: network.set_link(ON_PORT, up=True))}"
    yield f"MTU larger than the port's: {answer(lambda: network.set_link(ON_PORT, mtu=1501))}"
    network.set_link(link, mtu=1400)
    yield f"MTU follows the port's down: {link_of(host, ON_PORT).mtu}"
    network.set_link(link, mtu=1500)
    yield f"and not up: {link_of(host, ON_PORT).mtu}"
    network.set_link(link, up=False)
    yield f"port switched off: {link_of(host, ON_PORT).up}"
    yield f"Ethernet port deleted: {answer(lambda: network.delete_link(link))}"
    yield f"VLAN deleted: {answer(lambda: network.delete_link(ON_PORT))}"
    yield f"again: {answer(lambda: network.delete_link(ON_PORT))}"


def _same(one: Link, other: Link) -> bool:
    return (one.mac_address, one.mtu) == (other.mac_address, other.mtu)


def bonds(host: Host, first: str, second: str) -> Iterator[str]:
    """Make a bond of two ports with a VLAN on it."""
    network, own = host.network, link_of(host, first).mac_address
    yield f"bond: {answer(lambda: network.make_bond(BOND, LACP, MAC))}"
    yield f"again: {answer(lambda: network.make_bond(BOND, LACP, MAC))}"
    bond = link_of(host, BOND)
    yield f"it is ours: {bond.ours}, up: {bond.up}, as made: {bond.composition == LACP}"
    network.set_link(first, up=True)
    yield f"port that is on: {answer(lambda: network.set_master(first, BOND))}"
    network.set_link(first, up=False)
    network.set_link(BOND, mtu=1400)
    yield f"port that is off: {answer(lambda: network.set_master(first, BOND))}"
    yield f"no port: {answer(lambda: network.set_master('none', BOND))}"
    yield f"of no bond: {answer(lambda: network.set_master(second, 'none'))}"
    port = link_of(host, first)
    yield f"in the bond: {port.master == BOND}, up: {port.up}, MTU {port.mtu}"
    yield f"with the bond's address: {port.mac_address == MAC}"
    network.set_link(BOND, mtu=1500)
    yield f"MTU follows the bond's: {link_of(host, first).mtu}"
    yield f"hash policy: {answer(lambda: network.set_hash_policy(BOND, 'layer3+4'))}"
    yield f"is: {link_of(host, BOND).composition == Bond('802.3ad', 'layer3+4')}"
    yield f"of an Ethernet port: {answer(lambda: network.set_hash_policy(second, 'layer2'))}"
    yield f"VLAN on it: {answer(lambda: network.make_vlan(ON_BOND, Vlan(BOND, 7)))}"
    yield f"second port: {answer(lambda: network.set_master(second, BOND))}"
    yield f"first port out: {answer(lambda: network.set_master(first, ''))}"
    port = link_of(host, first)
    yield f"has its own address: {port.mac_address == own}, up: {port.up}, MTU {port.mtu}"
    yield f"bond keeps its address: {link_of(host, BOND).mac_address == MAC}"
    yield f"second port out: {answer(lambda: network.set_master(second, ''))}"
    yield f"bond keeps its address: {link_of(host, BOND).mac_address == MAC}"
    yield f"given back: {answer(lambda: network.set_mac_address(BOND, MAC))}"
    yield f"port in again: {answer(lambda: network.set_master(first, BOND))}"
    yield f"bond keeps its address: {link_of(host, BOND).mac_address == MAC}"
    yield f"bond deleted: {answer(lambda: network.delete_link(BOND))}"
    names = {link.name for link in network.links()}
    yield f"left of it: {sorted(names & {BOND, ON_BOND})}, port: {first in names}"
    yield f"port is its own again: {link_of(host, first).master == ''}"


def planned(host: Host, first: str, second: str) -> Iterator[str]:
    """Have the drivers make a bond with addresses, change it, and take it away."""
    lag = DesiredLink(BOND, LACP, "bond", MAC, (first, second))
    vlan = DesiredLink(ON_BOND, Vlan(BOND, 7), "vlan")
    yield from _links(host, "bond with a VLAN", lag, vlan)
    ports = (DesiredPort(BOND, True, 1500, "bond"), DesiredPort(ON_BOND, True, 1500, "vlan", BOND))
    lifs = (
        DesiredAddress(ON_BOND, FOUR, 24, 399, "lif:4"),
        DesiredAddress(ON_BOND, SIX, 64, 399, "lif:6"),
    )
    ways = (
        DesiredRoute(399, "0.0.0.0/0", "192.0.2.254", 20, "route:4"),
        DesiredRoute(399, "::/0", "2001:db8::fe", 20, "route:6"),
    )
    yield from _network(host, "LIFs", Desired(ports, lifs, ways))
    yield from _network(host, "one of them", Desired(ports, lifs[:1], ways[:1]))
    yield from _network(host, "none", Desired(ports))
    spread = replace(lag, composition=SPREAD)
    yield from _links(host, "another mode", spread, vlan)
    yield from _links(host, "one port", replace(spread, members=(second,)), vlan)
    yield from _links(host, "no bond")


def _links(host: Host, what: str, *desired: DesiredLink) -> Iterator[str]:
    """Apply the desired links to this scenario's links, and print the steps that are left."""
    failures = plan.apply(host, links.plan(_own_links(host), desired))
    yield f"{what}: {', '.join(map(str, failures)) or 'made'}"
    yield f"left to do: {len(links.plan(_own_links(host), desired))}"


def _own_links(host: Host) -> list[Link]:
    """Return the links without those of the array itself."""
    own = (BOND, ON_BOND)
    return [link for link in host.network.links() if link.name in own or not link.ours]


def _network(host: Host, what: str, desired: Desired) -> Iterator[str]:
    failures = plan.apply(host, net.plan(_own_state(host), desired))
    yield f"{what}: {', '.join(map(str, failures)) or 'made'}"
    yield f"left to do: {len(net.plan(_own_state(host), desired))}"
    state = _own_state(host)
    addresses = sum(address.ours for address in state.addresses)
    yield f"addresses {addresses}, routes {len(state.routes)}, rules {len(state.rules)}"


def _own_state(host: Host) -> net.State:
    """Return addresses, routes and rules of this scenario's links alone."""
    state = net.read(host)
    own = (BOND, ON_BOND)
    return net.State(
        tuple(_own_links(host)),
        tuple(address for address in state.addresses if address.link in own),
        tuple(route for route in state.routes if route.link in own),
        tuple(rule for rule in state.rules if rule.source in (FOUR, SIX)),
    )


def soft_roce(host: Host, first: str, second: str) -> Iterator[str]:
    """Do RoCE by software at a port and at a bond, for their addresses and those of a VLAN."""
    network = host.network
    network.make_vlan(ON_PORT, Vlan(first, 7))
    network.make_bond(BOND, SPREAD, MAC)
    network.set_master(second, BOND)
    for name in (first, ON_PORT, BOND):
        network.set_link(name, up=True)
    for what, name, link in (
        ("device at a port", PREFIX + first, first),
        ("again", PREFIX + first, first),
        ("another one there", "scenario_roce", first),
        ("its name elsewhere", PREFIX + first, BOND),
        ("at a VLAN", PREFIX + ON_PORT, ON_PORT),
        ("at a bond", PREFIX + BOND, BOND),
        ("at no port", "scenario_roce", "none"),
    ):
        yield f"{what}: {_rdma(host, 'add', name, 'type', 'rxe', 'netdev', link)}"
    by_link = {port.link: port for port in rdma.ports(host) if port.is_ours}
    yield f"found: {[by_link[link].is_soft for link in (first, BOND)]}"
    for what, link, address, device in (
        ("IPv4", first, FOUR, first),
        ("IPv6", first, SIX, first),
        ("on a VLAN", ON_PORT, "198.51.100.1", first),
        ("on a bond", BOND, "203.0.113.1", BOND),
    ):
        port, place = by_link[device], (link, address)
        yield f"{what}, before: {rdma.carries(host, port, *place, patiently=False)}"
        network.add_address(link, address, 64 if ":" in address else 24)
        yield f"{what}, with the address: {rdma.carries(host, port, *place, patiently=True)}"
    elsewhere = first, "198.51.100.1"
    yield f"at another link: {rdma.carries(host, by_link[first], *elsewhere, patiently=False)}"
    network.delete_link(BOND)
    # The device goes a moment after its bond.
    while BOND in _soft(host):
        time.sleep(0.1)  # noqa: TID251 - of a real kernel
    yield f"goes with its bond: {BOND not in _soft(host)}"
    yield f"removed: {_rdma(host, 'delete', PREFIX + first)}"
    yield f"again: {_rdma(host, 'delete', PREFIX + first)}"
    yield f"left: {len(_soft(host))}"
    network.delete_link(ON_PORT)
    network.remove_address(first, FOUR, 24)
    network.set_link(first, up=False)


def _rdma(host: Host, *words: str) -> str:
    return answer(lambda: host.commands.run(["rdma", "link", *words]))


def _soft(host: Host) -> set[str]:
    return {port.link for port in rdma.ports(host) if port.is_ours}


def openings(host: Host, link: str) -> Iterator[str]:
    """Open a port in the firewall and close it, beside the open ones."""
    before = firewall.read(host)
    yield f"table is there: {before is not None}"
    live = before or firewall.Table()
    opened = firewall.Table(
        live.openings
        | {Opening(link, FOUR, 3260), Opening(link, SIX, 4420)}
        | {Opening(link, FOUR, 4791, "udp"), Opening(link, SIX, 4791, "udp")},
        live.lifs | {FOUR, SIX},
    )
    yield f"opened: {_replaced(host, opened)}"
    yield f"is so: {firewall.read(host) == opened}, again: {_replaced(host, opened)}"
    set_element = f"inet {firewall.TABLE} lifs_4 {{ {FOUR} }}"
    unknown = f"inet {firewall.TABLE} lifs_4 {{ 192.0.2.99 }}"
    both = f"delete element {set_element}\ndelete element {unknown}\n"
    yield f"half of a script refused: {_script(host, both)}"
    yield f"and all of it: {firewall.read(host) == opened}"
    yield f"element added twice: {_script(host, f'add element {set_element}{chr(10)}')}"
    yield f"taken away by hand: {_script(host, f'delete element {set_element}{chr(10)}')}"
    yield f"is seen: {firewall.read(host) == opened}, and mended: {_replaced(host, opened)}"
    yield f"is so: {firewall.read(host) == opened}"
    chain = f"flush chain inet {firewall.TABLE} arriving\n"
    yield f"rules taken away: {_script(host, chain)}, no table: {firewall.read(host) is None}"
    yield f"closed: {_replaced(host, live)}, as before: {firewall.read(host) == before}"


def _replaced(host: Host, desired: firewall.Table) -> str:
    steps = firewall.plan(firewall.read(host), desired, "lifs:")
    failures = plan.apply(host, steps)
    return ", ".join(map(str, failures)) or ("made" if steps else "nothing to do")


def _script(host: Host, text: str) -> str:
    return answer(lambda: host.commands.run(["nft", "--file", "-"], stdin=text))


if __name__ == "__main__":
    from sanstone.kernel.real import real_host

    try:
        for line in run(real_host(), *sys.argv[1:]):
            print(line, flush=True)
    except HostError as problem:
        sys.exit(f"network_scenario: {problem}")
