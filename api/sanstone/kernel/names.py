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
| place below it | `sanstone-<uuid>-<place>`, `SANSTONE-<uuid>-<place>` | 61 | 127, 128 |
| place over an md array | `sanstone-group-<u8>-<n>-<place>` | 43 | 127 |
| its dm uuid | `SANSTONE-group-<u32>-<place>`, of the array's UUID | 63 | 128 |
| place on a disk, under md | `sanstone-disk-<u8>-<u32>-<place>` | 71 | 127 |
| its dm uuid | `SANSTONE-disk-<u8>-<u32>-<place>`, `u32` of aggregate and disk | 71 | 128 |

`n` is the RAID group's number, 0 to 999; `place` has at most 15 characters. The places of each
height of the stack (`storage.stack`) are `UNDER_MD`, `OVER_MD` and `OVER_THIN`, the lowest first.
A volume group's name has no hyphen, because LVM doubles each in the device-mapper names of its
volumes.
"""

from __future__ import annotations

import re
from uuid import UUID, uuid5

HOME_HOST = "sanstone"
CONFIGURATION = "configuration"
POOL = "pool"
NODES = "/dev/sanstone"
GROUP_NODES = "/dev/sanstone-groups"
"""Nodes of what lies over md arrays; LVM looks for arrays here, too (lvmlocal.conf)."""

THIN, BLOCKS, LIMITS = "thin", "blocks", "limits"
UNDER_MD: tuple[str, ...] = ()
OVER_MD: tuple[str, ...] = ()
OVER_THIN: tuple[str, ...] = (THIN, BLOCKS, LIMITS)
"""The topmost layer has no device at its place: its table is that of the exported device."""

_EXPORTED = re.compile(r"SANSTONE-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-.*)?")


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
    return f"SANSTONE-{uuid}"


def layer_device(uuid: str, place: str) -> str:
    """Return the device-mapper name of a place below an exported device."""
    return f"{device(uuid)}-{place}"


def layer_uuid(uuid: str, place: str) -> str:
    """Return the device-mapper uuid of a place below an exported device."""
    return f"{device_uuid(uuid)}-{place}"


def uuid_of_device(device_uuid: str) -> str:
    """Return the UUID in the device-mapper uuid of an exported device or a place below it.

    '' for any other, as one over or under an md array.
    """
    match = _EXPORTED.fullmatch(device_uuid)
    return match[1] if match else ""


def group_device(aggregate: str, number: int, place: str) -> str:
    """Return the device-mapper name of a place over a RAID group's array."""
    return f"sanstone-group-{UUID(aggregate).hex[:8]}-{number}-{place}"


def group_uuid(aggregate: str, number: int, place: str) -> str:
    """Return the device-mapper uuid of a place over a RAID group's array."""
    return f"SANSTONE-group-{UUID(array_uuid(aggregate, number)).hex}-{place}"


def group_node(aggregate: str, number: int) -> str:
    """Return the path of the node of what lies over a RAID group's array."""
    return f"{GROUP_NODES}/{UUID(aggregate).hex[:8]}-{number}"


def disk_devices(aggregate: str) -> str:
    """Return how the device-mapper names of all places on disks of an aggregate begin."""
    return f"sanstone-disk-{UUID(aggregate).hex[:8]}-"


def disk_device(aggregate: str, identity: str, place: str) -> str:
    """Return the device-mapper name of a place on a disk of an aggregate, under md."""
    return f"{disk_devices(aggregate)}{uuid5(UUID(aggregate), f'disk {identity}').hex}-{place}"


def disk_uuid(aggregate: str, identity: str, place: str) -> str:
    """Return the device-mapper uuid of a place on a disk of an aggregate, under md."""
    return disk_device(aggregate, identity, place).replace("sanstone-", "SANSTONE-", 1)


def device_node(uuid: str) -> str:
    """Return the path of an exported device's node."""
    return f"{NODES}/{uuid}"
