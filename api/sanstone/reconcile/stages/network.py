"""The network: LAGs and VLANs, then LIFs on ports, and routing tables of SVMs and the array."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from sanstone.core.errors import ApiError
from sanstone.kernel.network import links, net
from sanstone.kernel.plan import Step
from sanstone.model.network import IpInterface, IpRoute
from sanstone.reconcile.declared import as_declared
from sanstone.reconcile.stages import ports
from sanstone.reconcile.turn import Turn
from sanstone.resources.network.ip_interface import checked_network
from sanstone.resources.network.ip_route import DESTINATION, GATEWAY, on_link
from sanstone.resources.network.service_policies import SERVICE_POLICIES

ROUNDS = 3


def interfaces(turn: Turn) -> Sequence[IpInterface]:
    """Return the wanted LIFs. One whose row the API would not have written fails, and it alone."""
    if turn.lifs is None:
        related = joinedload(IpInterface.svm), joinedload(IpInterface.endpoints)
        query = select(IpInterface).options(*related).filter_by(node_uuid=turn.node_uuid)
        rows = turn.session.scalars(query.order_by(IpInterface.uuid))
        turn.lifs = [lif for lif in rows.unique() if _is_sound(turn, lif)]
    return turn.lifs


def _is_sound(turn: Turn, lif: IpInterface) -> bool:
    try:
        checked_network(lif.address, lif.prefix_length)
    except (ValueError, ApiError) as error:
        turn.fail(lif.owner, f"{lif.address!r} is no address of a LIF: {error}")
        return False
    known = lif.service_policy in SERVICE_POLICIES
    if not known:
        turn.fail(lif.owner, f"there is no service policy {lif.service_policy!r}")
    return known


def wants_address(lif: IpInterface) -> bool:
    """Return whether a LIF is switched on and its SVM runs."""
    return lif.enabled and (lif.svm is None or lif.svm.state == "running")


def reconcile(turn: Turn) -> None:
    """Have every LAG and VLAN, every LIF's address on its port, and every route in its table."""
    made = ports.links(turn)
    complete = net.Desired(ports.settings(turn), _addresses(turn), _routes(turn))
    remembered = turn.memory.network
    if not turn.looks and remembered and remembered[0] == (made, complete):
        _observe(turn, remembered[1])
        return
    state = net.read(turn.host)
    for owner, reason in links.waiting(state.links, made).items():
        turn.fail(owner, reason)
    state = _mend(turn, state, lambda now: links.plan(now.links, made))
    for owner, reason in net.waiting(state, complete).items():
        turn.fail(owner, reason)
    state = _mend(turn, state, lambda now: net.plan(now, complete))
    turn.memory.network = ((made, complete), state)
    _observe(turn, state)


def _mend(turn: Turn, state: net.State, plan: Callable[[net.State], list[Step]]) -> net.State:
    """Carry a plan out, and return the state after it.

    Removing an address, or switching a port, takes along what the kernel derives from it, so that
    a plan may leave something to mend.
    """
    for _ in range(ROUNDS):
        steps = plan(state)
        if not steps:
            break
        failed = turn.apply(steps)
        state = net.read(turn.host)
        if failed:
            break
    return state


def _addresses(turn: Turn) -> tuple[net.DesiredAddress, ...]:
    return tuple(
        net.DesiredAddress(
            lif.port,
            lif.address,
            lif.prefix_length,
            lif.svm.number if lif.svm else net.ARRAY,
            lif.owner,
        )
        for lif in interfaces(turn)
        if wants_address(lif)
    )


def _routes(turn: Turn) -> tuple[net.DesiredRoute, ...]:
    """Return the routes that have a LIF; one may be made before the first LIF, or outlive it."""
    lifs = [lif for lif in interfaces(turn) if wants_address(lif)]
    wanted = []
    for route in turn.session.scalars(select(IpRoute).order_by(IpRoute.uuid)):
        with turn.attempt(route.owner):
            gateway = as_declared(GATEWAY, route.gateway)
            destination = as_declared(DESTINATION, f"{route.address}/{route.prefix_length}")
            if any(on_link(lif, route.svm_uuid, gateway) for lif in lifs):
                table = route.svm.number if route.svm else net.ARRAY
                wanted.append(
                    net.DesiredRoute(table, destination, gateway, route.metric, route.owner)
                )
    return tuple(wanted)


def _observe(turn: Turn, state: net.State) -> None:
    ports.observe(turn, state.links)
    carrier = {link.name: link.up and link.carrier for link in state.links}
    present = {(address.link, address.address) for address in state.addresses}
    lifs: dict[str, dict[str, object]] = {}
    for lif in interfaces(turn):
        there = (lif.port, lif.address) in present
        up = wants_address(lif) and there and carrier.get(lif.port, False)
        lifs[lif.uuid] = {"state": "up" if up else "down", "present": there}
        if wants_address(lif) and there and not up:
            text = f'LIF "{lif.name}" is down: port {lif.port} has no link.'
            turn.conditions[f"lif.down:{lif.uuid}"] = ("alert", "lif.down", text)
    turn.seen[IpInterface.kind] = lifs
    before = turn.memory.lifs
    turn.memory.lifs = {uuid: bool(seen["present"]) for uuid, seen in lifs.items()}
    # What is served at a LIF depends on it, whoever changed it.
    moved = before.items() ^ turn.memory.lifs.items()
    turn.scope.add(f"{IpInterface.kind}:{uuid}" for uuid, _ in moved)


def serving(turn: Turn, lif: IpInterface) -> bool:
    """Return whether a LIF's address is on its port, so that sockets can be bound to it."""
    return wants_address(lif) and turn.memory.lifs.get(lif.uuid, False)
