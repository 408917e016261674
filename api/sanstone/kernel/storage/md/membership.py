"""Change the disks of an array that runs."""

from __future__ import annotations

from pathlib import PurePosixPath

from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import CommandError, Host
from sanstone.kernel.storage import block
from sanstone.kernel.storage.md.array import Array, ArrayError, require_sectors
from sanstone.kernel.storage.md.running import FAILED, ArrayStatus, members, status


def ensure_members(host: Host, array: Array) -> Ensured:
    """Change a running array to the desired disks: rebuild onto new ones, release the others.

    A working disk that is no longer desired is copied to its successor and stays until then; a call
    after that removes it. Copying waits for a resync, a rebuild or a check of the array to end: its
    successor can have no place in the array before (slot_store() in drivers/md/md.c). It keeps its
    superblock (`ensure_erased`), since it may have failed. A failed disk that is still desired is
    left to its owner.

    A disk that was pulled is failed first, whether or not md has noticed: nothing can be copied
    from it, so that md rebuilds onto its successor. Of an array that has lost more disks than it
    survives nothing is changed: as its superblocks are, it may start again with the disks put back.

    Raises ContentError when a new disk is not empty, ArrayError when it has sectors of another size
    than the array, or the array has failed. A disk that was added is taken out again when md
    refuses to use it.
    """
    current = status(host, array.aggregate, array.number)
    if current is None:
        raise ArrayError("{}: is not assembled", array.name)
    desired = {PurePosixPath(disk).name: disk for disk in array.disks}
    present = {member.device for member in current.members}
    new = [path for name, path in desired.items() if name not in present]
    if current.state == FAILED:
        if new:
            raise ArrayError("{}: has lost more disks than it survives", array.name)
        return Ensured.UNCHANGED
    require_sectors(host, array, new, current.sector_size)
    returning = block.require_empty(host, new, array_uuid=array.uuid)
    done = _release(host, array)
    try:
        for path in new:
            _add(host, array, path, returning=path in returning)
            done = Ensured.CHANGED
        if current.state == "clean" and _replace(host, array, current):
            done = Ensured.CHANGED
    except CommandError:
        if not _goes_on(host, array):
            raise
        done = Ensured.CHANGED
    return done


def _release(host: Host, array: Array) -> Ensured:
    """Fail the members that were pulled, and remove those that are neither desired nor of use.

    md lets go of a faulty one by itself, in a moment; until then it has a slot, and cannot be
    removed: a later call does that.
    """
    done = Ensured.UNCHANGED
    for member in members(host, array.device):
        if member.state == "gone":
            _manage(host, array, "--fail", member.device)
            done = Ensured.CHANGED
    desired = {PurePosixPath(disk).name for disk in array.disks}
    for member in members(host, array.device):
        is_idle = member.state == "spare" or (member.state == "faulty" and member.slot is None)
        if is_idle and member.device not in desired:
            _manage(host, array, "--remove", member.device)
            done = Ensured.CHANGED
    return done


def _replace(host: Host, array: Array, before: ArrayStatus) -> bool:
    """Have working members that are not desired copied to spares. Return whether there are any.

    `before` is the status before disks were added.
    """
    desired = {PurePosixPath(path).name: path for path in array.disks}
    leaving = [m.device for m in before.members if m.state == "in_sync" and m.device not in desired]
    placed = {member.device for member in before.members if member.state != "spare"}
    spares = [path for name, path in desired.items() if name not in placed]
    pairs = list(zip(leaving, spares, strict=False))
    for device, path in pairs:
        _manage(host, array, "--replace", f"/dev/{device}", "--with", path)
    return bool(pairs)


def _goes_on(host: Host, array: Array) -> bool:
    """Return whether md rebuilds onto the disks that were added, although a command was refused.

    So it does where the disk that was to be copied was pulled meanwhile. Otherwise the spares are
    taken out again, so that nothing is left of the attempt.
    """
    current = status(host, array.aggregate, array.number)
    present = current.members if current else ()
    desired = {PurePosixPath(path).name for path in array.disks}
    spares = [member.device for member in present if member.state == "spare"]
    rebuilding = sum(member.state == "rebuilding" for member in present)
    vacant = current.missing_disks - rebuilding if current else 0
    if current and desired <= {member.device for member in present} and vacant >= len(spares):
        _release(host, array)
        return True
    for device in spares:
        _manage(host, array, "--remove", device)
    return False


def _add(host: Host, array: Array, path: str, *, returning: bool) -> None:
    """Add a disk; re-add a former member if its history allows that."""
    if returning:
        try:
            _manage(host, array, "--re-add", path)
            return
        except CommandError:
            host.commands.run(["mdadm", "--zero-superblock", path])
    _manage(host, array, "--add", path)


def _manage(host: Host, array: Array, *words: str) -> None:
    """Change the members of a running array. Raises CommandError."""
    host.commands.run(["mdadm", "--manage", array.device, *words])
