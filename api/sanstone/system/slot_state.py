"""`sanstone-slot-state`: how RAUC gets and sets the state of the slots.

RAUC's "custom" boot loader (RAUC 1.13, "Custom bootloader backend interface") is a program that
answers five commands; they name slots by their `bootname`, "a" and "b":

    get-primary            get-state <slot>                 get-current
    set-primary <slot>     set-state <slot> good|bad

While RAUC writes a slot it is `bad`, so that GRUB does not boot it after a power cut.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from sanstone.kernel.host import Host, HostError
from sanstone.kernel.real import real_host
from sanstone.system import boot_order, slots
from sanstone.system.boot_order import SLOTS


class BadRequest(Exception):
    """The command is not one of RAUC's."""


def answer(host: Host, request: Sequence[str]) -> str:
    """Execute a command and return its output. Raises BadRequest, HostError."""
    machine_slots = slots.find(host)
    if machine_slots is None:
        raise HostError("this system has no slots: it was not started from a system disk")
    match list(request):
        case ["get-current"]:
            return machine_slots.running
        case ["get-primary"]:
            return boot_order.primary(slots.environment(host, machine_slots))
        case ["get-state", slot] if slot in SLOTS:
            good = boot_order.is_good(slots.environment(host, machine_slots), slot)
            return "good" if good else "bad"
        case ["set-primary", slot] if slot in SLOTS:
            change = boot_order.activate
        case ["set-state", slot, "good"] if slot in SLOTS:
            change = boot_order.mark_good
        case ["set-state", slot, "bad"] if slot in SLOTS:
            change = boot_order.mark_bad
        case _:
            raise BadRequest(f"unknown command: {' '.join(request)}")
    slots.change_environment(
        host, machine_slots, change(slots.environment(host, machine_slots), slot)
    )
    return ""


def main() -> None:
    """Answer RAUC."""
    try:
        output = answer(real_host(), sys.argv[1:])
    except (BadRequest, HostError) as error:
        sys.exit(f"sanstone-slot-state: {error}")
    if output:
        print(output)
