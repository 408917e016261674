"""QoS policies: their limits, and the objects that may have one."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array

PATH, LUNS = "storage/qos/policies", "storage/luns"
SVM = {"svm.name": "svm1"}


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with a volume."""
    api.disks(8)
    api.aggregate()
    api.svm()
    api.volume()
    return api


def policy(array: Array, name: str = "limit", svm: str = "svm1", **members: Any) -> dict[str, Any]:
    """Add a policy of 800 operations per second, or with other members."""
    fixed = {"fixed": {"max_throughput_iops": 800}}
    return array.make(PATH, {"svm.name": svm, "name": name, **(members or fixed)})


def test_a_limit_is_assigned_at_creation_and_later(array: Array) -> None:
    limit = policy(array)
    policy(array, "scale", adaptive={"expected_iops": 1, "peak_iops": 2})
    lun = array.lun(qos_policy={"name": "limit"})
    path = f"{LUNS}/{lun['uuid']}"
    assert lun["qos_policy"]["uuid"] == limit["uuid"]
    array.patch(path, {"qos_policy.name": "scale"})
    assert array.get(path)["qos_policy"]["name"] == "scale"
    array.refuse("PATCH", path, "8454243", {"qos_policy": {"name": "no_such"}})


def test_a_minimum_is_kept_by_nobody_and_refused(array: Array) -> None:
    minimum = policy(array, "least", fixed={"min_throughput_iops": 100})
    policy(array)
    path = f"{LUNS}/{array.lun()['uuid']}"
    for member in ("min_throughput_iops", "min_throughput_mbps"):
        array.patch(f"{PATH}/{minimum['uuid']}", {"fixed": {member: 5}})
        error = array.refuse("PATCH", path, "5375059", {"qos_policy.name": "least"})
        assert "guarantees a minimum" in error["message"]
        array.patch(f"{PATH}/{minimum['uuid']}", {"fixed": {member: 0}})
    array.patch(path, {"qos_policy.name": "limit"})
    limit = f"{PATH}?name=limit"
    array.refuse("PATCH", limit, "5375059", {"fixed": {"min_throughput_iops": 5}})
    array.patch(limit, {"fixed": {"max_throughput_iops": 5}})


def test_a_kernel_that_limits_nothing(array: Array) -> None:
    [node] = array.records("cluster/nodes")
    array.observe("cluster/nodes", node["uuid"], limits_throughput=False)
    policy(array)
    free = policy(array, "free", fixed={})
    path = f"{LUNS}/{array.lun()['uuid']}"
    error = array.refuse("PATCH", path, "5375059", {"qos_policy.name": "limit"})
    assert "kernel" in error["message"]
    array.patch(path, {"qos_policy.name": "free"})
    array.refuse(
        "PATCH", f"{PATH}/{free['uuid']}", "5375059", {"fixed": {"max_throughput_iops": 1}}
    )


def test_a_lun_and_its_volume_have_no_policies_at_once(array: Array) -> None:
    policy(array)
    volume, svm = "storage/volumes?name=vol1", f"svm/svms/{array.lun()['svm']['uuid']}"
    [lun] = array.get(LUNS)["records"]
    for path, name in ((volume, "qos.policy"), (svm, "qos_policy")):
        array.patch(path, {f"{name}.name": "limit"})
        array.refuse("PATCH", f"{LUNS}/{lun['uuid']}", "5375059", {"qos_policy.name": "limit"})
        another = {"name": "/vol/vol1/lun2", "svm": "svm1", "os_type": "linux", "space.size": "1GB"}
        array.refuse("POST", LUNS, "5375059", another | {"qos_policy.name": "limit"})
        array.patch(path, {name: None})
        array.patch(f"{LUNS}/{lun['uuid']}", {"qos_policy.name": "limit"})
        array.refuse("PATCH", path, "5375059", {f"{name}.name": "limit"})
        array.patch(f"{LUNS}/{lun['uuid']}", {"qos_policy": None})


