# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

"""What a Linux host does with an array's disks, and programs and files of the host."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule

IDLE = frozenset({"disk", "mpath", "part"})
"""Of lsblk(8)'s types of devices: those that exist without a user of the disk."""


def run(module: AnsibleModule, program: str, *arguments: str) -> str:
    """Run a program of the host and return its output. The module fails if it fails."""
    path = module.get_bin_path(program, required=True)
    status, out, error = module.run_command([path, *arguments])
    if status:
        module.fail_json(msg=f"{program}: {(error or out).strip()}", rc=status)
    return str(out)


def write(module: AnsibleModule, path: Path, text: str, mode: int | None = None) -> None:
    """Replace the text of a file at once, which keeps its owner, and without `mode` its mode."""
    path.touch(mode=0o600)
    if mode is not None:
        path.chmod(mode)
    handle, beside = tempfile.mkstemp(dir=module.tmpdir)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    module.atomic_move(beside, str(path))


def joined(module: AnsibleModule, disks: list[Path]) -> list[str]:
    """Return the names of the multipath devices that join disks.

    The module fails if one of the disks is mounted, is swapped to, or carries volumes, RAID or
    encryption. In check mode it warns: an earlier task may be what unmounts.
    """
    if not disks:
        return []
    # What goes while udev reads it leaves errors in the log.
    run(module, "udevadm", "settle")
    output = run(module, "lsblk", "--json", "--output", "NAME,TYPE,MOUNTPOINT", *map(str, disks))
    devices = _all_of(json.loads(output)["blockdevices"])
    used = {_use(each) for each in devices if each["mountpoint"] or each["type"] not in IDLE}
    message = f"The host uses what it is to leave: {', '.join(sorted(used))}."
    if used and not module.check_mode:
        module.fail_json(msg=message)
    if used:
        module.warn(message)
    return sorted({each["name"] for each in devices if each["type"] == "mpath"})


def _all_of(devices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [device for each in devices for device in (each, *_all_of(each.get("children", [])))]


def _use(device: dict[str, Any]) -> str:
    where = device["mountpoint"]
    return f"{device['name']} at {where}" if where else f"{device['name']} ({device['type']})"
