"""Checks of the array after a sequence, once it is at rest."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import Any
from urllib.parse import quote

from sqlalchemy import select, update

from fakes import FakeKernel
from fuzz.array import FuzzedArray
from fuzz.checks import broken
from sanstone.core.database import store
from sanstone.core.database.change import Removal
from sanstone.core.jobs import FAILURE, SUCCESS, Job
from sanstone.kernel import names
from sanstone.model.nvme import Namespace
from sanstone.model.san import Lun
from sanstone.model.volumes import Snapshot, SnapshotMember

FORCED = {
    "storage/luns": "allow_delete_while_mapped=true",
    "storage/namespaces": "allow_delete_while_mapped=true",
    "protocols/san/igroups": "allow_delete_while_mapped=true",
    "protocols/san/portsets": "allow_delete_while_bound=true",
    "protocols/nvme/subsystems": "allow_delete_while_mapped=true&allow_delete_with_hosts=true",
    "storage/volumes": "force=true",
}
"""Options with which all can be deleted, whatever hosts have of it."""
DELETION_ORDER = (
    *("protocols/san/lun-maps", "protocols/nvme/subsystem-maps", "application/consistency-groups"),
    *("storage/luns", "storage/namespaces", "storage/volumes", "protocols/san/igroups"),
    *("protocols/san/portsets", "protocols/nvme/subsystems", "protocols/san/iscsi/credentials"),
    *("protocols/san/iscsi/isns", "network/ip/routes"),
    *("network/ip/interfaces", "network/fc/interfaces"),
    *("protocols/san/iscsi/services", "protocols/san/fcp/services", "protocols/nvme/services"),
    *("protocols/san/srp/services", "network/fc/wwpn-aliases", "storage/qos/policies"),
    *("storage/snapshot-policies", "svm/svms", "storage/aggregates"),
)
"""The resources that hosts use, in an order in which all can be deleted: as on ONTAP, the NVMe
service goes after the LIFs that serve NVMe alone (its error 72089654)."""
ALWAYS_DONE = re.compile(r"revalidate_size|/ctrl1/state")
"""After every start namespaces look at their sizes again, whether they grew or not. The furnished
array's host stays connected whatever is done to it."""
BUILT_IN = re.compile(r"^(default.*|none)$")


class Rest:
    """Checks an array between two sequences."""

    def __init__(self, array: FuzzedArray) -> None:
        self._array = array

    def check(self) -> None:
        """Check an array at rest. Raises Broken."""
        simulator = self._array.simulator
        self._array.readmit()
        simulator.settle()
        simulator.reconciler.look_thoroughly()
        simulator.settle()
        self._check_database()
        self._check_devices()
        self._check_idle()

    def empty(self) -> None:
        """Delete all that hosts use, one by one, and check that nothing is left. Raises Broken."""
        with store.writing(self._array.simulator.database) as session:
            # Their time has come.
            session.execute(update(Snapshot).values(expiry_time=None))
        for path in DELETION_ORDER:
            for _ in range(3):
                remaining = self._delete_all(path)
                if not remaining:
                    break
            if remaining:
                broken(f"{path} cannot be deleted: {remaining}")
        self._array.simulator.settle()
        self._check_database()
        self._check_idle()
        kernel = self._array.simulator.kernel
        if remaining := self._remains(kernel):
            broken(f"all was deleted, yet the kernel has {remaining}")

    def _delete_all(self, path: str) -> list[str]:
        """Delete all of a resource; return the refusals, with the reason."""
        refused = []
        for record in self._records(path):
            place = record["_links"]["self"]["href"].removeprefix("/api/")
            if path == "storage/snapshot-policies" and BUILT_IN.match(record["name"]):
                continue
            if place.endswith("/default"):
                # The credential of all other initiators goes with the service.
                continue
            if path == "storage/volumes":
                self._delete_below(f"{place}/snapshots")
            if path.endswith("/services"):
                self._array.simulator.call("PATCH", place, {"enabled": False})
            forced = FORCED.get(path)
            answer = self._array.ask("DELETE", f"{place}?{forced}" if forced else place)
            if answer.status_code == 404 or answer.status_code < 300:
                continue
            refused.append(f"{place}: {answer.get_data(as_text=True)}")
        return refused

    def _records(self, path: str) -> list[dict[str, Any]]:
        """Return the records of a resource. Raises Broken when the array does not answer."""
        answer = self._array.ask("GET", path)
        if answer.status_code != 200:
            broken(f"GET {path}: {answer.status_code} {answer.get_data(as_text=True)}")
        records: list[dict[str, Any]] = answer.get_json()["records"]
        return records

    def _delete_below(self, path: str) -> None:
        for record in self._records(path):
            self._array.ask("DELETE", f"{path}/{quote(record['uuid'])}")

    def _check_database(self) -> None:
        with store.reading(self._array.simulator.database) as session:
            if states := set(session.scalars(select(Job.state))) - {SUCCESS, FAILURE}:
                broken(f"jobs that do not end: {states}")
            if removals := session.scalars(select(Removal.owner)).all():
                broken(f"not destroyed: {removals}")
        with closing(sqlite3.connect(store.path())) as connection:
            if astray := connection.execute("PRAGMA foreign_key_check").fetchall():
                broken(f"rows that refer to nothing: {astray}")
            [[verdict]] = connection.execute("PRAGMA integrity_check(1)").fetchall()
            if verdict != "ok":
                broken(f"SQLite says of the database: {verdict}")

    def _check_devices(self) -> None:
        """Check that each pool has the devices of the rows, and no others."""
        groups = self._array.simulator.kernel.storage.groups.groups.values()
        pools = {f"{group.name}-pool": group.pool for group in groups if group.pool}
        expected: dict[str, set[int]] = {name: set() for name in pools}
        with store.reading(self._array.simulator.database) as session:
            for kind in (Lun, Namespace):
                for row in session.scalars(select(kind)):
                    pool = names.pool_device(row.volume.aggregate_uuid)
                    expected[pool].add(row.thin_id)
            for member in session.scalars(select(SnapshotMember)):
                pool = names.pool_device(member.snapshot.volume.aggregate_uuid)
                expected[pool].add(member.thin_id)
        there = {name: set(pool.volumes) for name, pool in pools.items()}
        if there != expected:
            broken(f"pools hold {there} instead of {expected}")

    def _check_idle(self) -> None:
        """Check that a reconciler that looks at everything finds nothing to do."""
        simulator = self._array.simulator
        log = simulator.kernel.interrupt.log
        simulator.start()
        before = len(log)
        simulator.settle()
        if done := [step for step in log[before:] if not ALWAYS_DONE.search(step)]:
            broken(f"the reconciler is never done: {done}")

    def _remains(self, kernel: FakeKernel) -> list[str]:
        """Return the kernel's objects that a machine without exports must not have."""
        remains = [device.name for device in kernel.mapper.devices()]
        remains += list(kernel.storage.groups.groups)
        root = "/sys/kernel/config/nvmet"
        remains += [f"subsystem {n}" for n in kernel.files.listdir(f"{root}/subsystems")]
        remains += [f"port {n}" for n in kernel.files.listdir(f"{root}/ports")]
        targets = "/sys/kernel/config/target/iscsi"
        if kernel.files.exists(targets):
            remains += [n for n in kernel.files.listdir(targets) if n.startswith(("iqn", "eui"))]
        return remains
