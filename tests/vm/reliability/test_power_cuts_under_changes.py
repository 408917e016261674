"""The power is cut while the reconciler works off changes; all that was accepted is there."""

from __future__ import annotations

from snapshot import steps_of_a_pass

from lab.administrator import MIB, Administrator
from lab.patience import eventually
from lab.station import Array

LUNS = "storage/luns"
CUTS, CHANGES = 4, 4
"""Each cut costs a boot. At which step of a change one comes is nobody's choice; that each is
survived, `tests/unit/reconcile/test_crash.py` shows."""


def accept(admin: Administrator, path: str) -> None:
    """Have a LUN accepted, and wait for nothing."""
    body = {"svm.name": admin.svm, "name": path, "os_type": "linux", "space.size": 8 * MIB}
    admin.api.send("POST", LUNS, body, return_timeout="0")


def online(admin: Administrator) -> set[str]:
    """Return the LUNs that can be mapped."""
    found = admin.api.get(LUNS, fields="name,status.state")["records"]
    return {lun["name"] for lun in found if lun["status"]["state"] == "online"}


def test_nothing_accepted_is_lost(array: Array, admin: Administrator) -> None:
    volume = admin.add_volume("vol_cut")
    accepted = set[str]()
    for cut in range(CUTS):
        for number in range(CHANGES):
            path = f"/vol/vol_cut/lun{cut}_{number}"
            accept(admin, path)
            accepted.add(path)
        array.power_off_hard()
        array.boot()
        eventually(lambda: accepted <= online(admin))
    assert steps_of_a_pass(array) == ""
    admin.remove("storage/volumes", volume)
