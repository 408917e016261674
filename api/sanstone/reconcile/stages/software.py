"""The array's software: runs orders as long jobs, one at a time; observes slots and packages."""

from __future__ import annotations

from collections.abc import Iterable

from sanstone import __version__
from sanstone.core.database.change import Removal
from sanstone.core.long_jobs import LongJob, of_kinds
from sanstone.kernel.host import HostError
from sanstone.model.observations import SOFTWARE_IMAGES, SOFTWARE_PACKAGES
from sanstone.model.software import DOWNLOAD, OPEN, UPDATE, VALIDATE, SoftwareTask
from sanstone.reconcile.long_jobs import package_download, software_work, system_update
from sanstone.reconcile.results import DataRemoved, SoftwareRun
from sanstone.reconcile.stages import long_jobs
from sanstone.reconcile.turn import Turn
from sanstone.rules.cluster import software_task
from sanstone.system import floor, packages, slot_report
from sanstone.system.bundles import ReleaseChanges

_KINDS = {
    DOWNLOAD: package_download.KIND,
    VALIDATE: system_update.VALIDATE,
    UPDATE: system_update.UPDATE,
}
_MESSAGES = {
    DOWNLOAD: "The package is downloaded",
    VALIDATE: "The package is looked at",
    UPDATE: "The package is looked at",
}


def remove_package(turn: Turn, removal: Removal) -> bool:
    """Delete the file of a package. Return True: it is gone."""
    version = removal.data["version"]
    for file in (packages.file(version), packages.changes_file(version)):
        if file.exists():
            turn.host.files.unlink(str(file))
            turn.did(f"delete {file.name}")
    return True


def reconcile(turn: Turn, _removed: DataRemoved) -> SoftwareRun:
    """Run orders about software, and observe slots and packages."""
    due = {row.uuid: row for row in of_kinds(turn.session, _KINDS.values())}
    failures: dict[str, HostError] = {}
    tasks = []
    for task in software_task.unfinished(turn.session):
        if task.action not in _KINDS:
            text = 'there is no order "{}" about software'
            failures[task.uuid] = HostError(text, task.action)
        elif task.state in OPEN:
            tasks.append(task)
    if tasks:
        due.setdefault(tasks[0].uuid, _order(tasks[0]))
    for order in due.values():
        with turn.attempt(order.owner):
            try:
                long_jobs.ensure_done(turn, order)
            except long_jobs.Failed as failure:
                failures[order.uuid] = failure
    turn.seen[SOFTWARE_IMAGES] = slot_report.content()
    turn.seen[SOFTWARE_PACKAGES] = {
        packages.version(file): {
            "create_time": file.stat().st_mtime,
            "changes": _newer(packages.changes(packages.version(file))),
        }
        for file in packages.stored()
    }
    return SoftwareRun(turn.outcomes, failures)


def _newer(changes: Iterable[ReleaseChanges]) -> list[ReleaseChanges]:
    """Return the changes of the releases that are newer than the one that runs."""
    running = floor.rank(__version__)
    return [release for release in changes if floor.rank(release["version"]) > running]


def _order(task: SoftwareTask) -> LongJob:
    """Return the long job for an order about software."""
    return LongJob(
        uuid=task.uuid,
        kind=_KINDS[task.action],
        owner=task.owner,
        message=_MESSAGES[task.action],
        data=software_work.order(task),
        cancelable=task.action != UPDATE,
    )
