"""Sanitize of SCSI disks (SBC-4: 4.12, 5.28 SANITIZE; SPC-5: REPORT SUPPORTED OPERATION CODES).

A method after which a disk refuses to be read until it was written (WABEREQ, WACEREQ of the VPD
page Block Device Characteristics) is none here: a disk that cannot be read is no spare.
"""

from __future__ import annotations

from sanstone.kernel.disk_commands import ScsiAnswer
from sanstone.kernel.host import Host
from sanstone.kernel.storage.sanitization import (
    BLOCK_ERASE,
    CRYPTO_ERASE,
    FAILED,
    OVERWRITE,
    Progress,
    SanitizeError,
)

REQUEST_SENSE, INQUIRY, SANITIZE, REPORT_CODES = 0x03, 0x12, 0x48, 0xA3
ACTIONS = {CRYPTO_ERASE: 0x03, BLOCK_ERASE: 0x02, OVERWRITE: 0x01}
"""Service actions of SANITIZE."""
EXIT_FAILURE_MODE = 0x1F
CHARACTERISTICS = 0xB1
"""The VPD page Block Device Characteristics."""
IMMEDIATE, UNRESTRICTED = 0x80, 0x20
"""IMMED: it answers once it has started. AUSE: it may be ordered to leave a failure."""
ZEROES_ONCE = bytes((1, 0, 0, 4)) + bytes(4)
"""The parameters of an overwrite: one pass, and a pattern of four bytes."""
NOT_READY, MEDIUM_ERROR = 0x2, 0x3
IN_PROGRESS, UNSUCCESSFUL = (0x04, 0x1B), (0x31, 0x03)
"""Additional sense codes: sanitize in progress, sanitize command failed."""
_CHECK_CONDITION = 0x02
_ONE_COMMAND, _REPORT_SUPPORTED = 0x03, 0x0C
_LONGEST = 252


def methods(host: Host, path: str) -> tuple[str, ...]:
    """See `sanitization.CommandSet`."""
    supported = tuple(method for method in ACTIONS if _is_supported(host, path, ACTIONS[method]))
    if not supported:
        return ()
    inquiry = bytes((INQUIRY, 1, CHARACTERISTICS, 0, 64, 0))
    answer = host.disk_commands.scsi(path, inquiry, longest=64)
    page = answer.data if not answer.status else b""
    byte = page[7] if len(page) > 7 else 0
    to_be_written = {BLOCK_ERASE: byte >> 6, CRYPTO_ERASE: byte >> 4 & 0b11}
    return tuple(method for method in supported if to_be_written.get(method, 0) <= 1)


def progress(host: Host, path: str) -> Progress:
    """See `sanitization.CommandSet`."""
    command = bytes((REQUEST_SENSE, 0, 0, 0, _LONGEST, 0))
    answer = host.disk_commands.scsi(path, command, longest=_LONGEST)
    # It is the answer itself that is sense data; a disk that cannot do that either answers so.
    if answer.status:
        raise _refusal(path, REQUEST_SENSE, answer)
    key, code = sense_of(answer.data)
    if key == NOT_READY and code == IN_PROGRESS:
        return Progress.running(_parts(answer.data))
    return Progress(FAILED) if key == MEDIUM_ERROR and code == UNSUCCESSFUL else Progress()


def start(host: Host, path: str, method: str) -> None:
    """See `sanitization.CommandSet`."""
    _sanitize(host, path, ACTIONS[method], ZEROES_ONCE if method == OVERWRITE else b"")


def leave_failure(host: Host, path: str) -> None:
    """See `sanitization.CommandSet`."""
    _sanitize(host, path, EXIT_FAILURE_MODE)


def sense_of(sense: bytes) -> tuple[int, tuple[int, int]]:
    """Return key and additional codes of sense data in either format (SPC-5, 4.4); 0 for none."""
    padded = sense.ljust(18, b"\0")
    if padded[0] & 0x7F >= 0x72:
        return padded[1] & 0xF, (padded[2], padded[3])
    return padded[2] & 0xF, (padded[12], padded[13])


def _parts(sense: bytes) -> int:
    """Return the progress indication in sense data, of 65536 parts; 0 where there is none."""
    is_fixed = sense[0] & 0x7F < 0x72
    progress_bytes = sense[15:18] if is_fixed else _descriptor(sense, 0x02)[4:7]
    return (
        int.from_bytes(progress_bytes[1:3])
        if len(progress_bytes) == 3 and progress_bytes[0] & 0x80
        else 0
    )


def _descriptor(sense: bytes, kind: int) -> bytes:
    """Return the descriptor of a kind in sense data of that format, empty where there is none."""
    at = 8
    while at + 2 <= len(sense):
        length = 2 + sense[at + 1]
        if sense[at] == kind:
            return sense[at : at + length]
        at += length
    return b""


def _is_supported(host: Host, path: str, action: int) -> bool:
    """Return whether a disk has a service action of SANITIZE; one that cannot tell has none."""
    room = 32
    command = bytes((REPORT_CODES, _REPORT_SUPPORTED, _ONE_COMMAND, SANITIZE, 0, action))
    command += room.to_bytes(4) + bytes(2)
    answer = host.disk_commands.scsi(path, command, longest=room)
    # SUPPORT: 011b is as in a standard.
    return not answer.status and len(answer.data) > 1 and answer.data[1] & 0b111 == 0b011


def _sanitize(host: Host, path: str, action: int, parameters: bytes = b"") -> None:
    first = action | IMMEDIATE | UNRESTRICTED if action != EXIT_FAILURE_MODE else action
    command = bytes((SANITIZE, first, 0, 0, 0, 0, 0)) + len(parameters).to_bytes(2) + b"\0"
    answer = host.disk_commands.scsi(path, command, sent=parameters)
    if answer.status:
        raise _refusal(path, SANITIZE, answer)


def _refusal(path: str, operation: int, answer: ScsiAnswer) -> SanitizeError:
    key, (code, qualifier) = sense_of(answer.sense)
    outcome = f"status {answer.status:02x}h"
    if answer.status == _CHECK_CONDITION:
        outcome = f"sense key {key:x}h, {code:02x}h/{qualifier:02x}h"
    return SanitizeError("{}: answers command {} with {}", path, f"{operation:02x}h", outcome)
