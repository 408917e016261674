"""Registrations at iSNS servers, and their state in the API."""

from __future__ import annotations

from typing import Any

import pytest
from scenarios import san
from simulator import Simulator

from sanstone.kernel.network import isns
from sanstone.kernel.network.isns import Entity
from sanstone.reconcile.tasks import isns_registrar
from sanstone.reconcile.tasks.isns_registrar import IsnsMemory, IsnsRegistrar

ISNS, EVENTS = "protocols/san/iscsi/isns", "support/ems/events"
SERVER = "10.10.1.53"


class Server:
    """An iSNS server that takes all registrations, unless it is silent."""

    def __init__(self) -> None:
        self.entities: dict[str, Entity] = {}
        self.silent = False

    def register(self, server: str, source: str, entity: Entity, *, replaces: bool) -> None:
        """Take a registration."""
        self._answer()
        self.entities[entity.name] = entity

    def deregister(self, server: str, source: str, name: str, target: str) -> None:
        """Forget an entity."""
        self._answer()
        del self.entities[name]

    def _answer(self) -> None:
        if self.silent:
            raise TimeoutError("timed out")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    """The server."""
    fake = Server()
    monkeypatch.setattr(isns_registrar, "isns_client", fake)
    return fake


@pytest.fixture
def registered(array: Simulator, server: Server) -> Simulator:
    """An array that is to register the target of its SVM."""
    san(array)
    array.make(ISNS, {"svm.name": "svm1", "address": SERVER})
    work(array)
    return array


def work(array: Simulator) -> None:
    """Have a process register the desired entities, and the reconciler take in the results."""
    array.settle()
    IsnsRegistrar(array.reconciler.memory.of(IsnsMemory)).register()
    array.settle()


def registration(array: Simulator) -> dict[str, Any]:
    """Return the registration."""
    [record] = array.get(f"{ISNS}?fields=**")["records"]
    return dict(record)


def path(array: Simulator) -> str:
    """Return the registration's path."""
    return f"{ISNS}/{registration(array)['svm']['uuid']}"


def active_messages(array: Simulator) -> list[str]:
    """Return the active events about it."""
    events = array.get(f"{EVENTS}?message.name=isns.failed&active=true&fields=log_message")
    return [event["log_message"] for event in events["records"]]


def test_a_target_is_registered_with_its_portals(registered: Simulator, server: Server) -> None:
    [service] = registered.get("protocols/san/iscsi/services?fields=target")["records"]
    record = registration(registered)
    assert (record["state"], "message" in record) == ("registered", False)
    assert "last_registration_time" in record
    entity = server.entities[record["entity_id"]]
    assert (entity.target, entity.alias) == (service["target"]["name"], "svm1")
    groups = registered.kernel.files.listdir(
        f"/sys/kernel/config/target/iscsi/{service['target']['name']}"
    )
    tags = sorted(int(name.removeprefix("tpgt_")) for name in groups if name.startswith("tpgt_"))
    portals = sorted((portal.address, portal.port) for portal in entity.portals)
    assert portals == [("10.10.1.1", 3260), ("10.10.2.1", 3260)]
    assert sorted(portal.tag for portal in entity.portals) == tags


@pytest.mark.parametrize(
    ("collection", "change"),
    [
        (ISNS, {"enabled": False}),
        ("protocols/san/iscsi/services", {"enabled": False}),
        (ISNS, None),
    ],
)
def test_a_stopped_service_is_deregistered_after_a_start_too(
    registered: Simulator, server: Server, collection: str, change: dict[str, Any] | None
) -> None:
    uuid = registration(registered)["svm"]["uuid"]
    registered.do("PATCH" if change else "DELETE", f"{collection}/{uuid}", change)
    registered.start()
    work(registered)
    assert server.entities == {}
    if change:
        assert registration(registered)["state"] == (
            "disabled" if collection == ISNS else "pending"
        )


def test_a_stopped_svm_has_no_address_to_take_it_back_from_so_it_is_left_to_be_forgotten(
    registered: Simulator, server: Server
) -> None:
    registered.do(
        "PATCH", f"svm/svms/{registration(registered)['svm']['uuid']}", {"state": "stopped"}
    )
    work(registered)
    assert server.entities
    assert (registration(registered)["state"], active_messages(registered)) == ("pending", [])


def test_a_lif_that_goes_is_no_portal_any_more(registered: Simulator, server: Server) -> None:
    registered.do("DELETE", "network/ip/interfaces?name=lif2")
    work(registered)
    [entity] = server.entities.values()
    assert [portal.address for portal in entity.portals] == ["10.10.1.1"]


def test_a_silent_server_is_an_event(array: Simulator, server: Server) -> None:
    server.silent = True
    san(array)
    array.make(ISNS, {"svm.name": "svm1", "address": SERVER})
    assert registration(array)["state"] == "pending"
    work(array)
    assert (registration(array)["state"], registration(array)["message"]) == ("failed", "timed out")
    [message] = active_messages(array)
    assert message == (
        f'The iSCSI target of SVM "svm1" is not registered at iSNS server {SERVER}: timed out.'
    )
    server.silent = False
    work(array)
    assert registration(array)["state"] == "registered"
    assert active_messages(array) == []


def test_a_confirmation_is_no_change_for_clients(
    registered: Simulator, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = registered.get("cluster/changes")["counter"]
    monkeypatch.setattr(isns, "PERIOD", isns.PERIOD + 100)
    work(registered)
    changed = registered.get(f"cluster/changes?after={before}")["records"]
    assert ISNS not in {each["kind"] for each in changed}


def test_an_update_registers_it_anew_at_once(registered: Simulator, server: Server) -> None:
    registrar = IsnsRegistrar(registered.reconciler.memory.of(IsnsMemory))
    registrar.register()
    server.entities.clear()
    registrar.register()
    assert server.entities == {}, "it is not due"
    registered.do("POST", f"{path(registered)}/update", {})
    registrar.register()
    assert list(server.entities) == [registration(registered)["entity_id"]]


def test_a_disabled_registration_is_not_updated(registered: Simulator) -> None:
    uuid = registration(registered)["svm"]["uuid"]
    service = f"protocols/san/iscsi/services/{uuid}"
    for place, what in ((path(registered), "registration"), (service, "service")):
        registered.do("PATCH", place, {"enabled": False})
        answer = registered.call("POST", f"{path(registered)}/update", {})
        assert answer.status_code == 409
        assert what in answer.get_json()["error"]["message"]
        registered.do("PATCH", place, {"enabled": True})


def test_a_service_of_iscsi_is_needed(array: Simulator) -> None:
    array.make("svm/svms", {"name": "svm9"})
    answer = array.call("POST", ISNS, {"svm.name": "svm9", "address": SERVER})
    assert answer.status_code == 409
    assert "no iSCSI service" in answer.get_data(as_text=True)
