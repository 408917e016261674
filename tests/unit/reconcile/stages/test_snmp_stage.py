"""SNMP as others see it: net-snmp's agent, with the settings that the array writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scenarios import fabric
from simulator import NODE_UUID, Simulator, simulated
from snmp_agent import AS_ALICE, AS_PUBLIC, PASSWORDS, Agent, agent, receiver

from lab.patience import eventually
from sanstone.core import events, places
from sanstone.core.database.store import writing
from sanstone.reconcile.snmp_objects import MODULE
from sanstone.reconcile.tasks.event_forwarder import Forwarder
from sanstone.security import snmp_keys

SNMP, USERS, HOSTS = "support/snmp", "support/snmp/users", "support/snmp/traphosts"
OURS = "." + ".".join(map(str, MODULE))
SYSTEM, INTERFACES, HOST = ".1.3.6.1.2.1.1", ".1.3.6.1.2.1.2", ".1.3.6.1.2.1.25"
NAME = f"{OURS}.1.1.1.0"
CONTACT = f"{SYSTEM}.4.0"
ALICE = {
    "name": "alice",
    "authentication_method": "usm",
    "snmpv3": {"authentication_protocol": "sha2_256", "privacy_protocol": "aes128", **PASSWORDS},
}


def engine(array: Simulator) -> str:
    """Return the id of the array's engine."""
    return snmp_keys.engine_id(array.get("cluster")["uuid"])


