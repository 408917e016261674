"""Texts that clients keep with a LUN."""

from __future__ import annotations

from in_process import Array

LUNS = "storage/luns"


def test_attributes_come_and_go_with_their_lun(api: Array) -> None:
    api.disks(8)
    api.aggregate()
    api.svm()
    api.volume()
    lun = api.lun(attributes=[{"name": "fstype", "value": "ext4"}])
    path = f"{LUNS}/{lun['uuid']}"
    assert "attributes" not in api.get(path)
    attributes = api.get(f"{path}?fields=attributes")["attributes"]
    assert attributes == [{"name": "fstype", "value": "ext4"}]
    api.refuse("POST", f"{path}/attributes", "5374932", {"name": "fstype", "value": "xfs"})
    api.patch(f"{path}/attributes/fstype", {"value": "xfs"})
    assert api.get(f"{path}/attributes/fstype")["value"] == "xfs"
    response = api.call("POST", f"{path}/attributes", {"name": "https://a/b", "value": "x"})
    place = response.headers["Location"].removeprefix("/api/")
    assert api.get(place)["name"] == "https://a/b"
    api.delete(place)
    api.refuse("PATCH", f"{path}/attributes/none", "5374931", {"value": "x"})
    api.delete(path)
    assert api.contents()["lun_attribute"] == []
