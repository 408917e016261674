"""QoS policies: kept, but what could not be obeyed is not assigned."""

from __future__ import annotations

import pytest
from beginnings import begun
from in_process import Array

PATH, LUNS = "storage/qos/policies", "storage/luns"
SVM = {"svm.name": "svm1"}


@pytest.fixture
@begun
def array(api: Array) -> Array:
    """An array with a volume."""
    api.disks(8)
    api.aggregate()
    api.svm()
    api.volume()
    return api


def test_a_limit_that_could_not_be_kept_is_not_assigned(array: Array) -> None:
    array.make(PATH, {**SVM, "name": "limit", "fixed.max_throughput_iops": 800})
    array.make(PATH, {**SVM, "name": "scale", "adaptive": {"expected_iops": 1, "peak_iops": 2}})
    uuid = array.lun()["uuid"]
    for name in ("limit", "scale"):
        array.refuse("PATCH", f"{LUNS}/{uuid}", "5375059", {"qos_policy": {"name": name}})
    array.refuse("PATCH", f"{LUNS}/{uuid}", "8454243", {"qos_policy": {"name": "no_such"}})


def test_one_without_limits_is_and_stays_so(array: Array) -> None:
    free = array.make(PATH, {**SVM, "name": "free"})
    assert free["fixed"]["max_throughput_iops"] == 0
    lun = array.lun(qos_policy={"name": "free"})
    assert lun["qos_policy"]["name"] == "free"
    path = f"{PATH}/{free['uuid']}"
    assert array.get(path)["object_count"] == 1
    array.refuse("PATCH", path, "5375059", {"fixed.max_throughput_iops": 1})
    array.refuse("DELETE", path, "8")
    for nothing in ({"name": "none"}, {"name": ""}, None):
        array.patch(f"{LUNS}/{lun['uuid']}", {"qos_policy": {"name": "free"}})
        array.patch(f"{LUNS}/{lun['uuid']}", {"qos_policy": nothing})
        assert "qos_policy" not in array.get(f"{LUNS}/{lun['uuid']}")
    array.patch(f"{LUNS}/{lun['uuid']}", {"qos_policy": {}})
    array.delete(path)


def test_one_of_another_svm_is_unknown(array: Array) -> None:
    array.svm("svm2")
    other = array.make(PATH, {"svm.name": "svm2", "name": "free"})
    lun = array.lun()
    for policy in ({"name": "free"}, {"uuid": other["uuid"]}):
        array.refuse("PATCH", f"{LUNS}/{lun['uuid']}", "8454243", {"qos_policy": policy})
        array.refuse("PATCH", "storage/volumes?name=vol1", "8454243", {"qos.policy": policy})


def test_members_merge_and_must_agree(array: Array) -> None:
    made = array.make(PATH, {**SVM, "name": "p", "fixed": {"max_throughput_iops": 10}})
    path = f"{PATH}/{made['uuid']}"
    array.patch(path, {"fixed": {"min_throughput_iops": 5}})
    fixed = array.get(path)["fixed"]
    assert (fixed["max_throughput_iops"], fixed["min_throughput_iops"]) == (10, 5)
    array.refuse("PATCH", path, "8454194", {"fixed": {"min_throughput_iops": 11}})
    array.refuse("PATCH", path, "8454389", {"adaptive": {"peak_iops": 5}})
    adaptive = {"expected_iops": 5, "peak_iops": 4}
    array.refuse("POST", PATH, "8454274", {**SVM, "name": "q", "adaptive": adaptive})
    array.refuse("POST", PATH, "8454273", {**SVM, "name": "q", "adaptive": {"peak_iops": 4}})
