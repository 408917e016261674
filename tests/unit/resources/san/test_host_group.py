"""Igroups and subsystems alike: names, and the end of a group with its last map."""

from __future__ import annotations

import pytest
from beginnings import prepared_once
from exports import KINDS, NVME, SCSI, Kind, prepare
from in_process import Array

each_kind = pytest.mark.parametrize("kind", KINDS, ids=["igroup", "subsystem"])


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with two LUNs and two namespaces."""
    prepare(api, 2)
    return api


@each_kind
def test_a_group_goes_with_its_last_map_where_it_says_so(array: Array, kind: Kind) -> None:
    kind.make_group(array, "short", delete_on_unmap=True)
    for number in range(2):
        array.make(kind.maps, kind.entry(number, "short"))
    kind.unmap(array, 0)
    assert [record["name"] for record in array.records(kind.groups)] == ["short"]
    kind.unmap(array, 1)
    assert array.records(kind.groups) == []


@each_kind
def test_it_goes_with_the_last_device_too(array: Array, kind: Kind) -> None:
    kind.make_group(array, "short", delete_on_unmap=True)
    array.make(kind.maps, kind.entry(0, "short"))
    array.delete(f"{kind.devices}?name={kind.path(0)}&allow_delete_while_mapped=true")
    assert array.records(kind.groups) == []
    kind.make_group(array, "short")


@each_kind
def test_others_stay(array: Array, kind: Kind) -> None:
    created = kind.make_group(array, "long")
    array.make(kind.maps, kind.entry(0, "long"))
    kind.unmap(array, 0)
    record = array.get(f"{kind.groups}/{created['uuid']}?fields=**")
    assert len(record[kind.hosts]) == 1 and record["delete_on_unmap"] is False


@each_kind
def test_what_a_request_leaves_out_stays(array: Array, kind: Kind) -> None:
    created = kind.make_group(array, "hosts", comment="web", delete_on_unmap=True)
    path = f"{kind.groups}/{created['uuid']}"
    array.patch(path, {"comment": "mail"})
    assert array.get(path)["delete_on_unmap"] is True
    array.patch(path, {"delete_on_unmap": False})
    assert array.get(path)["comment"] == "mail"


def test_igroups_in_an_igroup_stay_when_it_goes_with_its_last_map(array: Array) -> None:
    inner = SCSI.make_group(array, "inner")
    body = {"name": "outer", "os_type": "linux", "delete_on_unmap": True, "svm.name": "svm1"}
    array.make(SCSI.groups, body | {"igroups": [{"name": "inner"}]})
    array.make(SCSI.maps, SCSI.entry(0, "outer"))
    SCSI.unmap(array, 0)
    [record] = array.records(f"{SCSI.groups}?fields=**")
    assert record["uuid"] == inner["uuid"] and record["parent_igroups"] == []


def test_a_name_is_one_groups_of_either_kind(array: Array) -> None:
    SCSI.make_group(array, "one")
    NVME.make_group(array, "two")
    for kind, name, code, noun in (
        (SCSI, "one", "5374023", "Igroup"),
        (SCSI, "two", "5374023", "Subsystem"),
        (NVME, "one", "72090043", "Igroup"),
        (NVME, "two", "72090025", "Subsystem"),
    ):
        body = {"name": name, "os_type": "linux", "svm.name": "svm1"}
        error = array.refuse("POST", kind.groups, code, body)
        assert error["message"] == f'{noun} "{name}" already exists in the SVM.'
        assert error["target"] == "name"
