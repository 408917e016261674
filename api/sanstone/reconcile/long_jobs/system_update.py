"""A package is looked at, and written to the slot that does not run: a minute or two.

A slot that was left half-written is not booted, since RAUC marked it bad before it wrote.
"""

from __future__ import annotations

from sanstone.core import events, jobs, long_jobs
from sanstone.core.store import reading, writing
from sanstone.kernel.host import HostError
from sanstone.model.software import REBOOTING, RUNNING, SoftwareTask
from sanstone.reconcile.long_jobs.software_work import SoftwareWork
from sanstone.reconcile.long_jobs.work import Progress
from sanstone.system import boot_order, bundles, packages, serving, slot_report, slots
from sanstone.system.bundles import BundleRefused
from sanstone.system.slots import Slots

VALIDATE, UPDATE = "software.validate", "software.update"


class _Installation(SoftwareWork):
    """What looks at a package first."""

    def check(self) -> None:
        """Raise BundleRefused unless the package is there and may be installed."""
        file = packages.file(self.task.version)
        if not file.exists():
            raise BundleRefused(f'Package "{self.task.version}" is no longer there.')
        bundle = bundles.inspect(self.host, file)
        with reading(self.database) as session:
            bundles.check(bundle, bundles.revision(session))


class PackageValidation(_Installation):
    """Says whether a package may be installed."""

    def work(self) -> None:
        """Do it. Raises HostError."""
        self.check()
        self.succeed(f"Package {self.task.version} may be installed.")


class SystemUpdate(_Installation):
    """Writes a package to the other slot and reboots into it."""

    _writes = False

    def work(self) -> None:
        """Do it. Raises HostError, OSError.

        The job of the request waits until the package was found to be good, and no longer.
        """
        existing = slots.find(self.host)
        if existing is None:
            raise BundleRefused("This array was not started from a system disk.")
        if self.task.slot == existing.running:
            # It was written, and the power was cut before that was noted: see `trial`.
            self._note_reboot()
            return
        self.check()
        with writing(self.database) as session:
            row = session.get_one(SoftwareTask, self.task.uuid)
            row.state, row.slot = RUNNING, boot_order.other(existing.running)
            row.lacking = sorted(serving.lacking(session))
            long_jobs.let_go(session, row.uuid)
        jobs.wake()
        slot_report.publish(self.host)
        try:
            self._write_and_reboot()
        except (HostError, OSError):
            self._disarm(existing)
            raise

    def progress(self) -> Progress:
        """Return how far RAUC is. Raises HostError."""
        return Progress(*bundles.progress(self.host)) if self._writes else Progress()

    def _write_and_reboot(self) -> None:
        """Have the next boot try what is written now, and ask for it. Raises HostError, OSError."""
        self._writes = True
        bundles.install(self.host, packages.file(self.task.version))
        slot_report.publish(self.host)
        self._note_reboot()
        with writing(self.database) as session:
            text = f"Release {self.task.version} is written. The array reboots into it."
            events.emit(session, events.NOTICE, "software.update.reboot", text)
        self.host.commands.run(["systemctl", "reboot"])

    def _note_reboot(self) -> None:
        """Leave the rest to the next boot, unless that was so quick as to have judged already."""
        with writing(self.database) as session:
            row = session.get_one(SoftwareTask, self.task.uuid)
            if row.state == RUNNING:
                row.state = REBOOTING

    def _disarm(self, existing: Slots) -> None:
        """Let no later boot try the slot of an update that has failed. Raises HostError.

        A slot that RAUC did not come to is left as it is: it is the way back.
        """
        variables = slots.environment(self.host, existing)
        if boot_order.on_trial(variables, boot_order.other(existing.running)):
            stay = boot_order.stay(variables, existing.running)
            slots.change_environment(self.host, existing, stay)
            slot_report.publish(self.host)
