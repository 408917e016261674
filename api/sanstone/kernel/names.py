"""Names of Sanstone's objects in the storage stack, with their lengths.

Each name is derived from a UUID, so that it never changes, never collides and can be recognised on
disks from another machine. `u32` is a UUID's 32 hexadecimal digits, `u8` the first 8 of them.

| object | name | longest | limit |
| --- | --- | --- | --- |
| md array, its kernel device | `md_sanstone-<u8>-<n>` | 24 | 31, DISK_NAME_LEN - 1 (blkdev.h) |
| md array, name in the superblock | `sanstone:sanstone-<u8>-<n>` | 30 | 32, set_name (md_p.h) |
| volume group | `sanstone_<u32>` | 41 | 127 with the LV, DM_NAME_LEN - 1 (dm-ioctl.h) |
| exported device | `sanstone-<uuid>` | 45 | 127 |
| its dm uuid | `SANSTONE-<uuid>` | 45 | 128, DM_UUID_LEN - 1 |
| layer below it | `sanstone-<uuid>-<layer>`, `SANSTONE-<uuid>-<layer>` | 61 | 127, 128 |

`n` is the RAID group's number, 0 to 999; `layer` has at most 15 characters and is `thin` for the
thin target (`storage.layers`). A volume group's name has no hyphen, because LVM doubles
each in the device-mapper names of its volumes.
"""

from __future__ import annotations

import re
from uuid import UUID, uuid5

HOME_HOST = "sanstone"
CONFIGURATION = "configuration"
POOL = "pool"
NODES = "/dev/sanstone"

THIN = "thin"

_DEVICE = "SANSTONE-"
_UUID_LENGTH = 36


def array_name(aggregate: str, number: int) -> str:
    """Return the md name of an aggregate's RAID group."""
    return f"sanstone-{UUID(aggregate).hex[:8]}-{number}"


def array_device(aggregate: str, number: int) -> str:
    """Return the path of the array's block device."""
    return f"/dev/md_{array_name(aggregate, number)}"


def device_of_array(name: str) -> str:
    """Return the path of the block device of an array of this md name, '' for a foreign name."""
    return f"/dev/md_{name}" if re.fullmatch(r"sanstone-[0-9a-f]{8}-[0-9]{1,3}", name) else ""


def array_uuid(aggregate: str, number: int) -> str:
    """Return the UUID in the superblocks of a RAID group: version 5 of the aggregate's UUID.

    It is known before the array exists, so that an interrupted creation is recognised by it.
    """
    return str(uuid5(UUID(aggregate), f"raid group {number}"))


def volume_group(aggregate: str) -> str:
    """Return the name of an aggregate's LVM volume group."""
    return f"sanstone_{UUID(aggregate).hex}"


def aggregate_of(group: str) -> str:
    """Return the UUID of the aggregate that a volume group is named after, '' for a foreign one."""
    prefix, _, digits = group.partition("_")
    if prefix != "sanstone" or len(digits) != 32:
        return ""
    try:
        return str(UUID(digits))
    except ValueError:
        return ""


def pool_device(aggregate: str) -> str:
    """Return the device-mapper name of an aggregate's thin pool.

    A pool with transaction id 0, which LVM leaves to an external user, is activated under its own
    name, without LVM's `-tpool` layer (lvm2: lib/activate/dev_manager.c, lv_is_new_thin_pool).
    """
    return f"{volume_group(aggregate)}-{POOL}"


def metadata_device(aggregate: str) -> str:
    """Return the device-mapper name of the volume that holds a pool's metadata."""
    return f"{pool_device(aggregate)}_tmeta"


def configuration_device(aggregate: str) -> str:
    """Return the device-mapper name of the small volume that holds the configuration's copy."""
    return f"{volume_group(aggregate)}-{CONFIGURATION}"


def device(uuid: str) -> str:
    """Return the device-mapper name of an exported device (a LUN or namespace)."""
    return f"sanstone-{uuid}"


def device_uuid(uuid: str) -> str:
    """Return the device-mapper uuid of an exported device."""
    return f"{_DEVICE}{uuid}"


def layer_device(uuid: str, layer: str) -> str:
    """Return the device-mapper name of a layer below an exported device."""
    return f"{device(uuid)}-{layer}"


def layer_uuid(uuid: str, layer: str) -> str:
    """Return the device-mapper uuid of a layer below an exported device."""
    return f"{device_uuid(uuid)}-{layer}"


def uuid_of_device(device_uuid: str) -> str:
    """Return the UUID in the device-mapper uuid of a device or layer, '' for a foreign one."""
    if not device_uuid.startswith(_DEVICE):
        return ""
    return device_uuid.removeprefix(_DEVICE)[:_UUID_LENGTH]


def device_node(uuid: str) -> str:
    """Return the path of an exported device's node."""
    return f"{NODES}/{uuid}"
