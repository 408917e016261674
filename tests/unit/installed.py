"""A simulated array that was installed on a system disk, and so can be updated.

systemd's start of `sanstone-software` runs the worker at once, in the pass that asked for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from simulator import Simulator
from sqlalchemy import text
from system_disk import Package, SystemDisk

from sanstone.core import jobs
from sanstone.system import boot_order, slot_report, slots, trial
from sanstone.system.worker import Worker

URL = "https://mirror.example.org/sanstone-{}.raucb"


@dataclass
class Installed:
    """The array, and its disk; the packages of releases 2.0 and 3.0 are on a web server.

    One that `reboots` does so as soon as it is asked to; else a test does it by `boot`.
    """

    simulator: Simulator
    disk: SystemDisk
    reboots: bool = False
    working: bool = False

    def work(self) -> None:
        """Work orders off, unless that is under way."""
        if self.working:
            return
        self.working = True
        simulator = self.simulator
        with pytest.MonkeyPatch.context() as patch:
            # Here it is the reconciler that runs the worker: it need not be woken.
            patch.setattr(jobs, "wake", lambda: None)
            try:
                Worker(simulator.kernel.host, simulator.database, self.disk.open).run()
            finally:
                self.working = False

        if self.reboots and self.disk.asked_to_reboot:
            self.disk.asked_to_reboot = False
            self._serve(boot_order.primary(self.disk.variables["/dev/vda2"]))

    def boot(self, slot: str) -> None:
        """Boot a slot, which serves."""
        self._serve(slot)
        self.simulator.settle()

    def _serve(self, slot: str) -> None:
        self.disk.boot(slot)
        host = self.simulator.kernel.host
        found = slots.find(host)
        assert found
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(jobs, "wake", lambda: None)
            trial.settle(host, found, self.simulator.database)

    def update(self) -> None:
        """Validate release 2.0, which was downloaded, and update to it."""
        self.simulator.do("PATCH", "cluster/software?validate_only=true", {"version": "2.0"})
        self.simulator.do("PATCH", "cluster/software", {"version": "2.0"})
        self.boot("b")


def installed_array(simulator: Simulator) -> Installed:
    """Put system disks under an array, of which slot A runs."""
    with simulator.database.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('now')"))
    disk = SystemDisk(simulator.kernel)
    for version in ("2.0", "3.0"):
        disk.served[URL.format(version)] = Package(version).content()
    installed = Installed(simulator, disk)
    # No bound method: a copy of the kernel would copy the whole array.
    disk.on_start = lambda: installed.work()
    slot_report.publish(simulator.kernel.host)
    simulator.settle()
    return installed
