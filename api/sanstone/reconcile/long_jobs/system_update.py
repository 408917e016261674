"""Inspect an update package and write it to the inactive slot: a minute or two.

The release that this slot holds already is the way back: it is activated as it is, by RAUC too, and
is on trial like one that was written. So it needs no package.

A partly written slot is not booted, since RAUC marks it bad before it writes.
"""

from __future__ import annotations

from sanstone.core import events, jobs, long_jobs
from sanstone.core.database import store
from sanstone.core.database.store import reading, writing
from sanstone.kernel.host import HostError
from sanstone.model.software import REBOOTING, RUNNING, SoftwareTask
from sanstone.reconcile.long_jobs.software_work import SoftwareWork
from sanstone.reconcile.long_jobs.work import Progress
from sanstone.system import boot_order, bundles, floor, packages, serving, slot_report, slots
from sanstone.system.bundles import BundleRefused
from sanstone.system.slots import Slots

VALIDATE, UPDATE = "software.validate", "software.update"


class _Installation(SoftwareWork):
    """Common part of both kinds: the package is checked first, where one is needed."""

    def holds_release(self, existing: Slots) -> bool:
        """Return whether the slot that does not run holds the release and may be booted as it is.

        One on trial may if this very order activated it, and was killed before the reboot. Raises
        HostError.
        """
        other = boot_order.other(existing.running)
        held = slot_report.observe(self.host, existing)[other]
        with reading(self.database) as session:
            knows = store.revision(session) in (held["schema"] or ())
        proved = held["good"] and (not held["trial"] or self.task.slot == other)
        return bool(held["version"] == self.task.version and proved and knows)

    def check(self, existing: Slots | None) -> None:
        """Raise BundleRefused unless the package exists and may be installed."""
        file = packages.file(self.task.version)
        if not file.exists():
            raise BundleRefused('Package "{}" is no longer there.', self.task.version)
        bundle = bundles.inspect(self.host, file)
        with reading(self.database) as session:
            bundles.check(bundle, store.revision(session))
        if existing:
            floor.check(bundle.version, slot_report.observe(self.host, existing))


class PackageValidation(_Installation):
    """Checks whether a package may be installed."""

    def work(self) -> None:
        """Check it. Raises HostError."""
        existing = slots.find(self.host)
        if existing and self.holds_release(existing):
            self.succeed(f"The array can go back to release {self.task.version}.")
            return
        self.check(existing)
        self.succeed(f"Package {self.task.version} may be installed.")


class SystemUpdate(_Installation):
    """Writes a package to the other slot, unless that holds the release, and reboots into it."""

    _writes = False
    _goes_back = False

    def work(self) -> None:
        """Write and reboot. Raises HostError, OSError.

        The job of the request ends as soon as the package has passed its check.
        """
        existing = slots.find(self.host)
        if existing is None:
            raise BundleRefused("This array was not started from a system disk.")
        if self.task.slot == existing.running:
            # It was written, but the power failed before that was recorded: see `trial`.
            self._record_reboot()
            return
        self._goes_back = self.holds_release(existing)
        if not self._goes_back:
            self.check(existing)
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
        """Return RAUC's progress. Raises HostError."""
        return Progress(*bundles.progress(self.host)) if self._writes else Progress()

    def _write_and_reboot(self) -> None:
        """Write the other slot or leave it, and reboot into it, on trial.

        Raises HostError, OSError.
        """
        if self._goes_back:
            bundles.go_back(self.host)
        else:
            self._writes = True
            bundles.install(self.host, packages.file(self.task.version))
        slot_report.publish(self.host)
        self._record_reboot()
        # Not before: an order that was killed is checked again.
        floor.forget(self.host.files)
        with writing(self.database) as session:
            text = f"Release {self.task.version} is written. The array reboots into it."
            events.emit(session, events.NOTICE, "software.update.reboot", text)
        self.host.commands.run(["systemctl", "reboot"])

    def _record_reboot(self) -> None:
        """Leave the outcome to the next boot, unless that has recorded it already."""
        with writing(self.database) as session:
            row = session.get_one(SoftwareTask, self.task.uuid)
            if row.state == RUNNING:
                row.state = REBOOTING

    def _disarm(self, existing: Slots) -> None:
        """Keep later boots from trying the slot of a failed update. Raises HostError.

        A slot that RAUC did not touch stays as it is: it is the way back, and so does one that was
        only activated.
        """
        variables = slots.environment(self.host, existing)
        other = boot_order.other(existing.running)
        if boot_order.on_trial(variables, other):
            stay = boot_order.stay(variables, existing.running)
            if self._goes_back:
                stay = boot_order.mark_good(stay, other)
            slots.change_environment(self.host, existing, stay)
            slot_report.publish(self.host)
