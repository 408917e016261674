"""Reports of the slots for other programs, which `sanstone-slots` writes at boot and after updates.

RAUC reads its configuration (`/run/rauc/system.conf`), the API's `cluster/software/images` shows
`slots.json` in the run directory.
"""

from __future__ import annotations

import configparser
import json
import logging
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from sanstone.core.places import run_directory, state_directory
from sanstone.kernel import programs
from sanstone.kernel.host import FileError, Host, HostError
from sanstone.kernel.real import real_host
from sanstone.system import boot_order
from sanstone.system.slots import Slots, change_environment, environment, find, release

RAUC_CONFIGURATION = Path("/run/rauc/system.conf")
KEYRING = "/usr/share/sanstone/update-keyring.pem"
HANDLER = "/usr/bin/sanstone-slot-state"
COMPATIBLE = "sanstone-x86_64"


def state_path() -> Path:
    """Return the path of the slots' state; an array without slots has no such file."""
    return run_directory() / "slots.json"


def rauc_directory() -> Path:
    """Return the folder of RAUC's state of the slots."""
    return state_directory() / "rauc"


def content() -> dict[str, dict[str, Any]]:
    """Return the content of `slots.json` by slot, {} if there are no slots."""
    file = state_path()
    return dict(json.loads(file.read_text())) if file.exists() else {}


def on_trial() -> bool:
    """Return whether the running release has yet to serve."""
    return any(slot["is_current"] and slot["trial"] for slot in content().values())


def rauc_configuration(slots: Slots) -> str:
    """Return RAUC's configuration for this machine (RAUC 1.13, "System Configuration File")."""
    sections: dict[str, dict[str, str]] = {
        "system": {
            "compatible": COMPATIBLE,
            "bootloader": "custom",
            "bundle-formats": "verity",
            "data-directory": str(rauc_directory()),
        },
        # A bundle signed while the certificate was valid stays valid, whatever the array's clock
        # says.
        "keyring": {"path": KEYRING, "use-bundle-signing-time": "true"},
        "handlers": {"bootloader-custom-backend": HANDLER},
    }
    for number, slot in enumerate(boot_order.SLOTS):
        sections[f"slot.system.{number}"] = {
            "device": slots.system[slot],
            "type": "raw",
            "bootname": slot,
        }
        sections[f"slot.boot.{number}"] = {
            "device": slots.boot[slot],
            "type": "raw",
            "parent": f"system.{number}",
        }
    return "\n".join(
        f"[{name}]\n" + "".join(f"{key}={value}\n" for key, value in values.items())
        for name, values in sections.items()
    )


def observe(host: Host, slots: Slots) -> dict[str, dict[str, Any]]:
    """Return, by slot, its content and its state in GRUB. Raises HostError."""
    variables = environment(host, slots)
    installed = _install_times(rauc_directory() / "central.raucs")
    held = {slot: release(host, slots.boot[slot]) for slot in boot_order.SLOTS}
    return {
        slot: {
            "version": held[slot].version,
            "schema": held[slot].schema,
            "is_current": slot == slots.running,
            "is_default": slot == boot_order.primary(variables),
            "good": boot_order.is_good(variables, slot),
            "trial": boot_order.on_trial(variables, slot),
            "install_time": installed.get(f"slot.system.{number}"),
        }
        for number, slot in enumerate(boot_order.SLOTS)
    }


def _install_times(file: Path) -> dict[str, float]:
    """Return when RAUC wrote its slots, in seconds since 1970; the installer records no time."""
    status = configparser.ConfigParser(interpolation=None)
    status.read(file)
    return {
        name: datetime.fromisoformat(status[name]["installed.timestamp"]).timestamp()
        for name in status.sections()
        if "installed.timestamp" in status[name]
    }


def come_up(host: Host) -> None:
    """Record that the system has started. Raises HostError."""
    slots = find(host)
    if slots is not None:
        before = environment(host, slots)
        after = boot_order.come_up(before, slots.running)
        if after != before:
            change_environment(host, slots, after)


def publish(host: Host) -> None:
    """Write RAUC's configuration and `slots.json`, if there are slots."""
    slots = find(host)
    if slots is None:
        return
    host.files.make_folder(str(RAUC_CONFIGURATION.parent))
    host.files.make_folder(str(rauc_directory()), 0o700)
    host.files.store(str(RAUC_CONFIGURATION), rauc_configuration(slots).encode(), 0o644)
    host.files.store(str(state_path()), json.dumps(observe(host, slots)).encode(), 0o644)


def main() -> None:
    """Record the start and publish the slots; the entry point `sanstone-slots`."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        host = real_host()
        host.commands.require(programs.SLOTS)
        come_up(host)
        publish(host)
    except (HostError, FileError) as error:
        sys.exit(f"sanstone-slots: {error}")
