"""Observations of the machine itself, and its settings."""

from __future__ import annotations

import errno
import json
import sqlite3
from contextlib import closing

import pytest
from scenarios import MIB
from simulator import Simulator

from fakes.files import Text
from sanstone.core.database import store
from sanstone.kernel.host import FileError
from sanstone.kernel.web import destination
from sanstone.reconcile.stages.node import NAMES, NAMES_EVENT, TIME, TIME_EVENT

REQUIRED = destination.require_permitted
EVENTS = "support/ems/events?fields=message.name&message.name=node.memory*"


def leave(array: Simulator, mebibytes: int, *, quick: bool = False) -> None:
    """Let as much memory be left, and a pass see it."""
    text = f"MemTotal:        8388608 kB\nMemAvailable:    {mebibytes * 1024} kB\n"
    array.kernel.files.place("/proc/meminfo", Text(text))
    if quick:
        array.wake()
    else:
        array.settle()


def memory_events(array: Simulator) -> list[str]:
    records = array.get(EVENTS)["records"]
    return sorted(record["message"]["name"] for record in records)


def test_a_memory_shortage_and_its_end_are_one_event_each(array: Simulator) -> None:
    for free in (4096, 255, 200, 255, 300):
        leave(array, free)
    assert memory_events(array) == ["node.memory.low"]
    leave(array, 4096)
    assert memory_events(array) == ["node.memory.low", "node.memory.low.resolved"]


def test_a_pass_for_the_api_reads_the_free_memory(array: Simulator) -> None:
    leave(array, 200, quick=True)
    assert memory_events(array) == ["node.memory.low"]
    record = array.get("cluster/nodes?fields=controller,uptime")["records"][0]
    assert record["controller"] == {"cpu": {"count": 2}, "memory_size": 8192 * MIB}
    assert record["uptime"] == 100


def test_the_machine_has_the_name_of_the_array(array: Simulator) -> None:
    def name() -> str:
        return array.kernel.files.read("/proc/sys/kernel/hostname")

    assert name() == array.get("cluster")["name"]
    array.do("PATCH", "cluster", {"name": "san2"})
    assert name() == "san2"
    array.kernel.files.write("/proc/sys/kernel/hostname", "localhost")
    array.settle()
    assert name() == "san2"


def test_name_servers_are_written_for_the_resolver(array: Simulator) -> None:
    files = array.kernel.files
    assert not files.exists(NAMES)
    settings = {"name_servers": ["192.0.2.53", "2001:db8::53"], "dns_domains": ["san.example.org"]}
    array.do("PATCH", "cluster", settings)
    assert files.read(NAMES).splitlines() == [
        "[Resolve]",
        "DNS=192.0.2.53 2001:db8::53",
        "Domains=san.example.org ~.",
    ]
    array.do("PATCH", "cluster", {"name_servers": []})
    assert files.read(NAMES).splitlines() == ["[Resolve]", "Domains=san.example.org"]
    array.do("PATCH", "cluster", {"name_servers": ["192.0.2.53"], "dns_domains": []})
    assert files.read(NAMES).splitlines() == ["[Resolve]", "DNS=192.0.2.53", "Domains=~."]
    array.do("PATCH", "cluster", {"name_servers": []})
    assert not files.exists(NAMES)


def test_time_servers_are_written_for_chrony(array: Simulator) -> None:
    files = array.kernel.files
    assert not files.exists(TIME)
    for server in ("ntp.example.org", "192.0.2.123"):
        array.do("POST", "cluster/ntp/servers", {"server": server})
    assert files.read(TIME) == "server 192.0.2.123 iburst\nserver ntp.example.org iburst"
    array.do("DELETE", "cluster/ntp/servers/192.0.2.123")
    assert files.read(TIME) == "server ntp.example.org iburst"
    array.do("DELETE", "cluster/ntp/servers/ntp.example.org")
    assert not files.exists(TIME)


def test_unchanged_settings_are_not_written_again_but_lost_ones_are(array: Simulator) -> None:
    array.do("PATCH", "cluster", {"name_servers": ["192.0.2.53"]})
    array.do("POST", "cluster/ntp/servers", {"server": "192.0.2.123"})
    before = len(array.kernel.interrupt.log)
    array.settle()
    assert array.kernel.interrupt.log[before:] == []
    contents = [array.kernel.files.read(path) for path in (NAMES, TIME)]
    array.reboot()
    array.settle()
    assert [array.kernel.files.read(path) for path in (NAMES, TIME)] == contents


@pytest.mark.parametrize(
    ("path", "method", "body", "place"),
    [
        ("cluster", "PATCH", {"name_servers": ["192.0.2.53"]}, NAMES),
        ("cluster/ntp/servers", "POST", {"server": "192.0.2.123"}, TIME),
    ],
)
def test_a_file_that_cannot_be_written_fails_the_change(
    array: Simulator, path: str, method: str, body: dict[str, object], place: str
) -> None:
    refusal = FileError("replace", place, errno.ENOSPC)
    array.kernel.fail_when(lambda step: step.startswith(f"replace {place}"), refusal)
    job = array.call(method, path, body).get_json()["job"]
    ended = array.get(f"cluster/jobs/{job['uuid']}")
    assert ended["state"] == "failure"
    assert place in ended["error"]["message"]
    assert array.get("cluster")["name_servers"] == []
    assert array.get("cluster")["ntp_servers"] == []


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses are looked at as on an array; in tests others are taken too."""
    monkeypatch.setattr(destination, "require_permitted", REQUIRED)


def leave_behind(statement: str, *values: object) -> None:
    """Write a value that an older release accepted."""
    with closing(sqlite3.connect(store.path())) as database, database:
        database.execute(statement, values)


def active(array: Simulator, name: str) -> list[str]:
    """Return the messages of lasting events of a name."""
    query = f"support/ems/events?message.name={name}&active=true&fields=log_message"
    return [str(event["log_message"]) for event in array.get(query)["records"]]


@pytest.mark.usefixtures("strict")
def test_a_name_server_that_is_refused_by_now_costs_no_other_setting(array: Simulator) -> None:
    servers = ["127.0.0.1", "192.0.2.53"]
    leave_behind("UPDATE cluster SET name_servers = ?", json.dumps(servers))
    array.do("PATCH", "cluster", {"dns_domains": ["san.example.org"], "name": "san2"})
    assert array.kernel.files.read(NAMES).splitlines() == [
        "[Resolve]",
        "DNS=192.0.2.53",
        "Domains=san.example.org ~.",
    ]
    [message] = active(array, NAMES_EVENT)
    assert "'127.0.0.1' is left out" in message
    array.do("PATCH", "cluster", {"name_servers": ["192.0.2.53"]})
    assert active(array, NAMES_EVENT) == []


@pytest.mark.usefixtures("strict")
def test_a_time_server_that_is_refused_by_now_costs_no_other(array: Simulator) -> None:
    uuid = "00000000-0000-4000-8000-000000000001"
    leave_behind("INSERT INTO ntp_server (server, uuid) VALUES (?, ?)", "localhost", uuid)
    array.do("POST", "cluster/ntp/servers", {"server": "ntp.example.org"})
    assert array.kernel.files.read(TIME) == "server ntp.example.org iburst"
    [message] = active(array, TIME_EVENT)
    assert "'localhost' is left out" in message
    array.do("DELETE", "cluster/ntp/servers/localhost")
    assert active(array, TIME_EVENT) == []
