"""The nodes that show a LUN map: the one there is."""

from __future__ import annotations

import pytest
from beginnings import prepared_once
from in_process import NODE_UUID, Array


@pytest.fixture
@prepared_once
def path(api: Array) -> str:
    """The reporting nodes of a map."""
    api.disks(4)
    api.aggregate()
    api.svm()
    api.volume()
    lun = api.lun()
    body = {"svm.name": "svm1", "name": "hosts", "os_type": "linux"}
    igroup = api.make("protocols/san/igroups", body)
    api.make(
        "protocols/san/lun-maps",
        {"lun.uuid": lun["uuid"], "igroup.uuid": igroup["uuid"]},
    )
    return f"protocols/san/lun-maps/{lun['uuid']}/{igroup['uuid']}/reporting-nodes"


def test_the_node_is_there_from_the_start(api: Array, path: str) -> None:
    [record] = api.records(path)
    assert (record["name"], record["uuid"]) == ("array1-01", NODE_UUID)
    assert api.get(f"{path}/{NODE_UUID}")["name"] == "array1-01"


def test_the_last_one_stays(api: Array, path: str) -> None:
    api.refuse("DELETE", f"{path}/{NODE_UUID}", "5374608")
