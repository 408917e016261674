"""All identities that a host sees, with the arithmetic of their lengths.

Each is a function of what the database holds, so that it is the same after each boot:

* target IQN   iqn.2026-11.org.sanstone:sn.<array serial, 32 hex>:vs.<svm number>; ≤ 223 (RFC 3720)
* subsystem    nqn.2026-11.org.sanstone:sn.<svm uuid, 32 hex>:subsystem.<name ≤ 64>; 25+35+1+10+64
               = 135 ≤ 223 (NVM Express Base 2.0, 4.5)
* SVM's WWNN   16 hexadecimal digits: 3, for a name that is assigned locally and not from a vendor's
               numbers (FC-FS-3, NAA 3), and 60 bits of a hash of the array's serial number and the
               SVM's number.
* virtual WWPN 16 hexadecimal digits of the same kind, of the array's serial number and the UUID of
               the interface that is a virtual port
* SRP identifier  16 hexadecimal digits, an EUI-64 that is assigned locally (IEEE 802, the second
               lowest bit of the first byte), of a hash of the array's serial number
* LUN serial   12 hexadecimal digits. LIO builds the NAA identifier from the hexadecimal digits of
               the serial alone (drivers/target/target_core_spc.c), so any other character in it
               would bring two LUNs closer to sharing an identifier.
"""

from __future__ import annotations

import hashlib
import re
import secrets

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


def svm_wwnn(array_serial: str, svm_number: int) -> str:
    """Return the Fibre Channel node name of an SVM, `3x:xx:…`."""
    return _local_name(f"{array_serial}:vs.{svm_number}")


def virtual_wwpn(array_serial: str, interface_uuid: str) -> str:
    """Return the Fibre Channel port name of an interface that is a virtual port, `3x:xx:…`."""
    return _local_name(f"{array_serial}:fc.{plain(interface_uuid)}")


def _local_name(text: str) -> str:
    """Return a name that is assigned locally, of a hash of a text."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    return ":".join(re.findall("..", f"3{digest[:15]}"))


def srp_identifier(array_serial: str) -> str:
    """Return the identifier of the array's SRP targets, 16 hexadecimal digits."""
    return f"02{hashlib.sha256(array_serial.encode()).hexdigest()[:14]}"


LUN_SERIAL = r"[0-9a-f]{12}"
"""The form of a LUN's serial number, as a regular expression."""


def lun_serial() -> str:
    """Return a new LUN serial number."""
    return secrets.token_hex(6)


def subsystem_serial() -> str:
    """Return a new subsystem serial number: 20 characters (NVM Express Base 2.0, figure 275)."""
    return secrets.token_hex(10)
