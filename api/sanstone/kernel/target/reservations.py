"""SCSI persistent reservations that outlive a restart (APTPL).

The kernel writes the registrations of a backstore to `<dbroot>/pr/aptpl_<serial>` before it
answers a PERSISTENT RESERVE OUT with APTPL=1, but it never reads that file: whoever makes the
backstore again writes each registration to `pr/res_aptpl_metadata`, before the first LUN is linked
to it (EINVAL after). The registration comes alive with the initiator's LUN link, and only if
target, portal group tag, both LUN numbers and initiator are those of before: all of them must
therefore be stable. (core_scsi3_update_aptpl_buf() and __core_scsi3_check_aptpl_registration() in
drivers/target/target_core_pr.c, target_pr_res_aptpl_metadata_store() in target_core_configfs.c.)

Traps:

* The kernel writes `res_type` in hexadecimal with a leading zero and reads it as C does, so that
  "08" (exclusive access, all registrants) comes out as octal nonsense and is refused. We write
  decimal.
* The values of a registration are written in one line with commas between them, so none may hold
  one: whoever writes to the file could say something of another initiator.
* The file ends in a NUL byte. An incomplete last record is one whose command was never answered:
  the power went while it was written. It is left out.
* `dbroot` is refused (EINVAL) once there is a backstore, and rtslib (`targetcli`) sets it to
  /etc/target whenever it can and dies if that directory is missing. The image therefore links
  /etc/target to `DATABASE`.
"""

from __future__ import annotations

import re

from sanstone.kernel.host import Files, Host

TARGET = "/sys/kernel/config/target"
DATABASE = "/var/lib/sanstone/target"
_FIELD = re.compile(r"res_type=[0-9a-fA-F]{1,2}|(?!res_type=)[a-z_]+=[!-+\--~]+")


def prepare(host: Host, database: str = DATABASE) -> None:
    """Let the kernel keep reservations in `database`, which is made where missing.

    To be called at start, before any backstore exists. Raises FileError: EINVAL if backstores exist
    and the kernel uses another directory, ENOENT if the parent directory or the module is missing.
    """
    files = host.files
    for directory in (database, f"{database}/pr"):
        if not files.exists(directory):
            files.mkdir(directory)
    if files.read(f"{TARGET}/dbroot") != database:
        files.write(f"{TARGET}/dbroot", database)


def restore(host: Host, backstore: str, serial: str) -> None:
    """Give a new backstore (its configfs path) the registrations that the kernel saved for it."""
    for registration in saved(host.files, serial):
        host.files.write(f"{backstore}/pr/res_aptpl_metadata", registration)


def forget(host: Host, serial: str) -> None:
    """Remove what was saved for a LUN that is deleted; serial numbers are never used again."""
    path = _path(host.files, serial)
    if host.files.exists(path):
        host.files.unlink(path)


def saved(files: Files, serial: str) -> list[str]:
    """Return the saved registrations, each as it must be written to `res_aptpl_metadata`."""
    path = _path(files, serial)
    return parse(files.read(path)) if files.exists(path) else []


def parse(text: str) -> list[str]:
    """Return the registrations in an aptpl file, but for what the kernel never writes."""
    registrations: list[str] = []
    fields: list[str] = []
    whole = False
    for line in text.split("\n"):
        key, _, value = line.rstrip("\0").partition("=")
        if key.startswith("PR_REG_START:"):
            fields, whole = [], True
        elif key.startswith("PR_REG_END:"):
            if whole:
                registrations.append(",".join(fields))
            whole = False
        elif value:
            whole &= bool(_FIELD.fullmatch(f"{key}={value}"))
            number = whole and key == "res_type"
            fields.append(f"res_type={int(value, 16)}" if number else f"{key}={value}")
    return registrations


def _path(files: Files, serial: str) -> str:
    return f"{files.read(f'{TARGET}/dbroot')}/pr/aptpl_{serial}"
