"""The array's software: orders are given to `sanstone-software`, and what lies there is observed.

Nothing here takes long: systemd starts the program that does the work (see `system.worker`), and
how far RAUC is comes over D-Bus.
"""

from __future__ import annotations

import logging
from typing import Any

from sanstone.core.change import Removal
from sanstone.kernel.host import HostError
from sanstone.model.software import OPEN, RUNNING, UPDATE, SoftwareTask
from sanstone.reconcile.turn import Turn
from sanstone.resources.cluster import software_image, software_package, software_task
from sanstone.system import bundles, slot_report, worker

UNIT = "sanstone-software.service"
log = logging.getLogger("sanstone.reconciler")


def remove_package(turn: Turn, removal: Removal) -> None:
    """Delete the file of a package."""
    file = worker.package(removal.data["version"])
    if file.exists():
        turn.host.files.unlink(str(file))
        turn.did(f"delete package {removal.data['version']}")


def reconcile(turn: Turn) -> None:
    """Have orders worked off, and tell of slots, packages and progress."""
    tasks = software_task.unfinished(turn.session)
    to_do = [task for task in tasks if task.state in OPEN]
    if to_do:
        with turn.attempt(to_do[0].owner):
            turn.host.commands.run(["systemctl", "start", "--no-block", UNIT])
    writing = [task.key for task in tasks if task.what == UPDATE and task.state == RUNNING]
    turn.seen[SoftwareTask.kind] = {key: _progress(turn) for key in writing}
    turn.seen[software_image.KIND] = slot_report.told()
    turn.seen[software_package.KIND] = {
        file.name.removesuffix(worker.SUFFIX): {"create_time": file.stat().st_mtime}
        for file in worker.packages().glob(f"*{worker.SUFFIX}")
    }


def _progress(turn: Turn) -> dict[str, Any]:
    try:
        percent, words = bundles.progress(turn.host)
    except HostError as error:
        # The update does not depend on it being told; RAUC may be starting just now.
        log.info("how far the update is cannot be told: %s", error)
        return {}
    return {"percent": percent, "words": words}
