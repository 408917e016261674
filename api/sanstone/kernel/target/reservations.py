"""SCSI persistent reservations that survive a restart (APTPL, activate persist through power loss).

The kernel saves the registrations of a backstore in `<dbroot>/pr/aptpl_<serial>` before it answers
a PERSISTENT RESERVE OUT with APTPL=1. It does not wait until they are on the disk: the image has
files in that folder written synchronously (reservations.conf). It never reads that file. To create
the backstore anew, one must write each registration to `pr/res_aptpl_metadata` before the first LUN
is linked to the backstore (EINVAL afterwards). The kernel activates a registration when the
initiator's LUN is linked, and only if target, portal group tag, both LUN numbers and initiator are
the same as before: all of them must therefore be stable. (core_scsi3_update_aptpl_buf(),
__core_scsi3_write_aptpl_to_file() and __core_scsi3_check_aptpl_registration() in
drivers/target/target_core_pr.c, target_pr_res_aptpl_metadata_store() in target_core_configfs.c.)

Traps:

* The kernel writes `res_type` in hexadecimal with a leading zero and parses it by the rules of C.
  So it takes "08" (exclusive access, all registrants) for an invalid octal number and refuses it.
  This driver writes `res_type` in decimal.
* The fields of a registration are written in one line, separated by commas. So no value may contain
  a comma: otherwise a process that can write the file could add fields of another initiator.
* The file ends in a NUL byte. If the last record is incomplete, power failed while the kernel wrote
  it, so its command was never answered. Such a record is skipped.
* `dbroot` is refused (EINVAL) once a backstore exists. rtslib (`targetcli`) sets it to /etc/target
  whenever it can, and fails if that directory is missing. The image therefore links /etc/target to
  `DATABASE`.
"""

from __future__ import annotations

import re

from sanstone.kernel.host import Files, Host

TARGET = "/sys/kernel/config/target"
DATABASE = "/var/lib/sanstone/target"
_FIELD = re.compile(r"res_type=[0-9a-fA-F]{1,2}|(?!res_type=)[a-z_]+=[!-+\--~]+")


def prepare(host: Host, database: str = DATABASE) -> None:
    """Set `database` as the kernel's directory for reservations, and create it where missing.

    Must be called at start, before any backstore exists. Raises FileError: EINVAL if backstores
    exist and the kernel uses another directory, ENOENT if the parent directory or the module is
    missing.
    """
    files = host.files
    for directory in (database, f"{database}/pr"):
        if not files.exists(directory):
            files.mkdir(directory)
    if files.read(f"{TARGET}/dbroot") != database:
        files.write(f"{TARGET}/dbroot", database)


def restore(host: Host, backstore: str, serial: str) -> None:
    """Write the saved registrations to a new backstore, given by its path in configfs.

    Raises FileError.
    """
    for registration in saved(host.files, serial):
        host.files.write(f"{backstore}/pr/res_aptpl_metadata", registration)


def forget(host: Host, serial: str) -> None:
    """Delete the saved registrations of a deleted LUN. Serial numbers are never reused.

    Raises FileError.
    """
    path = _path(host.files, serial)
    if host.files.exists(path):
        host.files.unlink(path)


def saved(files: Files, serial: str) -> list[str]:
    """Return the saved registrations, each in the form that `res_aptpl_metadata` takes."""
    path = _path(files, serial)
    return parse(files.read(path)) if files.exists(path) else []


def parse(text: str) -> list[str]:
    """Return the registrations in an aptpl file. Skip those that the kernel cannot have written."""
    registrations: list[str] = []
    fields: list[str] = []
    is_valid = False
    for line in text.split("\n"):
        key, _, value = line.rstrip("\0").partition("=")
        if key.startswith("PR_REG_START:"):
            fields, is_valid = [], True
        elif key.startswith("PR_REG_END:"):
            if is_valid:
                registrations.append(",".join(fields))
            is_valid = False
        elif value:
            is_valid &= bool(_FIELD.fullmatch(f"{key}={value}"))
            is_hexadecimal = is_valid and key == "res_type"
            fields.append(f"res_type={int(value, 16)}" if is_hexadecimal else f"{key}={value}")
    return registrations


def _path(files: Files, serial: str) -> str:
    """Return the path of the kernel's file of registrations for a serial number."""
    return f"{files.read(f'{TARGET}/dbroot')}/pr/aptpl_{serial}"
