"""Network: links, addresses of LIFs, and a routing table for each SVM."""

from __future__ import annotations

from dataclasses import dataclass

from sanstone.kernel.host import Address, Host, Link, Route, Rule
from sanstone.kernel.plan import Step


@dataclass(frozen=True)
class WantedPort:
    """An Ethernet port that is ours. `mtu` in bytes."""

    name: str
    up: bool
    mtu: int
    owner: str


@dataclass(frozen=True)
class WantedAddress:
    """A LIF's address on a port; its packets are routed by the table of its SVM."""

    link: str
    address: str
    prefix_length: int
    svm: int
    """The SVM's number, 1 to 9999: its routing table is 10000 plus this."""
    owner: str


@dataclass(frozen=True)
class WantedRoute:
    """A route of one SVM; `destination` in CIDR form, 0.0.0.0/0 or ::/0 for the default."""

    svm: int
    destination: str
    gateway: str
    metric: int
    owner: str


@dataclass(frozen=True)
class Wanted:
    """All that the array shall have on its data ports."""

    ports: tuple[WantedPort, ...] = ()
    addresses: tuple[WantedAddress, ...] = ()
    routes: tuple[WantedRoute, ...] = ()


@dataclass(frozen=True)
class State:
    """What the kernel has."""

    links: tuple[Link, ...]
    addresses: tuple[Address, ...]
    routes: tuple[Route, ...]
    rules: tuple[Rule, ...]


def table(svm: int) -> int:
    """Return the number of an SVM's routing table."""
    return 10000 + svm


def read(host: Host) -> State:
    """Read the state: four netlink dumps."""
    raise NotImplementedError


def waiting(state: State, wanted: Wanted) -> dict[str, str]:
    """Return by owner why something wanted is left out of the plan: its link is not there yet."""
    raise NotImplementedError


def plan(state: State, wanted: Wanted) -> list[Step]:
    """Return the steps that turn `state` into `wanted`."""
    raise NotImplementedError
