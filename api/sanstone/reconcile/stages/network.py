"""The network: LAGs and VLANs, then LIFs on ports, and routing tables of SVMs and the array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from sqlalchemy import Select, select
from sqlalchemy.orm import joinedload

from sanstone.core.database.statements import every
from sanstone.core.errors import ApiError
from sanstone.core.events import ALERT, NOTICE, Condition
from sanstone.kernel.host import Address, HostError
from sanstone.kernel.network import links, net
from sanstone.kernel.plan import Step
from sanstone.model.network import IpInterface, IpRoute
from sanstone.reconcile import lif_failover
from sanstone.reconcile.declared import as_declared
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.results import FirewallClosed, NetworkUp
from sanstone.reconcile.stages import ports
from sanstone.reconcile.turn import Turn
from sanstone.rules.network.addresses import DESTINATION, GATEWAY, checked_network, on_link
from sanstone.rules.network.service_policies import SERVICE_POLICIES

ROUNDS = 3


@dataclass
class NetworkMemory(StageMemory):
    """The network, as the last turn left it."""

    state: net.State | None = None
    """None when it must be read again."""
    lifs: dict[str, bool] = field(default_factory=dict)
    """By LIF: whether its address was on its port."""

    def forget_inventory(self) -> None:
        """Have the network read again."""
        self.state = None


def interfaces(turn: Turn) -> Sequence[IpInterface]:
    """Return the desired LIFs.

    A LIF with a row that the API cannot have written gets a fault and is left out.
    """
    return turn.once(_read)


def _read(turn: Turn) -> Sequence[IpInterface]:
    rows = turn.own(IpInterface, _interfaces()).scalars()
    return [lif for lif in rows.unique() if _is_valid(turn, lif)]


@cache
def _interfaces() -> Select[tuple[IpInterface]]:
    related = joinedload(IpInterface.svm), joinedload(IpInterface.endpoints)
    return select(IpInterface).options(*related).order_by(IpInterface.uuid)


def _is_valid(turn: Turn, lif: IpInterface) -> bool:
    """Return whether a LIF's row is valid; record a fault if not."""
    try:
        checked_network(lif.address, lif.prefix_length)
    except (ValueError, ApiError) as error:
        turn.fail(lif.owner, HostError('"{}" is no address of a LIF: {}', lif.address, error))
        return False
    has_policy = lif.custom_policy is not None or lif.service_policy in SERVICE_POLICIES
    if not has_policy:
        turn.fail(lif.owner, HostError('there is no service policy "{}"', lif.service_policy))
    return has_policy


def address_is_desired(lif: IpInterface) -> bool:
    """Return whether a LIF is enabled and its SVM runs."""
    return lif.enabled and (lif.svm is None or lif.svm.state == "running")


def reconcile(turn: Turn, _firewall: FirewallClosed) -> NetworkUp:
    """Make LAGs and VLANs, the addresses of LIFs, and routes the desired ones."""
    desired_links = ports.links(turn)
    desired_network = net.Desired(ports.settings(turn), _addresses(turn), _routes(turn))
    live = turn.memory.of(NetworkMemory).state or net.read(turn.host)
    for owner, reason in links.waiting(live.links, desired_links).items():
        turn.fail(owner, reason)
    live = _converge(turn, live, lambda actual: links.plan(actual.links, desired_links))
    for owner, reason in net.waiting(live, desired_network).items():
        turn.fail(owner, reason)
    live = _converge(turn, live, lambda actual: net.plan(actual, desired_network))
    turn.memory.of(NetworkMemory).state = live
    _observe(turn, live)
    return NetworkUp(turn.outcomes, lif_failover.moves(turn, live.links, interfaces(turn)))


def addresses(turn: Turn) -> Sequence[Address]:
    """Return the machine's addresses, before the stage as after it."""
    remembered = turn.memory.of(NetworkMemory).state
    return remembered.addresses if remembered else turn.host.network.addresses()


