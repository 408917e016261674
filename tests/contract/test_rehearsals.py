"""Each request has a dry run, which reports its changes and makes none.

test_conflicts has the refusals of dry runs.
"""

from __future__ import annotations

from typing import Any

import examples
import pytest
from examples import HOST_IQN, HOST_NQN, Example
from furnished_array import FurnishedArray, error

from sanstone.resources.declared import RESOURCES

TRIED = "dry_run=true"
CREATED = [example for example in examples.EXAMPLES if example.another]
CHANGED = [(e, change) for e in examples.EXAMPLES for change in e.changes]
DELETED = [r.path for r in RESOURCES if "DELETE" in r.methods and r.path in examples.BY_PATH]
GIB = 1 << 30


def tried(
    array: FurnishedArray, method: str, path: str, body: Any = None, query: str = ""
) -> dict[str, Any]:
    """Return the dry run of a request."""
    with array.unchanged():
        response = array.send(method, path, body, f"{query}&{TRIED}" if query else TRIED)
    assert response.status_code == 200, response.get_data(as_text=True)
    answer: dict[str, Any] = response.get_json()
    return answer


@pytest.mark.parametrize("example", CREATED, ids=lambda example: example.path)
def test_a_creation_is_reported_and_not_done(array: FurnishedArray, example: Example) -> None:
    preview = tried(array, "POST", array.collection(example.path), example.another)
    assert preview["refusals"] or preview["changes"]
    response = array.send("POST", array.collection(example.path), example.another)
    assert (response.status_code < 300) == (not preview["refusals"])


@pytest.mark.parametrize(("example", "body"), CHANGED, ids=lambda part: getattr(part, "path", ""))
def test_a_change_is_reported_and_not_done(
    array: FurnishedArray, example: Example, body: dict[str, Any]
) -> None:
    preview = tried(array, "PATCH", array.first(example.path), body)
    assert preview["refusals"] == []


@pytest.mark.parametrize("path", DELETED)
def test_a_deletion_is_reported_and_not_done(array: FurnishedArray, path: str) -> None:
    place = array.first(path)
    preview = tried(array, "DELETE", place)
    response = array.send("DELETE", place, None)
    assert (response.status_code < 300) == (not preview["refusals"]), preview


def test_all_wrong_fields_are_reported_at_once(array: FurnishedArray) -> None:
    body = {"svm.name": "nowhere", "name": "a/b", "size": "much", "colour": "red"}
    preview = tried(array, "POST", "storage/volumes", body)
    targets = {each.get("target") for each in preview["refusals"]}
    assert {"svm", "name", "size", "colour"} <= targets


def test_a_volumes_deletion_lists_its_objects_and_users(array: FurnishedArray) -> None:
    simulator, svm = array.simulator, {"svm.name": "svm1"}
    volume = simulator.make("storage/volumes", svm | {"name": "doomed", "size": GIB})
    for name in ("lun1", "lun2"):
        body = {"name": f"/vol/doomed/{name}", "os_type": "linux", "space.size": GIB >> 4}
        simulator.make("storage/luns", svm | body)
    [igroup, *_] = simulator.get(f"protocols/san/igroups?initiators.name={HOST_IQN}")["records"]
    lun_map = {"lun.name": "/vol/doomed/lun1", "igroup.name": igroup["name"]}
    simulator.make("protocols/san/lun-maps", svm | lun_map)
    preview = tried(array, "DELETE", f"storage/volumes/{volume['uuid']}")
    assert ["lun1" in each["message"] for each in preview["refusals"]] == [True]
    falls = {(c["action"], c["path"], c.get("name")) for c in preview["changes"]}
    assert falls == {
        ("delete", "storage/volumes", "doomed"),
        ("delete", "storage/luns", "/vol/doomed/lun1"),
        ("delete", "storage/luns", "/vol/doomed/lun2"),
        ("delete", "protocols/san/lun-maps", f"/vol/doomed/lun1 - {igroup['name']}"),
    }
    assert preview["hosts"] == [{"protocol": "iscsi", "name": HOST_IQN}]


def test_a_subsystems_deletion_lists_both_refusals_and_its_host(array: FurnishedArray) -> None:
    preview = tried(array, "DELETE", array.first("protocols/nvme/subsystems"))
    assert len(preview["refusals"]) == 2
    assert preview["hosts"] == [{"protocol": "nvme", "name": HOST_NQN}]


def test_capacity_before_and_after_is_reported(array: FurnishedArray) -> None:
    aggregate = array.simulator.get("storage/aggregates?fields=space.block_storage.size")
    [first, *_] = aggregate["records"]
    body = {"svm.name": "svm1", "name": "huge", "size": 900 << 40}
    body["aggregates"] = [{"name": first["name"]}]
    [capacity] = tried(array, "POST", "storage/volumes", body)["aggregates"]
    assert capacity["after"]["provisioned"] - capacity["before"]["provisioned"] == 900 << 40
    assert capacity["after"]["size"] == first["space"]["block_storage"]["size"]
    assert (
        capacity["after"]["overcommitment_percent"]
        > 1000
        > capacity["before"]["overcommitment_percent"]
    )


def test_a_new_aggregates_usable_capacity_is_reported(array: FurnishedArray) -> None:
    body = examples.BY_PATH["storage/aggregates"].another
    [capacity] = tried(array, "POST", "storage/aggregates", body)["aggregates"]
    assert "before" not in capacity
    array.simulator.do("POST", "storage/aggregates", body)
    query = f"storage/aggregates?name={body['name']}&fields=space.block_storage.size"
    [record] = array.simulator.get(query)["records"]
    assert capacity["after"]["size"] == pytest.approx(
        record["space"]["block_storage"]["size"], rel=0.05
    )


def test_an_action_cannot_be_tried(array: FurnishedArray) -> None:
    body = {"name": "admin", "password": "another pass 2"}
    response = array.send("POST", "security/authentication/password", body, TRIED)
    assert (response.status_code, error(response)["target"]) == (400, "dry_run")


def test_the_audit_log_has_real_changes_only(array: FurnishedArray) -> None:
    def newest() -> dict[str, Any]:
        path = "security/audit/messages?order_by=index desc&max_records=1&fields=input"
        [entry] = array.simulator.get(path)["records"]
        return dict(entry)

    before, place = newest(), array.first("storage/volumes")
    array.send("PATCH", place, {"comment": "x"}, TRIED)
    assert newest() == before
    array.send("PATCH", place, {"comment": "x"}, "dry_run=false")
    assert newest()["input"].startswith(f"PATCH /api/{place}?dry_run=false")
