"""The power is cut while the reconciler works off changes; all that was accepted is there."""

from __future__ import annotations

from snapshot import steps_of_a_pass

from lab.administrator import MIB, Administrator, Record
from lab.api import Refused
from lab.patience import eventually
from lab.station import Array

LUNS, MAPS = "storage/luns", "protocols/san/lun-maps"
CUTS = 10
"""Each costs a boot, so each has changes of every kind under way, and nothing is waited for but
these. At which step of one it comes is nobody's choice; that each is survived,
`tests/unit/reconcile/test_crash.py` shows."""
SIZE = 8 * MIB


class Changes:
    """Accepted changes in a volume, which must be there whatever happens to the power."""

    def __init__(self, admin: Administrator, volume: Record) -> None:
        self._admin, self._volume = admin, volume
        self._snapshots = f"storage/volumes/{volume['uuid']}/snapshots"
        self._igroup = admin.add_igroup("cut", "iqn.2026-11.org.sanstone.lab:nobody")
        self.sizes = dict[str, int]()
        self.mapped = set[str]()
        self.snapshots = set[str]()

    def accept(self, cut: int) -> None:
        """Have one of each kind accepted, and wait for none: the LUNs changed are of the last."""
        for kind in ("kept", "removed"):
            self._create(f"/vol/{self._volume['name']}/{kind}{cut}")
        if cut:
            kept, removed = (
                f"/vol/{self._volume['name']}/{kind}{cut - 1}" for kind in ("kept", "removed")
            )
            self._send("PATCH", f"{LUNS}/{self._uuid(kept)}", {"space.size": 2 * SIZE})
            self.sizes[kept] = 2 * SIZE
            map_ = {"svm.name": self._admin.svm, "lun.name": kept, "igroup.name": "cut"}
            self._send("POST", MAPS, map_)
            self.mapped.add(kept)
            self._send("DELETE", f"{LUNS}/{self._uuid(removed)}")
            del self.sizes[removed]
        self._send("POST", self._snapshots, {"name": f"cut{cut}"})
        self.snapshots.add(f"cut{cut}")

    def are_there(self) -> bool:
        """Return whether the array has the accepted objects, and no others; no until it answers."""
        try:
            return self._are_there()
        except (Refused, OSError):
            return False

    def _are_there(self) -> bool:
        api = self._admin.api
        within = {"location.volume.name": self._volume["name"]}
        luns = api.get(LUNS, fields="name,space.size,status.state", **within)["records"]
        maps = api.get(MAPS, **{"igroup.name": "cut", "fields": "lun.name"})["records"]
        snapshots = api.get(self._snapshots, fields="name")["records"]
        under_way = api.get("cluster/jobs", state="queued|running|paused")["records"]
        return (
            not under_way
            and {lun["name"]: lun["space"]["size"] for lun in luns} == self.sizes
            and all(lun["status"]["state"] == "online" for lun in luns)
            and {each["lun"]["name"] for each in maps} == self.mapped
            and {each["name"] for each in snapshots} == self.snapshots
        )

    def clear(self) -> None:
        """Remove everything."""
        self._admin.remove("protocols/san/igroups", self._igroup, allow_delete_while_mapped="true")
        self._admin.remove("storage/volumes", self._volume)

    def _create(self, path: str) -> None:
        body = {"svm.name": self._admin.svm, "name": path, "os_type": "linux", "space.size": SIZE}
        self._send("POST", LUNS, body)
        self.sizes[path] = SIZE

    def _send(self, method: str, path: str, body: Record | None = None) -> None:
        self._admin.api.send(method, path, body, return_timeout="0")

    def _uuid(self, path: str) -> str:
        [lun] = self._admin.api.get(LUNS, name=path)["records"]
        return str(lun["uuid"])


def test_nothing_accepted_is_lost(array: Array, admin: Administrator) -> None:
    changes = Changes(admin, admin.add_volume("vol_cut"))
    for cut in range(CUTS):
        changes.accept(cut)
        array.power_off_hard()
        array.start()
        eventually(changes.are_there)
    array.wait()
    assert steps_of_a_pass(array) == ""
    changes.clear()
