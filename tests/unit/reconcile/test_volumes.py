"""Thin devices in the machine."""

from __future__ import annotations

from scenarios import san
from simulator import Simulator

from sanstone.kernel import reservations
from sanstone.kernel.fake.files import Text


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
