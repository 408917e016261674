"""Start arrays by their UUID, and stop them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import CommandError, Host
from sanstone.kernel.storage import block
from sanstone.kernel.storage.md.array import Array, ArrayError, DirtyError
from sanstone.kernel.storage.md.running import NOT_RUNNING, array_state, is_assembled, status

CONFIGURATION = f"--config={Path(__file__).with_name('mdadm.conf')}"
"""The argument that makes mdadm name an array's kernel device `md_<name>`: see the traps."""
STARTS_DIRTY = "/sys/module/md_mod/parameters/start_dirty_degraded"
"""Whether md starts arrays that are dirty and degraded (raid5_run() in drivers/md/raid5.c)."""
START_DIRTY, REFUSE_DIRTY = "1", "0"
_IS_DIRTY = "while not clean"
"""mdadm's messages about such an array, with and without `--run` (mdadm: Assemble.c,
start_array)."""


def ensure_running(
    host: Host, array: Array, *, degraded: bool = False, dirty: bool = False
) -> Ensured:
    """Assemble the array by its UUID; with fewer disks than it last ran with only if `degraded`.

    Raises ArrayError, naming the missing disks, where that is refused or impossible. That is
    DirtyError for parity RAID that lacks disks and was being written to when it stopped: data of
    the missing disks is computed out of the others, which may not agree in what was written then.
    With `dirty` it starts all the same, if `degraded` too.
    """
    if is_assembled(host, array.device):
        return Ensured.UNCHANGED
    present = [disk for disk in array.disks if host.files.exists(disk)]
    carriers = block.carriers(host, present, array.uuid)
    missing = [disk for disk in array.disks if disk not in carriers]
    if not carriers:
        raise ArrayError("{}: none of its disks is there", array.name)
    stop_claims(host, array.device, array.uuid, array.disks)
    try:
        with _starting_dirty(host, allowed=dirty):
            _assemble(host, array.name, array.uuid, carriers, degraded=degraded)
    except ArrayError as error:
        if not missing:
            raise
        text = "{}; without its superblock or not there: {}"
        raise type(error)(text, error, ", ".join(missing)) from error
    return Ensured.CHANGED


@contextmanager
def _starting_dirty(host: Host, *, allowed: bool) -> Iterator[None]:
    """Have md start dirty and degraded arrays in a block, or refuse them as it does by itself.

    mdadm's `--force` would call the array clean, so that its parity stayed wrong, and take in disks
    that are out of date.
    """
    _set_starting_dirty(host, START_DIRTY if allowed else REFUSE_DIRTY)
    try:
        yield
    finally:
        _set_starting_dirty(host, REFUSE_DIRTY)


def _set_starting_dirty(host: Host, value: str) -> None:
    # A process that was killed may have left it set. Without md's module nothing is.
    if host.files.exists(STARTS_DIRTY) and host.files.read(STARTS_DIRTY) != value:
        host.files.write(STARTS_DIRTY, value)


def ensure_running_by_uuid(host: Host, uuid: str, disks: Sequence[str]) -> str:
    """Start an array of ours by its UUID and disks, even degraded; return its device.

    Return '' for an array that is not ours (its superblocks name another home host). This is for
    finding the configuration: nothing else should start an array without an aggregate. Raises
    ArrayError when it cannot be started with these disks.
    """
    device, _ = _start_by_uuid(host, uuid, disks)
    return device


@contextmanager
def readable(host: Host, uuid: str, disks: Sequence[str]) -> Iterator[str]:
    """Run an array, by its UUID and disks, for the duration of a block; yield its device.

    As `ensure_running_by_uuid`, but an array that did not run is started read-only and stopped
    again. No superblock is written then (md(4), "array_state"): a disk that is not named becomes no
    staler. Raises ArrayError, or CommandError when it cannot be stopped.
    """
    device, done = _start_by_uuid(host, uuid, disks, read_only=True)
    try:
        yield device
    finally:
        if done is Ensured.CHANGED:
            host.commands.run(["mdadm", "--stop", device])


def ensure_stopped(host: Host, aggregate: str, number: int) -> Ensured:
    """Stop an array; its disks keep their content. Raises CommandError while anything uses it."""
    if status(host, aggregate, number) is None:
        return Ensured.UNCHANGED
    host.commands.run(["mdadm", "--stop", names.array_device(aggregate, number)])
    return Ensured.CHANGED


def stop_claims(host: Host, device: str, uuid: str, disks: Sequence[str]) -> None:
    """Stop arrays that claim the disks: a partly assembled one, or this one under another name."""
    members = {f"dev-{PurePosixPath(disk).name}" for disk in disks}
    for name in host.files.listdir("/sys/block"):
        base = f"/sys/block/{name}/md"
        kernel_state = array_state(host, name)
        if kernel_state is None:
            continue
        half_assembled = kernel_state in NOT_RUNNING
        claims = members & set(host.files.listdir(base)) and (
            half_assembled or host.files.read(f"{base}/uuid") == uuid
        )
        if claims or (half_assembled and name == PurePosixPath(device).name):
            host.commands.run(["mdadm", "--stop", f"/dev/{name}"])


def _start_by_uuid(
    host: Host, uuid: str, disks: Sequence[str], *, read_only: bool = False
) -> tuple[str, Ensured]:
    """Start an array of ours; return its device and the result. See `ensure_running_by_uuid`."""
    labels = (
        s.label
        for signatures in block.signatures(host, disks).values()
        for s in signatures
        if s.label
    )
    name = next(labels, "").removeprefix(f"{names.HOME_HOST}:")
    device = names.device_of_array(name)
    if not device or is_assembled(host, device):
        return device, Ensured.UNCHANGED
    stop_claims(host, device, uuid, disks)
    _assemble(host, name, uuid, disks, degraded=True, read_only=read_only)
    return device, Ensured.CHANGED


def _assemble(
    host: Host,
    name: str,
    uuid: str,
    carriers: Sequence[str],
    *,
    degraded: bool = False,
    read_only: bool = False,
) -> None:
    argv = ["mdadm", "--assemble", f"/dev/md/{name}", CONFIGURATION, f"--uuid={uuid}"]
    argv += [*(["--run"] if degraded else []), *(["--readonly"] if read_only else [])]
    try:
        host.commands.run([*argv, *carriers])
    except CommandError as error:
        kind = DirtyError if _IS_DIRTY in error.stderr else ArrayError
        raise kind("{}: {}", name, error.stderr.strip()) from error
