"""Thin devices in the machine."""

from __future__ import annotations

import pytest
from scenarios import MIB, aggregate, san, svm, volume
from simulator import Simulator

from fakes.backstores import Backstore
from fakes.files import Text
from sanstone.kernel.storage import dm
from sanstone.kernel.target import reservations
from sanstone.reconcile.stages import devices


def test_the_reservations_of_a_lun_go_with_it(array: Simulator) -> None:
    san(array)
    lun = array.get("storage/luns?fields=serial_number")["records"][0]
    saved = f"{reservations.DATABASE}/pr/aptpl_{lun['serial_number']}"
    other = f"{reservations.DATABASE}/pr/aptpl_another"
    for path in (saved, other):
        array.kernel.files.place(path, Text("PR_REG_START: 0\n"))
    array.settle()
    assert array.kernel.host.files.exists(saved)
    array.do("DELETE", f"storage/luns/{lun['uuid']}?allow_delete_while_mapped=true")
    assert not array.kernel.host.files.exists(saved)
    assert array.kernel.host.files.exists(other)


def test_the_use_of_many_devices_is_read_in_turns(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "SMALLEST_SHARD", 2)
    aggregate(array)
    svm(array)
    volume(array)
    body = {"svm.name": "svm1", "os_type": "linux", "space.size": 64 * MIB}
    for number in range(3):
        array.do("POST", "storage/luns", body | {"name": f"/vol/vol1/lun{number}"})
    monkeypatch.setattr(dm, "used", lambda _host, _uuid: MIB)
    for _ in range(2):
        array.settle()
    records = array.get("storage/luns?fields=space.used")["records"]
    assert [record["space"]["used"] for record in records] == [MIB] * 3


def test_hosts_are_told_that_their_lun_grew(array: Simulator) -> None:
    san(array)
    lun = array.get("storage/luns?fields=serial_number,space.size")["records"][0]
    hba = array.kernel.configfs.lio.core.children[f"iblock_{int(lun['serial_number'], 16)}"]
    served = hba.children[lun["uuid"]]
    assert isinstance(served, Backstore)
    before = served.told_size
    array.do("PATCH", f"storage/luns/{lun['uuid']}", {"space.size": 2 * lun["space"]["size"]})
    assert served.told_size == 2 * before
