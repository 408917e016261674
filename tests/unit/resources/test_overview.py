"""The array at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from in_process import NODE_UUID, Array
from logins import account, as_, role
from sqlalchemy import event

from sanstone.core import events
from sanstone.core.database.store import writing

PATH = "cluster/overview"


@pytest.fixture
def two(api: Array) -> Array:
    """Two SVMs, each with a volume and two LUNs; one LUN of svm2 is disabled."""
    api.disks(4)
    api.aggregate()
    for svm in ("svm1", "svm2"):
        api.svm(svm)
        api.volume("vol1", svm=svm)
        for number in (1, 2):
            api.lun(f"/vol/vol1/lun{number}", svm=svm)
    api.reconcile()
    lun = api.records("storage/luns?svm.name=svm2")[0]
    api.patch(f"storage/luns/{lun['uuid']}", {"enabled": False})
    return api


def counts(overview: dict[str, Any]) -> dict[tuple[str, str], int]:
    return {(each["kind"], each.get("state", "")): each["count"] for each in overview["objects"]}


def states(array: Array, path: str, name: str) -> dict[str, int]:
    """Count the states that a list shows."""
    numbers: dict[str, int] = {}
    for record in array.records(f"{path}?fields={name}"):
        value: Any = record
        for part in name.split("."):
            value = value[part]
        numbers[value] = numbers.get(value, 0) + 1
    return numbers


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("storage/luns", "status.state"),
        ("storage/volumes", "state"),
        ("storage/aggregates", "state"),
        ("storage/disks", "state"),
        ("svm/svms", "state"),
    ],
)
def test_counts_are_those_of_the_lists(two: Array, path: str, field: str) -> None:
    numbers = {state: n for (kind, state), n in counts(two.get(PATH)).items() if kind == path}
    assert numbers == states(two, path, field)


def test_a_fault_makes_a_lun_offline_and_is_shown(two: Array) -> None:
    lun = two.records("storage/luns?svm.name=svm1")[0]
    two.observe("storage/luns", lun["uuid"], "its device is gone")
    record = two.get(PATH)
    assert counts(record)["storage/luns", "offline"] == 2
    assert record["health"] == "degraded"
    assert record["faults"]["count"] == 1
    (fault,) = record["faults"]["some"]
    assert (fault["key"], fault["message"]) == (lun["uuid"], "its device is gone")


def test_an_aggregate_that_is_offline_is_a_failure(two: Array) -> None:
    (aggregate,) = two.records("storage/aggregates")
    two.observe("storage/aggregates", aggregate["uuid"], state="offline", size=100, used=40)
    record = two.get(PATH)
    assert record["health"] == "failed"
    (figures,) = record["aggregates"]
    assert (figures["state"], figures["size"], figures["used"]) == ("offline", 100, 40)
    assert counts(record)["storage/luns", "offline"] == 4


def test_alerts_are_those_that_last_and_nobody_acknowledged(two: Array) -> None:
    before = two.get(PATH)["alerts"]["count"]
    with writing(two.client.application.extensions["sanstone"]) as session:
        conditions = {
            str(n): events.Condition(events.ERROR, "pool.x", f"the {n}th") for n in range(8)
        }
        events.set_conditions(session, NODE_UUID, conditions)
    alerts = two.get(PATH)["alerts"]
    assert (alerts["count"], len(alerts["newest"])) == (8, 6)
    newest = alerts["newest"][0]
    assert newest["message"] == "the 7th" and newest["severity"] == "error"
    two.patch(f"support/ems/events/{newest['index']}", {"acknowledged.state": True})
    assert two.get(PATH)["alerts"]["count"] == 7
    assert before in (0, 1)


def test_connected_hosts_are_counted_once(two: Array) -> None:
    (svm, other) = (each["uuid"] for each in two.records("svm/svms"))
    for number, (owner, name) in enumerate([(svm, "a"), (svm, "a"), (other, "b")]):
        facts = {"svm": owner, "initiator": f"iqn.2020-01.org.example:{name}", "tag": 1}
        two.observe("protocols/san/iscsi/sessions", str(number), **facts)
    assert two.get(PATH)["hosts"] == 2


def test_hosts_of_every_transport_are_counted(two: Array) -> None:
    (svm, _) = (each["uuid"] for each in two.records("svm/svms"))
    for number, protocol in enumerate(("fcp", "fcp", "fc_nvme")):
        facts = {"svm": svm, "wwpn": "21:00:00:11:22:33:44:55", "protocol": protocol}
        two.observe("network/fc/logins", str(number), **facts)
    facts = {"svm": svm, "initiator": "fe80000000000000:0002c90300a1b2c3"}
    two.observe("protocols/san/srp/sessions", "1", **facts)
    facts = {"subsystem": "of nobody", "host_nqn": "nqn.2014-08.org.example:a"}
    two.observe("protocols/nvme/subsystem-controllers", "1", **facts)
    assert two.get(PATH)["hosts"] == 3


def test_an_svm_account_gets_its_svms_overview(two: Array) -> None:
    account(two, "vsadmin", "vsadmin", owner={"name": "svm2"})
    overview = as_(two, "vsadmin", "GET", PATH).get_json()
    numbers = counts(overview)
    assert numbers["storage/luns", "online"] == numbers["storage/luns", "offline"] == 1
    assert numbers["svm/svms", "running"] == 1
    assert not {"storage/aggregates", "storage/disks"} & {kind for kind, _ in numbers}
    assert not {"aggregates", "alerts", "faults"} & overview.keys()


def test_a_role_gets_the_counts_that_it_may_list(two: Array) -> None:
    role(two, "few", cluster__overview="readonly", storage__luns="readonly")
    account(two, "someone", "few")
    overview = as_(two, "someone", "GET", PATH).get_json()
    assert {kind for kind, _ in counts(overview)} == {"storage/luns"}
    assert not {"aggregates", "alerts", "faults", "hosts", "iops"} & overview.keys()


@pytest.fixture
def queries(two: Array) -> Iterator[list[str]]:
    """The statements to the database, as they happen."""
    engine = two.client.application.extensions["sanstone"]
    statements: list[str] = []

    def note(_c: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        statements.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield statements
    event.remove(engine, "before_cursor_execute", note)


def test_the_overview_costs_the_same_with_more_luns(two: Array, queries: list[str]) -> None:
    two.get(PATH)
    before = len(queries)
    for number in range(3, 9):
        two.lun(f"/vol/vol1/lun{number}", svm="svm1")
    queries.clear()
    two.get(PATH)
    assert len(queries) == before