def test_a_volume_and_its_svm_may_both_have_one(array: Array) -> None:
    policy(array)
    svm = f"svm/svms/{array.get('storage/volumes?fields=svm')['records'][0]['svm']['uuid']}"
    array.patch("storage/volumes?name=vol1", {"qos.policy.name": "limit"})
    array.patch(svm, {"qos_policy": "limit"})
    assert array.get(svm)["qos_policy"]["name"] == "limit"
    assert array.get(f"{PATH}?name=limit&fields=object_count")["records"][0]["object_count"] == 2
    array.refuse("DELETE", f"{PATH}?name=limit", "8")
    array.patch(svm, {"qos_policy": ""})
    assert "qos_policy" not in array.get(svm)


def test_policies_that_an_svm_cannot_have_are_refused(array: Array) -> None:
    array.svm("svm2")
    other = policy(array, "other", svm="svm2")
    policy(array, "scale", adaptive={"expected_iops": 1, "peak_iops": 2})
    svm = "svm/svms?name=svm1"
    array.refuse("PATCH", svm, "8454243", {"qos_policy.uuid": other["uuid"]})
    error = array.refuse("PATCH", svm, "5375059", {"qos_policy": "scale"})
    assert "adaptive" in error["message"]


def test_an_svm_goes_with_its_assignment(array: Array) -> None:
    array.svm("svm2")
    other_policy = policy(array, "other", svm="svm2")
    array.patch("svm/svms?name=svm2", {"qos_policy": "other"})
    array.refuse("DELETE", "svm/svms?name=svm2", "8")
    array.patch("svm/svms?name=svm2", {"qos_policy": None})
    array.delete(f"{PATH}/{other_policy['uuid']}")
    array.delete("svm/svms?name=svm2")


def test_a_policy_without_limits_is_assigned_and_removed(array: Array) -> None:
    free = array.make(PATH, {**SVM, "name": "free"})
    assert free["fixed"]["max_throughput_iops"] == 0
    lun = array.lun(qos_policy={"name": "free"})
    assert lun["qos_policy"]["name"] == "free"
    path = f"{PATH}/{free['uuid']}"
    assert array.get(path)["object_count"] == 1
    array.patch(path, {"fixed.max_throughput_iops": 1})
    array.patch(path, {"fixed.max_throughput_iops": 0})
    array.refuse("DELETE", path, "8")
    for nothing in ({"name": "none"}, {"name": ""}, None):
        array.patch(f"{LUNS}/{lun['uuid']}", {"qos_policy": {"name": "free"}})
        array.patch(f"{LUNS}/{lun['uuid']}", {"qos_policy": nothing})
        assert "qos_policy" not in array.get(f"{LUNS}/{lun['uuid']}")
    array.patch(f"{LUNS}/{lun['uuid']}", {"qos_policy": {}})
    array.delete(path)


def test_a_policy_of_another_svm_is_unknown(array: Array) -> None:
    array.svm("svm2")
    other = array.make(PATH, {"svm.name": "svm2", "name": "free"})
    lun = array.lun()
    for policy in ({"name": "free"}, {"uuid": other["uuid"]}):
        array.refuse("PATCH", f"{LUNS}/{lun['uuid']}", "8454243", {"qos_policy": policy})
        array.refuse("PATCH", "storage/volumes?name=vol1", "8454243", {"qos.policy": policy})


def test_members_merge_and_must_agree(array: Array) -> None:
    created = array.make(PATH, {**SVM, "name": "p", "fixed": {"max_throughput_iops": 10}})
    path = f"{PATH}/{created['uuid']}"
    array.patch(path, {"fixed": {"min_throughput_iops": 5}})
    fixed = array.get(path)["fixed"]
    assert (fixed["max_throughput_iops"], fixed["min_throughput_iops"]) == (10, 5)
    array.refuse("PATCH", path, "8454194", {"fixed": {"min_throughput_iops": 11}})
    array.refuse("PATCH", path, "8454389", {"adaptive": {"peak_iops": 5}})
    adaptive = {"expected_iops": 5, "peak_iops": 4}
    array.refuse("POST", PATH, "8454274", {**SVM, "name": "q", "adaptive": adaptive})
    array.refuse("POST", PATH, "8454273", {**SVM, "name": "q", "adaptive": {"peak_iops": 4}})
