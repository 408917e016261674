"""`sanstone-slot-good`: check whether the booted system serves, and act on it.

After an update GRUB boots the new slot once (see `boot_order`). The trial succeeds when the
reconciler's first turn is complete, the API answers, and hosts are served everything that they were
served before the update (see `serving`; the update's order records what was missing then). Then
GRUB's variables are set, the update is recorded as done, and the copy of the database from before
its migration is deleted: from here on the only way back is an older package.

Missing objects may still appear, such as the disks of a slow enclosure: they are checked again
until the time is up. A disk or a cable that fails during an update, or a LIF that is disabled on
trial, leads back as well: it cannot be distinguished from a missing driver.

A system on trial that does not succeed reboots when its time is up, and GRUB starts the previous
one; once that serves, it records that the update failed, and the failed slot is not tried again. A
system that has served once stays up whatever fails, for diagnosis. There is one exception: GRUB
does not boot the preferred slot any more, and the previous system does not serve either, since it
cannot read a newer database. Then that one reboots, and the preferred system runs again regardless.
"""

from __future__ import annotations

import logging
import socket
import sys
import time
from collections.abc import Callable

from sqlalchemy import Engine

from sanstone.core import events, jobs
from sanstone.core.database import store
from sanstone.core.database.store import reading, writing
from sanstone.kernel.host import CommandError, Host, HostError
from sanstone.kernel.real import real_host
from sanstone.model.software import FAILURE, REBOOTING, SUCCESS
from sanstone.rules.cluster import software_task
from sanstone.system import boot_order, fallback, serving, slot_report, slots
from sanstone.system.slots import Slots

UNITS = ("sanstone-reconciler.service", "sanstone-api.service", "nginx.service")
TIME_LIMIT = 600.0
"""Seconds that a system has to serve: many disks, many LUNs and a slow boot take a few minutes."""
GIVEN_UP = (
    "The release that the array had been running did not start three times in a row; the array "
    "went back to the one before, and stays with it."
)
_PAUSE = 2.0
_NAMED = 5
"""So many missing objects are named in the log."""
log = logging.getLogger("sanstone.system")


def obstacle(host: Host, api: Callable[[], bool]) -> str:
    """Return the part of the system that does not work yet, '' for none."""
    for unit in UNITS:
        try:
            host.commands.run(["systemctl", "is-active", unit])
        except CommandError as error:
            return str(error)
    return "" if api() else "the API does not answer"


def lack(database: Engine, running: str) -> str:
    """Return the owners that the update to the running slot serves no more, '' for none."""
    with reading(database) as session:
        orders = [task for task in software_task.unfinished(session) if task.slot == running]
        if not orders or orders[0].lacking is None:
            return (
                ""  # There is no record: RAUC was called by hand, or by a release that kept none.
            )
        before, now = set(orders[0].lacking), serving.lacking(session)
    new = [f"{owner}: {why}" for owner, why in now.items() if owner not in before]
    more = f" (and {len(new) - _NAMED} more)" if len(new) > _NAMED else ""
    return "; ".join(new[:_NAMED]) + more


def api_answers(path: str = "/run/sanstone/api.sock") -> bool:
    """Return whether the API answers a request; a demand for a login is an answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        try:
            connection.connect(path)
            connection.sendall(b"GET /api/cluster HTTP/1.0\r\nHost: localhost\r\n\r\n")
            status = connection.recv(64).split(b" ")[1:2]
        except OSError as error:
            log.info("the API does not answer yet: %s", error)
            return False
    return bool(status) and status[0] < b"500"


def settle(host: Host, machine_slots: Slots, database: Engine) -> None:
    """Record that the running slot serves. Raises HostError, OSError; then call it again.

    Only GRUB's variables show that a slot was given up, so the event is emitted before they change:
    twice is better than never.
    """
    before = slots.environment(host, machine_slots)
    if boot_order.given_up(before, machine_slots.running):
        with writing(database) as session:
            events.emit(session, events.ALERT, "software.slot.given.up", GIVEN_UP)
    after = boot_order.settle(before, machine_slots.running)
    if after != before:
        slots.change_environment(host, machine_slots, after)
    slot_report.publish(host)
    fallback.forget(host.files)
    _judge(database, machine_slots.running)
    jobs.wake()


def _judge(database: Engine, running: str) -> None:
    """End the update that the boot was for.

    The update's last record may have been lost in a power cut.
    """
    with writing(database) as session:
        for task in software_task.unfinished(session):
            good = task.slot == running
            if task.state != REBOOTING and not good:
                continue
            task.state = SUCCESS if good else FAILURE
            task.end_time = time.time()
            task.message = (
                f"The array runs release {task.version}."
                if good
                else f"Release {task.version} did not come up serving; the array went back."
            )
            severity = events.NOTICE if good else events.ALERT
            name = "software.update.done" if good else "software.update.fell.back"
            events.emit(session, severity, name, task.message)


def wait(host: Host, api: Callable[[], bool], limit: float = TIME_LIMIT) -> None:
    """Settle once the system serves; reboot a system on trial that does not. Raises HostError."""
    machine_slots = _slots(host)
    trial = boot_order.on_trial(slots.environment(host, machine_slots), machine_slots.running)
    database = store.distrusted(store.engine(store.path()))
    deadline = time.monotonic() + limit
    logged = ""
    while why := obstacle(host, api) or (lack(database, machine_slots.running) if trial else ""):
        if why != logged:
            log.info("not yet: %s", why)
            logged = why
        if time.monotonic() > deadline:
            log.error("slot %s does not serve in time: %s", machine_slots.running, why)
            if not give_up(host):
                log.error("there is no other system to go to")
            return
        time.sleep(_PAUSE)
    settle(host, machine_slots, database)
    log.info("slot %s serves", machine_slots.running)


def _slots(host: Host) -> Slots:
    machine_slots = slots.find(host)
    if machine_slots is None:
        raise HostError("this system has no slots")
    return machine_slots


def give_up(host: Host) -> bool:
    """Reboot into the other system if that may help; return whether it does so.

    It may help a system on trial and a fallback that has not been settled. Raises HostError.
    """
    machine_slots = _slots(host)
    before = slots.environment(host, machine_slots)
    after = boot_order.try_again(before, machine_slots.running)
    if after == before and not boot_order.on_trial(before, machine_slots.running):
        return False
    if after != before:
        slots.change_environment(host, machine_slots, after)
    log.error("the array goes from slot %s to the other", machine_slots.running)
    host.commands.run(["systemctl", "--force", "reboot"])
    return True


def main() -> None:
    """Wait and settle; with the argument `deadline`, give up a system that has not settled."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        if sys.argv[1:] == ["deadline"]:
            give_up(real_host())
        else:
            wait(real_host(), api_answers)
    except HostError as error:
        sys.exit(f"sanstone-slot-good: {error}")
