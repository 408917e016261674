"""`sanstone-slot-good`: whether the system that was booted serves, and what follows from it.

After an update GRUB boots the new slot once (see `boot_order`). It has proved itself when the
reconciler's first pass is complete, the API answers, and hosts are served all that they were served
before the update (see `serving`; the update's order holds what was lacking then). Then GRUB is told
so, the update is noted as done, and the copy of the database from before its migration goes: from
here on there is no way back but an older package.

What is lacking may yet come, as the disks of a slow enclosure do: it is looked at again and again
until the time is over. A disk or a cable that fails during an update, or a LIF that is switched off
on trial, leads back as well: nobody can tell it from a driver that is missing.

A system on trial that does not come so far reboots when its time is over, and GRUB starts the one
before; that one, once it serves, notes that the update failed, and what failed is not tried again.
A system that proved itself once stays up whatever fails, to be looked at. But for one case: GRUB
boots the wanted one no more, and the one before does not serve either, since it cannot read a newer
database. Then that one reboots, and the wanted system runs again, for better or worse.
"""

from __future__ import annotations

import logging
import socket
import sys
import time
from collections.abc import Callable

from sqlalchemy import Engine

from sanstone.core import events, jobs, store
from sanstone.core.store import reading, writing
from sanstone.kernel.host import CommandError, Host, HostError
from sanstone.kernel.real import real_host
from sanstone.model.software import FAILURE, REBOOTING, SUCCESS
from sanstone.resources.cluster import software_task
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
"""Of what is lacking, so many are named in the log."""
log = logging.getLogger("sanstone.system")


def obstacle(host: Host, api: Callable[[], bool]) -> str:
    """Return which part of the system does not work yet, '' for none."""
    for unit in UNITS:
        try:
            host.commands.run(["systemctl", "is-active", unit])
        except CommandError as error:
            return str(error)
    return "" if api() else "the API does not answer"


def lack(database: Engine, running: str) -> str:
    """Return what is not served that was before the update to the running slot, '' for nothing."""
    with reading(database) as session:
        orders = [task for task in software_task.unfinished(session) if task.slot == running]
        if not orders or orders[0].lacking is None:
            return ""  # Nobody looked: RAUC was called by hand, or by a release that did not look.
        before, now = set(orders[0].lacking), serving.lacking(session)
    new = [f"{owner}: {why}" for owner, why in now.items() if owner not in before]
    more = f" (and {len(new) - _NAMED} more)" if len(new) > _NAMED else ""
    return "; ".join(new[:_NAMED]) + more


def api_answers(path: str = "/run/sanstone/api.sock") -> bool:
    """Return whether the API answers a request; that it wants a login is an answer."""
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


def settle(host: Host, found: Slots, database: Engine) -> None:
    """Note that the running slot serves. Raises HostError, OSError; it is then to be called again.

    That a slot was given up shows in GRUB's variables alone, so it is told before they change; told
    twice is better than never.
    """
    before = slots.environment(host, found)
    if boot_order.given_up(before, found.running):
        with writing(database) as session:
            events.emit(session, events.ALERT, "software.slot.given.up", GIVEN_UP)
    after = boot_order.settle(before, found.running)
    if after != before:
        slots.change_environment(host, found, after)
    slot_report.publish(host)
    fallback.forget(host.files)
    _judge(database, found.running)
    jobs.wake()


def _judge(database: Engine, running: str) -> None:
    """End the update that the boot was for.

    The update's last note may have been lost with the power.
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
    found = _slots(host)
    trial = boot_order.on_trial(slots.environment(host, found), found.running)
    database = store.distrusted(store.engine(store.path()))
    deadline = time.monotonic() + limit
    said = ""
    while why := obstacle(host, api) or (lack(database, found.running) if trial else ""):
        if why != said:
            log.info("not yet: %s", why)
            said = why
        if time.monotonic() > deadline:
            log.error("slot %s does not serve in time: %s", found.running, why)
            if not give_up(host):
                log.error("there is no other system to go to")
            return
        time.sleep(_PAUSE)
    settle(host, found, database)
    log.info("slot %s serves", found.running)


def _slots(host: Host) -> Slots:
    found = slots.find(host)
    if found is None:
        raise HostError("this system has no slots")
    return found


def give_up(host: Host) -> bool:
    """Reboot for GRUB to start the other system, where that is the way out; return whether it is.

    It is for a system on trial and for a fallback that has not been settled. Raises HostError.
    """
    found = _slots(host)
    before = slots.environment(host, found)
    after = boot_order.try_again(before, found.running)
    if after == before and not boot_order.on_trial(before, found.running):
        return False
    if after != before:
        slots.change_environment(host, found, after)
    log.error("the array goes from slot %s to the other", found.running)
    host.commands.run(["systemctl", "--force", "reboot"])
    return True


def main() -> None:
    """Wait and settle; with the argument `deadline`, give up what has not settled by then."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        if sys.argv[1:] == ["deadline"]:
            give_up(real_host())
        else:
            wait(real_host(), api_answers)
    except HostError as error:
        sys.exit(f"sanstone-slot-good: {error}")