def state(turn: Turn) -> net.State:
    """Return the actual state of the network, as the stage left it."""
    state = turn.memory.of(NetworkMemory).state
    assert state
    return state


def _converge(turn: Turn, state: net.State, plan: Callable[[net.State], list[Step]]) -> net.State:
    """Apply plans until none is left, at most `ROUNDS`. Return the state after them.

    Removing an address, or switching a port, also removes what the kernel derives from it. So a
    plan may leave differences for the next round.
    """
    for _ in range(ROUNDS):
        steps = plan(state)
        if not steps:
            break
        failures = turn.apply(steps)
        state = net.read(turn.host)
        if failures:
            break
    return state


def _addresses(turn: Turn) -> tuple[net.DesiredAddress, ...]:
    """Return the desired addresses of LIFs."""
    return tuple(
        net.DesiredAddress(
            lif.port,
            lif.address,
            lif.prefix_length,
            lif.svm.number if lif.svm else net.ARRAY,
            lif.owner,
        )
        for lif in interfaces(turn)
        if address_is_desired(lif)
    )


def _routes(turn: Turn) -> tuple[net.DesiredRoute, ...]:
    """Return the desired routes with a gateway that a LIF reaches.

    A route may be created before the first such LIF, and may outlive it.
    """
    lifs = [lif for lif in interfaces(turn) if address_is_desired(lif)]
    desired = []
    for route in turn.session.scalars(every(IpRoute, IpRoute.uuid)):
        with turn.attempt(route.owner):
            gateway = as_declared(GATEWAY, route.gateway)
            destination = as_declared(DESTINATION, f"{route.address}/{route.prefix_length}")
            if any(on_link(lif, route.svm_uuid, gateway) for lif in lifs):
                table = route.svm.number if route.svm else net.ARRAY
                desired.append(
                    net.DesiredRoute(table, destination, gateway, route.metric, route.owner)
                )
    return tuple(desired)


def _observe(turn: Turn, state: net.State) -> None:
    """Observe ports and LIFs, and add LIFs to the scope when their address came or went."""
    ports.observe(turn, state.links, state.addresses)
    carrier = {link.name: link.up and link.carrier for link in state.links}
    present = {(address.link, address.address) for address in state.addresses}
    lifs: dict[str, dict[str, object]] = {}
    for lif in interfaces(turn):
        is_present = (lif.port, lif.address) in present
        up = address_is_desired(lif) and is_present and carrier.get(lif.port, False)
        lifs[lif.uuid] = {"state": "up" if up else "down", "present": is_present}
        if not lif.is_home:
            turn.conditions[f"lif.away:{lif.uuid}"] = _away(lif)
        if address_is_desired(lif) and is_present and not up:
            text = f'LIF "{lif.name}" is down: port {lif.port} has no link.'
            turn.conditions[f"lif.down:{lif.uuid}"] = Condition(ALERT, "lif.down", text, lif.owner)
    turn.seen[IpInterface.kind] = lifs
    former = turn.memory.of(NetworkMemory).lifs
    turn.memory.of(NetworkMemory).lifs = {
        uuid: bool(observation["present"]) for uuid, observation in lifs.items()
    }
    # The exports at a LIF depend on its address, however that changed.
    changed = former.items() ^ turn.memory.of(NetworkMemory).lifs.items()
    turn.scope.add(f"{IpInterface.kind}:{uuid}" for uuid, _ in changed)


def _away(lif: IpInterface) -> Condition:
    """Return the condition of a LIF that is away from home."""
    home = lif.home_port
    text = f'LIF "{lif.name}" is at port {lif.port}, away from its home port {home}'
    text += ", which had no link." if lif.failed_over else ": somebody moved it."
    return Condition(NOTICE, "lif.away", text, lif.owner)


def address_is_live(turn: Turn, lif: IpInterface) -> bool:
    """Return whether a LIF's address is desired and on its port, so that sockets can bind to it."""
    return address_is_desired(lif) and turn.memory.of(NetworkMemory).lifs.get(lif.uuid, False)
