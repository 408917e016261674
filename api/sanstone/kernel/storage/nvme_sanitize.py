"""Sanitize of NVMe disks (NVM Express base specification 2.0: 5.24 Sanitize, 8.21, 5.16.1.22 log).

It erases the whole NVM subsystem. So a disk that shares its subsystem with another namespace has no
method here, whether the kernel shows that namespace or it is not attached to this controller.

`AUSE` is set, so that a disk that failed can be ordered to leave that state. Blocks that are
deallocated afterwards, which is the default, read without an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from sanstone.kernel.disk_commands import NvmeAnswer
from sanstone.kernel.host import Host
from sanstone.kernel.storage.sanitization import (
    BLOCK_ERASE,
    CRYPTO_ERASE,
    FAILED,
    OVERWRITE,
    Progress,
    SanitizeError,
)

IDENTIFY, GET_LOG_PAGE, SANITIZE = 0x06, 0x02, 0x84
CONTROLLER, ALLOCATED_NAMESPACES = 0x01, 0x10
"""The data that Identify is to return (CNS)."""
STATUS_LOG, STATUS_LENGTH = 0x81, 20
"""The log page Sanitize Status, and its bytes up to the action that it is about."""
EVERY_NAMESPACE = 0xFFFFFFFF
EXIT_FAILURE_MODE = 1
ACTIONS = {BLOCK_ERASE: 2, OVERWRITE: 3, CRYPTO_ERASE: 4}
"""SANACT."""
CAPABILITIES = {CRYPTO_ERASE: 1 << 0, BLOCK_ERASE: 1 << 1, OVERWRITE: 1 << 2}
"""Bits of SANICAP."""
NO_SUCH_LOG = (0x109, 0x002)
"""Invalid Log Page, or as older disks have it Invalid Field in Command."""
IN_PROGRESS, UNSUCCESSFUL = 2, 3
"""SSTAT, bits 2 to 0."""
_OACS, _SANICAP = slice(256, 258), slice(328, 332)
_NAMESPACE_MANAGEMENT = 1 << 3
_UNRESTRICTED, _ONE_PASS = 1 << 3, 1 << 4
_STATUS = 0x7FF


def methods(host: Host, path: str) -> tuple[str, ...]:
    """See `sanitization.CommandSet`."""
    controller = _answer(host, path, IDENTIFY, (CONTROLLER,), length=4096)
    capabilities = int.from_bytes(controller[_SANICAP], "little")
    supported = tuple(method for method, bit in CAPABILITIES.items() if capabilities & bit)
    manages = int.from_bytes(controller[_OACS], "little") & _NAMESPACE_MANAGEMENT
    return () if supported and _shares(host, path, manages=bool(manages)) else supported


def progress(host: Host, path: str) -> Progress:
    """See `sanitization.CommandSet`."""
    words = (STATUS_LOG | (STATUS_LENGTH // 4 - 1) << 16,)
    answer = host.disk_commands.nvme(
        path, GET_LOG_PAGE, words, namespace=EVERY_NAMESPACE, length=STATUS_LENGTH
    )
    if answer.status & _STATUS in NO_SUCH_LOG:
        return Progress()
    if answer.status:
        raise _refusal(path, GET_LOG_PAGE, answer)
    parts, status = (int.from_bytes(answer.data[at : at + 2], "little") for at in (0, 2))
    if status & 0b111 == IN_PROGRESS:
        return Progress.running(parts)
    return Progress(FAILED) if status & 0b111 == UNSUCCESSFUL else Progress()


def start(host: Host, path: str, method: str) -> None:
    """See `sanitization.CommandSet`."""
    word = ACTIONS[method] | _UNRESTRICTED | (_ONE_PASS if method == OVERWRITE else 0)
    _answer(host, path, SANITIZE, (word,))


def leave_failure(host: Host, path: str) -> None:
    """See `sanitization.CommandSet`."""
    _answer(host, path, SANITIZE, (EXIT_FAILURE_MODE,))


def _shares(host: Host, path: str, *, manages: bool) -> bool:
    """Return whether there is another namespace in the subsystem of a disk."""
    name = PurePosixPath(path).name
    subsystem = name.rpartition("n")[0]
    shown = host.files.listdir("/sys/block")
    if any(re.fullmatch(rf"{subsystem}n\d+", other) and other != name for other in shown):
        return True
    if not manages:
        return False
    listed = _answer(host, path, IDENTIFY, (ALLOCATED_NAMESPACES,), length=4096)
    # Identifiers of four bytes in rising order; a zero ends them.
    return any(listed[4:8])


def _answer(host: Host, path: str, opcode: int, words: Sequence[int], length: int = 0) -> bytes:
    """Return the data of a command that the disk must do. Raises HostError."""
    answer = host.disk_commands.nvme(path, opcode, words, length=length)
    if answer.status:
        raise _refusal(path, opcode, answer)
    return answer.data


def _refusal(path: str, opcode: int, answer: NvmeAnswer) -> SanitizeError:
    codes = f"{opcode:02x}h", f"{answer.status & _STATUS:03x}h"
    return SanitizeError("{}: answers command {} with status {}", path, *codes)
