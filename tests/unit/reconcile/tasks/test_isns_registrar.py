"""Targets are registered at iSNS servers, confirmed in time, and taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from standing_clock import Clock

from sanstone.kernel.network import isns
from sanstone.kernel.network.isns import Entity, Portal
from sanstone.reconcile.tasks import isns_registrar
from sanstone.reconcile.tasks.isns_registrar import (
    AGAIN,
    PERIOD,
    IsnsMemory,
    IsnsRegistrar,
    Registered,
    Registration,
)

SERVER, OTHER = "10.10.1.53", "10.10.1.54"
LIFS = ("fd00::1", "10.10.1.1", "10.10.2.1")
ENTITY = Entity("sanstone:1", "iqn.x:1", "one", tuple(Portal(ip, 3260, 1) for ip in LIFS))


class Servers:
    """The questions to servers."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, ...]] = []
        self.silent: set[tuple[str, str]] = set()
        """Servers and the addresses by which they cannot be reached."""
        self.refusing = 0

    def register(self, server: str, source: str, entity: Entity, *, replaces: bool) -> None:
        """Take a registration."""
        self._ask(server, source, "replace" if replaces else "confirm", entity.name)

    def deregister(self, server: str, source: str, name: str, target: str) -> None:
        """Take an end."""
        self._ask(server, source, "end", name)

    def _ask(self, server: str, source: str, what: str, name: str) -> None:
        self.requests.append((server, source, what, name))
        if (server, source) in self.silent:
            raise ConnectionRefusedError("refused")
        if self.refusing:
            raise isns.Refused(self.refusing)

    def take_requests(self) -> list[tuple[str, ...]]:
        """Return the requests since the last call: server, source address, kind."""
        requests, self.requests = self.requests, []
        return [each[:3] for each in requests]


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Servers:
    """The servers."""
    fakes = Servers()
    monkeypatch.setattr(isns_registrar, "isns_client", fakes)
    return fakes


@pytest.fixture
def memory() -> IsnsMemory:
    """One SVM that is to be registered."""
    return IsnsMemory({"1": Registration(SERVER, ENTITY)}, {"1": LIFS}, {})


def test_an_entity_is_registered_and_confirmed_in_time(
    servers: Servers, memory: IsnsMemory, clock: Clock
) -> None:
    registrar = IsnsRegistrar(memory)
    registrar.register()
    assert servers.take_requests() == [(SERVER, "10.10.1.1", "replace")]
    assert memory.registered == {
        "1": Registered(SERVER, "sanstone:1", "iqn.x:1", clock.now + isns.PERIOD)
    }
    clock.now += PERIOD - 1
    registrar.register()
    assert servers.take_requests() == []
    clock.now += 2
    registrar.register()
    assert servers.take_requests() == [(SERVER, "10.10.1.1", "confirm")]
    assert isns.PERIOD >= 2 * PERIOD, "one may be lost"


def test_a_changed_entity_is_registered_at_once(servers: Servers, memory: IsnsMemory) -> None:
    registrar = IsnsRegistrar(memory)
    registrar.register()
    entity = replace(ENTITY, portals=ENTITY.portals[:1])
    memory.desired = {"1": Registration(SERVER, entity)}
    servers.take_requests()
    registrar.register()
    assert servers.take_requests() == [(SERVER, "10.10.1.1", "replace")]


def test_an_order_replaces_the_servers_registration_at_once(
    servers: Servers, memory: IsnsMemory
) -> None:
    registrar = IsnsRegistrar(memory)
    registrar.register()
    servers.take_requests()
    memory.ordered = {"1", "of none"}
    registrar.register()
    assert servers.take_requests() == [(SERVER, "10.10.1.1", "replace")]
    registrar.register()
    assert servers.take_requests() == []


def test_another_lif_is_tried_and_then_time_passes(
    servers: Servers, memory: IsnsMemory, clock: Clock
) -> None:
    servers.silent = {(SERVER, "10.10.1.1")}
    registrar = IsnsRegistrar(memory)
    registrar.register()
    assert [each[1] for each in servers.take_requests()] == ["10.10.1.1", "10.10.2.1"]
    assert memory.errors == {}
    servers.silent |= {(SERVER, "10.10.2.1")}
    clock.now += PERIOD
    registrar.register()
    assert memory.errors == {"1": "refused"}
    servers.take_requests()
    servers.silent = set()
    registrar.register()
    assert servers.take_requests() == []
    clock.now += AGAIN
    registrar.register()
    assert memory.errors == {} and servers.take_requests()


def test_a_refusal_of_the_server_is_an_error(servers: Servers, memory: IsnsMemory) -> None:
    servers.refusing = 8
    IsnsRegistrar(memory).register()
    assert memory.errors == {"1": "it refuses: source unauthorized"}
    assert memory.registered == {}


def test_a_server_without_a_lif_of_its_ip_version_is_an_error(
    servers: Servers, memory: IsnsMemory
) -> None:
    memory.sources = {"1": ("fd00::1",)}
    IsnsRegistrar(memory).register()
    assert memory.errors == {"1": "no LIF of the SVM serves iSCSI at an IPv4 address now"}


def test_a_new_server_takes_the_place_of_the_old(servers: Servers, memory: IsnsMemory) -> None:
    registrar = IsnsRegistrar(memory)
    registrar.register()
    memory.desired = {"1": Registration(OTHER, ENTITY)}
    servers.take_requests()
    registrar.register()
    ends = [(server, what) for server, _, what in servers.take_requests()]
    assert ends == [(SERVER, "end"), (OTHER, "replace")]
    assert memory.registered is not None and memory.registered["1"].server == OTHER


def test_a_registration_of_an_earlier_process_is_withdrawn(
    servers: Servers, memory: IsnsMemory, clock: Clock
) -> None:
    memory.desired = {}
    memory.registered = {"1": Registered(SERVER, "sanstone:1", "iqn.x:1", clock.now + isns.PERIOD)}
    IsnsRegistrar(memory).register()
    assert servers.take_requests() == [(SERVER, "10.10.1.1", "end")]
    assert memory.registered == {}


def test_a_server_that_is_gone_has_forgotten_it_in_the_end(
    servers: Servers, memory: IsnsMemory, clock: Clock
) -> None:
    registrar = IsnsRegistrar(memory)
    registrar.register()
    memory.desired = {}
    servers.silent = {(SERVER, each) for each in LIFS}
    registrar.register()
    assert memory.registered
    clock.now += isns.PERIOD
    registrar.register()
    assert memory.registered == {}


def test_nothing_is_done_before_it_is_known_what_was(servers: Servers, memory: IsnsMemory) -> None:
    memory.registered = None
    IsnsRegistrar(memory).register()
    assert servers.take_requests() == []
