"""Links that we create: bonds of ports, and VLANs on ports or bonds.

They carry our mark (`MARK` of kernel/network/net.py, as the group of the link, which unlike an
alias exists from the moment that the link does), and no other link is ever changed or deleted here:
one with the name of a desired link blocks it, and `waiting` reports that.

`plan` is pure: it compares existing links with the desired ones. A port that is missing affects
only its own bond, which works with the others; a VLAN waits for the link below it.

A bond's mode can be changed only while it is empty, and a VLAN cannot be changed at all
(drivers/net/bonding, bond_options.c; net/8021q/vlan_netlink.c): such a link is created again. A
bond that loses its last port takes the address of the next one (bond_main.c, __bond_release_one),
so ports are added before others are removed, and a lost address is restored. `net`, which comes
after, sets IP addresses, MTU and whether a link is up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sanstone.kernel.host import Bond, Host, HostError, Link, Vlan
from sanstone.kernel.plan import Step


@dataclass(frozen=True)
class DesiredLink:
    """A bond or a VLAN. `members` and `mac_address`, in lower case, are a bond's."""

    name: str
    composition: Bond | Vlan
    owner: str
    mac_address: str = ""
    members: tuple[str, ...] = ()


def waiting(links: Sequence[Link], desired: Sequence[DesiredLink]) -> dict[str, HostError]:
    """Return, by owner, why a desired object is left out of the plan."""
    there = {link.name: link for link in links}
    foreign = {link.name for link in desired if link.name in there and not there[link.name].ours}
    usable = (there.keys() | {link.name for link in desired}) - foreign
    bonds = {link.name for link in desired} | {link.name for link in links if link.ours}
    reasons: dict[str, HostError] = {}
    for link in desired:
        if link.name in foreign:
            reasons[link.owner] = HostError(
                "there is a link {} that the array did not make", link.name
            )
        elif isinstance(link.composition, Vlan) and link.composition.base not in usable:
            reasons[link.owner] = HostError(
                "port {} is not there, or not the array's", link.composition.base
            )
        for member in link.members:
            if member not in there:
                reasons.setdefault(link.owner, HostError("port {} is not there", member))
            elif there[member].master not in bonds | {""}:
                text = "port {} is in {}, which the array did not make"
                reasons.setdefault(link.owner, HostError(text, member, there[member].master))
    return reasons


def plan(links: Sequence[Link], desired: Sequence[DesiredLink]) -> list[Step]:
    """Return the steps to the desired links: removals first, then additions."""
    there = {link.name: link for link in links}
    ours = {link.name: link for link in links if link.ours}
    mine = {link.name: link for link in desired if link.name in ours or link.name not in there}
    foreign = {link.name for link in desired} - mine.keys()
    removed = _removed(ours, mine)
    kept = there.keys() - removed.keys() - foreign
    members = {member: link for link in mine.values() for member in link.members}
    return [
        *(_delete(link, mine) for link in removed.values()),
        *_bonds(mine, {name: there[name] for name in kept}),
        *_enslavements(there, ours, removed, members),
        *_releases(links, ours.keys() & kept, members),
        *_vlans(mine, kept),
    ]


def _removed(ours: Mapping[str, Link], mine: Mapping[str, DesiredLink]) -> dict[str, Link]:
    """Return our links to be removed, upper ones first."""
    removed = {name: link for name, link in ours.items() if _differs(link, mine.get(name))}
    above = {
        name: link
        for name, link in ours.items()
        if isinstance(link.composition, Vlan)
        and (link.composition.base in removed or name in removed)
    }
    return above | {name: link for name, link in removed.items() if name not in above}


def _differs(link: Link, desired: DesiredLink | None) -> bool:
    """Return whether a link must be created again to become the desired one."""
    if desired is None:
        return True
    if isinstance(link.composition, Bond) and isinstance(desired.composition, Bond):
        return link.composition.mode != desired.composition.mode
    return link.composition != desired.composition


def _delete(link: Link, mine: Mapping[str, DesiredLink]) -> Step:
    def run(host: Host) -> None:
        host.network.delete_link(link.name)

    owner = mine[link.name].owner if link.name in mine else ""
    return Step(f"delete link {link.name}", owner, run, f"link/{link.name}")


def _bonds(mine: Mapping[str, DesiredLink], kept: Mapping[str, Link]) -> Iterator[Step]:
    for link in mine.values():
        if not isinstance(link.composition, Bond):
            continue
        if link.name not in kept:
            yield _bond_step(link, link.composition)
            continue
        if kept[link.name].composition != link.composition:
            yield _hash_step(link, link.composition.hash_policy)
        if kept[link.name].mac_address != link.mac_address:
            yield _address_step(link)


def _bond_step(link: DesiredLink, bond: Bond) -> Step:
    def run(host: Host) -> None:
        host.network.make_bond(link.name, bond, link.mac_address)

    return Step(f"make bond {link.name} ({bond.mode})", link.owner, run, f"link/{link.name}")


def _hash_step(link: DesiredLink, policy: str) -> Step:
    def run(host: Host) -> None:
        host.network.set_hash_policy(link.name, policy)

    text = f"have bond {link.name} spread packets by {policy}"
    return Step(text, link.owner, run, f"link/{link.name}/hash")


def _address_step(link: DesiredLink) -> Step:
    def run(host: Host) -> None:
        host.network.set_mac_address(link.name, link.mac_address)

    text = f"give bond {link.name} the address {link.mac_address}"
    return Step(text, link.owner, run, f"link/{link.name}/address")


def _enslavements(
    there: Mapping[str, Link],
    ours: Mapping[str, Link],
    removed: Mapping[str, Link],
    members: Mapping[str, DesiredLink],
) -> Iterator[Step]:
    for name, bond in members.items():
        port = there.get(name)
        foreign = port is not None and port.master and port.master not in ours
        if port is None or foreign or (port.master == bond.name and bond.name not in removed):
            continue
        yield _master_step(port, bond.name, bond.owner)


def _releases(
    links: Sequence[Link], bonds: set[str], members: Mapping[str, DesiredLink]
) -> Iterator[Step]:
    """Yield the steps that release ports from bonds, except those that have moved to another."""
    for link in links:
        if link.master in bonds and link.name not in members:
            yield _master_step(link, "", "")


def _master_step(port: Link, bond: str, owner: str) -> Step:
    def run(host: Host) -> None:
        if bond:
            # The kernel does not accept one that is up (drivers/net/bonding/bond_main.c,
            # bond_enslave).
            host.network.set_link(port.name, up=False)
        host.network.set_master(port.name, bond)

    text = f"put port {port.name} into {bond}" if bond else f"take port {port.name} out of its bond"
    needs = (f"link/{bond}",) if bond else ()
    return Step(text, owner, run, f"link/{bond or port.master}/{port.name}", needs)


def _vlans(mine: Mapping[str, DesiredLink], kept: set[str]) -> Iterator[Step]:
    for link in mine.values():
        vlan = link.composition
        if isinstance(vlan, Vlan) and link.name not in kept and vlan.base in {*kept, *mine}:
            yield _vlan_step(link, vlan)


def _vlan_step(link: DesiredLink, vlan: Vlan) -> Step:
    def run(host: Host) -> None:
        host.network.make_vlan(link.name, vlan)

    text = f"make VLAN {link.name}"
    return Step(text, link.owner, run, f"link/{link.name}", (f"link/{vlan.base}",))
