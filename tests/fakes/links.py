"""Links of the fake machine: ports e0M and e0a … e0d, and the bonds and VLANs on them.

Rules of the kernel that matter to us: a bond takes no link that is up (EPERM; drivers/net/bonding,
bond_enslave), gives it its own MTU and address, and gives both back when it lets go, switching the
link off (__bond_release_one); its MTU is that of all its links (bond_change_mtu). With its last
link it loses its own address, and takes that of the first to come (bond_set_dev_addr).

A VLAN goes up and down with the link below, cannot be up without it (ENETDOWN; net/8021q/
vlan_dev.c), never has a larger MTU than it (ERANGE), and goes with it (vlan.c, vlan_device_event).
"""

from __future__ import annotations

import errno
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import replace

from fakes.interrupt import Interrupt
from sanstone.kernel.host import Bond, Link, RequestError, Vlan

PORTS = ("e0M", "e0a", "e0b", "e0c", "e0d")
MTU = 1500
HIGHEST_TAG = 4094
"""Of a VLAN (net/8021q/vlan_netlink.c, vlan_validate)."""


class FakeLinks(ABC):
    """The part of `host.Network` that is about links."""

    def __init__(self, interrupt: Interrupt, ports: Iterable[str] = PORTS) -> None:
        self._interrupt = interrupt
        self._steps = 0
        self._next_index = 1
        self._links: dict[str, Link] = {}
        self._own_mtu: dict[str, int] = {}
        """The MTU that the links in bonds had before."""
        self._nameless: set[str] = set()
        """Bonds that lost their own address."""
        for name in ports:
            self.add_link(name)

    def links(self) -> list[Link]:
        """See `host.Network`."""
        return sorted(map(self._resolved, self._links.values()), key=lambda link: link.index)

    def set_link(self, name: str, *, up: bool | None = None, mtu: int | None = None) -> None:
        """See `host.Network`."""
        request = f"set link {name} up={up} mtu={mtu}"
        with self._step(request):
            link = self._link("set link", name)
            base = self._base(link)
            if base and (mtu or 0) > base.mtu:
                raise RequestError(request, errno.ERANGE)
            if base and up and not base.up:
                raise RequestError(request, errno.ENETDOWN)
            self._set_mtu(link, link.mtu if mtu is None else mtu)
            if up is not None:
                self._switch(name, up)

    def make_bond(self, name: str, bond: Bond, mac_address: str) -> None:
        """See `host.Network`."""
        with self._step(f"make bond {name}"):
            self._make(name, "bond", mac_address, MTU, bond)

    def make_vlan(self, name: str, vlan: Vlan) -> None:
        """See `host.Network`."""
        request = f"make VLAN {name}"
        with self._step(request):
            base = self._link(request, vlan.base)
            if not 0 <= vlan.tag <= HIGHEST_TAG:
                raise RequestError(request, errno.ERANGE)
            if any(link.composition == vlan for link in self._links.values()):
                raise RequestError(request, errno.EEXIST)
            self._make(name, "vlan", base.mac_address, base.mtu, vlan)

    def set_hash_policy(self, bond: str, hash_policy: str) -> None:
        """See `host.Network`."""
        request = f"set hash policy {hash_policy} of {bond}"
        with self._step(request):
            link = self._link(request, bond)
            if not isinstance(link.composition, Bond):
                raise RequestError(request, errno.EOPNOTSUPP)
            composition = replace(link.composition, hash_policy=hash_policy)
            self._links[bond] = replace(link, composition=composition)

    def set_mac_address(self, bond: str, mac_address: str) -> None:
        """See `host.Network`."""
        request = f"set address {mac_address} of {bond}"
        with self._step(request):
            self._links[bond] = replace(self._link(request, bond), mac_address=mac_address)
            self._nameless.discard(bond)

    def set_master(self, name: str, bond: str) -> None:
        """See `host.Network`."""
        request = f"set master {bond} of {name}"
        with self._step(request):
            link = self._link(request, name)
            if link.master:
                self._release(link)
            if not bond:
                return
            master, link = self._link(request, bond), self._links[name]
            if link.up:
                raise RequestError(request, errno.EPERM)
            if bond in self._nameless:
                self._nameless.remove(bond)
                self._links[bond] = replace(master, mac_address=link.mac_address)
            self._own_mtu[name] = link.mtu
            self._links[name] = replace(link, up=True, mtu=master.mtu, master=bond)

    def delete_link(self, name: str) -> None:
        """See `host.Network`."""
        request = f"delete link {name}"
        with self._step(request):
            if self._link(request, name).composition is None:
                raise RequestError(request, errno.EOPNOTSUPP)
            self.remove_link(name)

    def add_link(self, name: str) -> None:
        """Plug a port in: it comes down, without addresses, under a new index."""
        mac_address = f"52:54:00:00:00:{self._next_index:02x}"
        self._links[name] = Link(self._index(), name, mac_address, MTU, up=False, carrier=True)

    def plug(self, name: str, *, connected: bool) -> None:
        """Plug in or pull the cable of a port."""
        self._links[name] = replace(self._links[name], carrier=connected)

    def remove_link(self, name: str) -> None:
        """Pull a port out, with the links on top of it, its addresses and its routes."""
        for link in list(self._links.values()):
            if isinstance(link.composition, Vlan) and link.composition.base == name:
                self.remove_link(link.name)
            if link.master == name:
                self._release(link)
        if self._links[name].master:
            self._release(self._links[name])
        del self._links[name]
        self._nameless.discard(name)
        self._lost(name)

    def add_foreign_bond(self, name: str, *members: str) -> None:
        """Create a bond, as an administrator does by hand."""
        bond = Bond("active-backup", "layer2")
        link = Link(
            self._index(), name, "52:54:00:00:01:00", MTU, True, True, "bond", composition=bond
        )
        self._links[name] = link
        for member in members:
            self._links[member] = replace(self._links[member], up=True, master=name)

    def _step(self, request: str) -> AbstractContextManager[None]:
        """Do a request, which may be interrupted, and count it."""
        self._steps += 1
        return self._interrupt.step(request)

    def _restart(self) -> None:
        """Keep the ports that are plugged in, as they come up."""
        names = [name for name, link in self._links.items() if link.composition is None]
        self._next_index = 1
        self._links, self._own_mtu, self._nameless = {}, {}, set()
        for name in names:
            self.add_link(name)

    @abstractmethod
    def _lost(self, name: str, *, removed: bool = True) -> None:
        """Forget the addresses and routes of a link that was removed, or went down."""

    def _index(self) -> int:
        self._next_index += 1
        return self._next_index - 1

    def _link(self, request: str, name: str) -> Link:
        if name not in self._links:
            raise RequestError(request, errno.ENODEV)
        return self._links[name]

    def _base(self, link: Link) -> Link | None:
        return self._links[link.composition.base] if isinstance(link.composition, Vlan) else None

    def _resolved(self, link: Link) -> Link:
        """Return a link with its state by others: its carrier, and in a bond the address."""
        if isinstance(link.composition, Bond):
            slaves = [each for each in self._links.values() if each.master == link.name]
            return replace(link, carrier=link.up and any(s.up and s.carrier for s in slaves))
        base = self._base(link)
        if base:
            below = self._resolved(base)
            return replace(link, carrier=below.up and below.carrier)
        master = self._links.get(link.master)
        return replace(link, mac_address=master.mac_address) if master else link

    def _make(
        self, name: str, kind: str, mac_address: str, mtu: int, composition: Bond | Vlan
    ) -> None:
        if name in self._links:
            raise RequestError(f"make {kind} {name}", errno.EEXIST)
        self._links[name] = Link(
            self._index(),
            name,
            mac_address,
            mtu,
            up=False,
            carrier=False,
            kind=kind,
            ours=True,
            composition=composition,
        )

    def _set_mtu(self, link: Link, mtu: int) -> None:
        self._links[link.name] = replace(link, mtu=mtu)
        for upper in list(self._links.values()):
            above = isinstance(upper.composition, Vlan) and upper.composition.base == link.name
            if (above and upper.mtu > mtu) or upper.master == link.name:
                self._set_mtu(upper, mtu)

    def _switch(self, name: str, up: bool) -> None:
        link = self._links[name]
        if link.up == up:
            return
        self._links[name] = replace(link, up=up)
        if not up:
            self._lost(name, removed=False)
        for upper in list(self._links.values()):
            if isinstance(upper.composition, Vlan) and upper.composition.base == name:
                self._switch(upper.name, up)

    def _release(self, link: Link) -> None:
        self._switch(link.name, False)
        mtu = self._own_mtu.pop(link.name, link.mtu)
        self._links[link.name] = replace(link, up=False, mtu=mtu, master="")
        if not any(other.master == link.master for other in self._links.values()):
            self._nameless.add(link.master)
            master = self._links[link.master]
            self._links[link.master] = replace(master, mac_address="52:54:00:00:02:00")
