"""A simulated array that was installed on a system disk, and so can be updated."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from simulator import Simulator
from system_disk import Package, SystemDisk, mark_revision

from sanstone.core import jobs
from sanstone.reconcile.long_jobs import package_download
from sanstone.reconcile.long_jobs.kinds import UPDATE, Kind
from sanstone.reconcile.long_jobs.package_download import Open, PackageDownload
from sanstone.system import boot_order, slot_report, slots, trial

URL = "https://mirror.example.org/sanstone-{}.raucb"


@dataclass
class Installed:
    """The array, and its disk; the packages of releases 2.0 and 3.0 are on a web server.

    An array that `reboots` does so on request; else a test does it by `boot`.
    """

    simulator: Simulator
    disk: SystemDisk
    reboots: bool = False

    def reboot(self) -> None:
        """Reboot if there is a request for it and the array `reboots`."""
        if self.reboots and self.disk.reboot_requested:
            self.disk.reboot_requested = False
            self._serve(boot_order.primary(self.disk.variables["/dev/vda2"]))

    def boot(self, slot: str) -> None:
        """Boot a slot, which serves."""
        self._serve(slot)
        self.simulator.settle()

    def _serve(self, slot: str) -> None:
        self.disk.boot(slot)
        host = self.simulator.kernel.host
        system_slots = slots.find(host)
        assert system_slots
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(jobs, "wake", lambda: None)
            trial.settle(host, system_slots, self.simulator.database)

    def update(self) -> None:
        """Validate release 2.0, which was downloaded, and update to it."""
        self.simulator.do("PATCH", "cluster/software?validate_only=true", {"version": "2.0"})
        self.simulator.do("PATCH", "cluster/software", {"version": "2.0"})
        self.boot("b")


def serve(answer: Open) -> type[PackageDownload]:
    """Return the kind of downloads whose web server gives these answers."""

    class Download(PackageDownload):
        open = staticmethod(answer)

    return Download


def installed_array(simulator: Simulator) -> Installed:
    """Put system disks under an array; it runs from slot A."""
    mark_revision(simulator.database)
    disk = SystemDisk(simulator.kernel)
    for version in ("2.0", "3.0"):
        disk.downloads[URL.format(version)] = Package(version).content()
    installed = Installed(simulator, disk)
    simulator.kinds[package_download.KIND] = Kind(UPDATE, serve(disk.open))
    simulator.after_tasks = installed.reboot
    slot_report.publish(simulator.kernel.host)
    simulator.settle()
    return installed
