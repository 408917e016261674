"""LUN maps and subsystem maps alike: what messages say, and what a request costs."""

from __future__ import annotations

import pytest
from beginnings import prepared_once
from counted_calls import Calls
from exports import KINDS, NVME, SCSI, Kind, prepare
from in_process import Array

from sanstone.core import jobs

DEVICES = 12


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array where all LUNs and namespaces but the last ones are mapped."""
    prepare(api, DEVICES)
    for kind in KINDS:
        kind.make_group(api, kind.group)
        for number in range(DEVICES - 1):
            api.make(kind.maps, kind.entry(number, kind.group))
    return api


@pytest.mark.parametrize(
    ("kind", "code", "message"),
    [
        (SCSI, "1254207", 'LUN "/vol/vol1/lun0" is already mapped to igroup "igroup".'),
        (NVME, "72089790", '"/vol/vol1/namespace0" is already mapped to subsystem "subsystem".'),
    ],
)
def test_a_device_that_is_mapped_already(array: Array, kind: Kind, code: str, message: str) -> None:
    error = array.refuse("POST", kind.maps, code, kind.entry(0, kind.group))
    assert error["message"] == message and error["target"] == kind.device


@pytest.mark.parametrize(
    ("kind", "code", "message"),
    [
        (SCSI, "5374878", 'LUN "/vol/vol1/lun0" and igroup "far" must be in the same SVM.'),
        (NVME, "72090020", '"/vol/vol1/namespace0" and subsystem "far" must be in the same SVM.'),
    ],
)
def test_a_group_of_another_svm(array: Array, kind: Kind, code: str, message: str) -> None:
    array.svm("svm2", nvme={"enabled": True})
    far = array.make(kind.groups, {"svm.name": "svm2", "name": "far", "os_type": "linux"})
    body = kind.entry(0, "far") | {f"{kind.group}.uuid": far["uuid"]}
    del body[f"{kind.group}.name"]
    error = array.refuse("POST", kind.maps, code, body)
    assert error["message"] == message and error["target"] == kind.group


@pytest.mark.parametrize(("kind", "most"), [(SCSI, 670), (NVME, 640)])
def test_calls_of_a_new_map(
    array: Array, monkeypatch: pytest.MonkeyPatch, kind: Kind, most: int
) -> None:
    calls, body = Calls(), kind.entry(DEVICES - 1, kind.group)

    def reconcile() -> None:
        with calls.pausing():
            array.reconcile()

    monkeypatch.setattr(jobs, "wake", reconcile)
    with calls.counting():
        response = array.call("POST", f"{kind.maps}?return_records=true", body)
    assert response.status_code == 201
    assert calls.total() <= most, calls.most()


@pytest.mark.parametrize(("kind", "most"), [(SCSI, 1000), (NVME, 800)])
def test_calls_of_a_list(array: Array, kind: Kind, most: int) -> None:
    calls = Calls()
    with calls.counting():
        records = array.records(f"{kind.maps}?fields=**")
    assert len(records) == DEVICES - 1
    assert calls.total() <= most, calls.most()
