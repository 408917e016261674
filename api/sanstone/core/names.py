"""Every name that a host or the kernel sees, made in one place, with the arithmetic of its length.

All are functions of what the database holds, so that they are the same after each boot:

* target IQN   iqn.2026-11.org.sanstone:sn.<array serial, 32 hex>:vs.<svm number>; ≤ 223 (RFC 3720)
* subsystem    nqn.2026-11.org.sanstone:sn.<svm uuid, 32 hex>:subsystem.<name ≤ 64>; 25+35+1+10+64
               = 135 ≤ 223 (NVM Express Base 2.0, 4.5)
* LUN serial   12 hexadecimal digits. LIO builds the NAA identifier out of the hexadecimal digits of
               the serial alone (drivers/target/target_core_spc.c), so any other character in it
               would be a step towards two LUNs with one identifier.
* device       /dev/sanstone/<uuid>, which never changes while the object lives
* volume group sanstone_<aggregate uuid, 32 hex>; 41 ≤ 127 (lvm.conf(5))
"""

from __future__ import annotations

import secrets
import uuid as uuid_module

AUTHORITY = "2026-11.org.sanstone"
SCSI_VENDOR = "SANSTONE"
SCSI_PRODUCT = "LUN"
NVME_MODEL = "Sanstone Array"


def plain(uuid: str) -> str:
    """Return a UUID's 32 hexadecimal digits."""
    return uuid.replace("-", "")


def target_iqn(array_serial: str, svm_number: int) -> str:
    """Return the iSCSI name of an SVM's target."""
    return f"iqn.{AUTHORITY}:sn.{array_serial}:vs.{svm_number}"


def subsystem_nqn(svm_uuid: str, name: str) -> str:
    """Return the NVMe qualified name of a subsystem."""
    return f"nqn.{AUTHORITY}:sn.{plain(svm_uuid)}:subsystem.{name}"


def device_path(uuid: str) -> str:
    """Return the block device that exports a LUN or namespace."""
    return f"/dev/sanstone/{uuid}"


def volume_group(aggregate_uuid: str) -> str:
    """Return the LVM volume group of an aggregate."""
    return f"sanstone_{plain(aggregate_uuid)}"


def raid_array(aggregate_uuid: str, group: int) -> str:
    """Return the name of the md array of an aggregate's RAID group."""
    return f"sanstone-{aggregate_uuid[:8]}-{group}"


def raid_uuid(aggregate_uuid: str, group: int) -> str:
    """Return the UUID that an md array is found by; it follows from the aggregate and the group."""
    return str(uuid_module.uuid5(uuid_module.UUID(aggregate_uuid), f"raid group {group}"))


def lun_serial() -> str:
    """Return a new LUN serial number."""
    return secrets.token_hex(6)


def subsystem_serial() -> str:
    """Return a new subsystem serial number: 20 characters (NVM Express Base 2.0, figure 275)."""
    return secrets.token_hex(10)
