"""Which snapshots of a volume go by themselves: settings, and what the API shows of them."""

from __future__ import annotations

import pytest
from beginnings import prepared_once
from in_process import GIB, Array

PATH = "storage/volumes"
BODY = {"name": "v", "svm": {"name": "svm1"}, "size": GIB}
DEFAULTS = {
    "enabled": False,
    "trigger": "volume",
    "target_free_space": 20,
    "delete_order": "oldest_first",
    "defer_delete": "user_created",
    "commitment": "try",
    "prefix": "",
}


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with the aggregate aggr1 and the SVM svm1."""
    api.disks(12)
    api.aggregate()
    api.svm()
    return api


def test_none_goes_unless_that_is_switched_on(array: Array) -> None:
    created = array.make(PATH, BODY)
    assert created["space"]["snapshot"]["autodelete"] == DEFAULTS
    assert created["space"]["mgmt_try_first"] == "volume_grow"


def test_what_is_set_is_shown(array: Array) -> None:
    sent = {
        "enabled": True,
        "trigger": "snap_reserve",
        "target_free_space": 30,
        "delete_order": "newest_first",
        "defer_delete": "prefix",
        "commitment": "destroy",
        "prefix": "pve_",
    }
    path = f"{PATH}/{array.make(PATH, BODY)['uuid']}"
    array.patch(path, {"space.snapshot.autodelete": sent, "space.mgmt_try_first": "snap_delete"})
    shown = array.get(path)["space"]
    assert (shown["snapshot"]["autodelete"], shown["mgmt_try_first"]) == (sent, "snap_delete")
    array.patch(path, {"comment": "as it was"})
    assert array.get(path)["space"]["snapshot"]["autodelete"] == sent