@pytest.fixture(scope="module")
def array(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    """An array that serves, and that alice and the community public may ask."""
    folder = tmp_path_factory.mktemp("array")
    with simulated(folder) as simulator:
        fabric(simulator)
        simulator.do("PATCH", "cluster", {"contact": 'the "team"  # 7', "location": "rack 1"})
        simulator.do("POST", USERS, ALICE)
        simulator.do("POST", USERS, {"name": "public"})
        simulator.do("POST", HOSTS, {"host": "127.0.0.1"})
        simulator.do("POST", HOSTS, {"host": "127.0.0.2", "user": {"name": "alice"}})
        simulator.do("PATCH", SNMP, {"enabled": True, "auth_traps_enabled": True})
        yield simulator


@pytest.fixture(scope="module")
def traps(array: Simulator, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """A receiver of traps: of alice, whose passwords it knows, and of the community public."""
    secrets = f'"{PASSWORDS["authentication_password"]}" AES "{PASSWORDS["privacy_password"]}"'
    settings = (
        f"createUser -e 0x{engine(array)} alice SHA-256 {secrets}\n"
        "authUser log alice priv\nauthCommunity log public\n"
    )
    with receiver(tmp_path_factory.mktemp("receiver"), settings) as sink:
        yield sink


@pytest.fixture(scope="module")
def snmp(
    array: Simulator, traps: tuple[int, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Agent]:
    """The agent, once it knows our objects."""
    with agent(array, tmp_path_factory.mktemp("agent"), traps[0]) as snmp_agent:
        eventually(lambda: snmp_agent.walk(AS_PUBLIC, NAME) == {NAME: "array"})
        yield snmp_agent


def test_a_community_and_a_user_read_the_standard_objects(snmp: Agent) -> None:
    for who in (AS_PUBLIC, AS_ALICE):
        objects = snmp.walk(who, SYSTEM)
        assert objects[CONTACT] == 'the "team"  # 7'
        assert objects[f"{SYSTEM}.5.0"] == "array" and objects[f"{SYSTEM}.6.0"] == "rack 1"
        assert objects[f"{SYSTEM}.2.0"] == OURS
        assert snmp.walk(who, INTERFACES) and snmp.walk(who, f"{HOST}.2")
    assert not any(oid.startswith(f"{HOST}.4.") for oid in snmp.walk(AS_PUBLIC, HOST)), "programs"


@pytest.mark.parametrize(
    "who",
    [
        ("-v", "2c", "-c", "private"),
        ("-v", "1", "-c", "public"),
        ("-v", "3", "-u", "mallory", "-l", "noAuthNoPriv"),
        (*AS_ALICE[:4], "-l", "authNoPriv", "-a", "SHA-256", "-A", AS_ALICE[11]),
        tuple("another secret" if word == AS_ALICE[11] else word for word in AS_ALICE),
    ],
    ids=["another community", "SNMPv1", "another user", "unencrypted", "wrong password"],
)
def test_nobody_else_is_answered(snmp: Agent, who: tuple[str, ...]) -> None:
    answer = snmp.ask("snmpget", (*who, "-t", "1", "-r", "0"), CONTACT)
    assert answer.returncode and not answer.stdout


def test_nobody_changes_anything(snmp: Agent) -> None:
    for name in (CONTACT, NAME):
        answer = snmp.ask("snmpset", AS_ALICE, name, "s", "mine")
        assert "noAccess" in answer.stderr or "notWritable" in answer.stderr


def test_the_arrays_own_objects_are_those_that_it_shows(snmp: Agent) -> None:
    array, objects = snmp.array, snmp.walk(AS_ALICE, OURS)
    assert objects[NAME] == "array"
    assert objects[f"{OURS}.1.1.2.0"] == array.get("cluster")["serial_number"]
    namespaces = array.get("storage/namespaces")["num_records"]
    assert objects[f"{OURS}.1.1.9.0"] == str(namespaces) == "1"
    assert objects[f"{OURS}.1.2.1.2.{_index(NODE_UUID)}"] == "array-01"
    [aggregate] = array.get("storage/aggregates?fields=space")["records"]
    row = _index(aggregate["uuid"])
    space = aggregate["space"]["block_storage"]
    assert objects[f"{OURS}.1.3.1.2.{row}"] == aggregate["name"]
    assert objects[f"{OURS}.1.3.1.3.{row}"] == "1", "online"
    assert objects[f"{OURS}.1.3.1.4.{row}"] == str(space["size"])
    [volume] = array.get("storage/volumes?fields=svm,size")["records"]
    row = _index(volume["uuid"])
    columns = [objects[f"{OURS}.1.4.1.{column}.{row}"] for column in (2, 3, 4, 6, 7)]
    assert columns == [volume["svm"]["name"], volume["name"], str(volume["size"]), "0", "1"]
    disks = [record["name"] for record in array.get("storage/disks")["records"]]
    states = [f"{OURS}.1.5.1.2.{'.'.join(map(str, name.encode()))}" for name in disks]
    assert [objects[state] for state in states] == ["1"] * len(disks), "present"


def _index(uuid: str) -> str:
    return ".".join(str(octet) for octet in bytes.fromhex(uuid.replace("-", "")))


def test_important_events_are_sent_as_traps(
    snmp: Agent, array: Simulator, traps: tuple[int, Path]
) -> None:
    forwarder = Forwarder(array.database)
    with writing(array.database) as session:
        events.emit(session, events.NOTICE, "quiet", "Nothing to speak of.")
        events.emit(session, events.ALERT, "raid.degraded", "A disk is missing.")
    forwarder.forward(0.0)
    array.do("PATCH", SNMP, {"trigger_test_trap": True})
    forwarder.forward(0.0)
    log = traps[1]
    eventually(lambda: log.read_text().count("snmp.test.trap") >= 2)
    lines = [line for line in log.read_text().splitlines() if f"{OURS}.0.1" in line]
    assert len(lines) == 4, "both by both"
    event_object = f"{OURS}.1.6"
    for line in lines:
        if "raid.degraded" in line:
            assert f"{event_object}.2.0 = 2" in line and f'{event_object}.5.0 = "array-01"' in line
            assert f'{event_object}.3.0 = "A disk is missing."' in line
    destination = array.get("support/ems/destinations/snmp-traphost?fields=*")
    assert destination["destination"] == "127.0.0.1, 127.0.0.2"
    assert destination["connectivity"]["state"] == "success"


def test_failed_logins_are_sent_as_traps(snmp: Agent, traps: tuple[int, Path]) -> None:
    snmp.ask("snmpget", ("-v", "2c", "-c", "guessed", "-t", "1", "-r", "0"), CONTACT)
    eventually(lambda: ".1.3.6.1.6.3.1.1.5.5" in traps[1].read_text())


def test_the_agent_keeps_no_user(snmp: Agent) -> None:
    configuration = "".join(p.read_text() for p in (snmp.folder / "agent/kept").rglob("*.conf"))
    assert "engineBoots" in configuration and "usmUser" not in configuration


def test_a_disabled_agent_has_no_settings(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        files, path = array.kernel.files, str(places.snmp_settings())
        array.do("POST", USERS, ALICE)
        assert not files.exists(path)
        array.do("PATCH", SNMP, {"enabled": True})
        assert (
            "alice" in bytes.fromhex(files.read(path).split("usmUser")[1].split()[3][2:-2]).decode()
        )
        array.do("PATCH", SNMP, {"enabled": False})
        assert not files.exists(path)
