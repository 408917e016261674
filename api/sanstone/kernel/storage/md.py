"""RAID groups: Linux md arrays.

An array's name, kernel device and UUID are derived from its aggregate's UUID and the group's number
(`names`), so they are known before it exists: assembly uses the UUID alone, and an interrupted
creation is recognised by it. Metadata 1.2, an internal bitmap (a resync after a crash then takes
seconds), chunks of 64 KiB: a full stripe of a typical group is then no larger than one large write
of a host, so that parity is computed without reading.

How `ensure_created` survives a crash at any point. mdadm clears the disks, then writes all
superblocks, then starts the array (mdadm: Create.c, add_disks before update_metadata). An array
counts its writes in `Events`, and 0 means that nothing was ever written to it; such superblocks are
erased and the creation starts again. A superblock with more events belongs to an array that may
hold data: it is assembled or refused, never created again.

New parity must be correct. If all disks can clear ranges by themselves, they do so
(`--write-zeroes`, mdadm 4.3): zeroes have correct parity, and the group has its redundancy at once.
That takes seconds to minutes. Otherwise the kernel resyncs in the background.

Traps:

* Assembly without `--run` starts an array with as many disks as it last ran with, and refuses with
  fewer: a disk that is late at boot never degrades it, one known to be gone does not block it.
  `degraded=True` starts it anyway.
* mdadm aborts an assembly when one of its disks carries no superblock, so only carriers are named.
* A name for the kernel device is honoured only through a configuration file, a regular one (mdadm:
  mdopen.c, `names=yes`), hence `mdadm.conf` beside this module.
* udev or an administrator may have assembled an array under another name; it is stopped first,
  which fails, as it must, while anything uses it.
* An array's logical sectors are the largest of its members', as of its start (drivers/md/md.c,
  mddev_stack_rdev_limits). RAID 1 and 10 take in those of a disk that is added at once, RAID 4, 5
  and 6 at the next start. Partition tables and file systems count in sectors, so hosts would find
  nothing any more: all disks of an array have the same, and no disk of others is added.
* md does not notice that a disk was pulled before it reads or writes it: an idle array calls all
  its members in sync for hours, and no other disk gets the name meanwhile. So `members` looks for
  the disks themselves.
* A retained spare's superblock names the array too; a returning member is re-added (only the blocks
  that its bitmap marks are copied) or, if its history does not allow that, cleared and added as
  new.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import CommandError, FileError, Host, HostError
from sanstone.kernel.storage import block

CHUNK = 64 * 1024
"""Bytes of a chunk, which go to one disk before the next."""

CONFIGURATION = f"--config={Path(__file__).with_name('mdadm.conf')}"
"""The argument that makes mdadm name an array's kernel device `md_<name>`: see the traps."""


class ArrayError(HostError):
    """An array cannot be created or started as desired; the text says why."""


@dataclass(frozen=True)
class RaidType:
    """How one of ONTAP's RAID types is built: the md level, and its properties.

    `minimum_disks` is Linux's: ONTAP accepts three for raid_dp, but RAID 6 needs four.
    """

    level: str
    minimum_disks: int
    parity_disks: int = 0
    mirrored: bool = False

    def data_disks(self, disks: int) -> int:
        """Return how many disks' worth of data fit on this many."""
        if self.mirrored:
            return 1 if self.level == "1" else disks // 2
        return disks - self.parity_disks

    def survives(self, disks: int) -> int:
        """Return how many disks may fail, at best, before data is lost."""
        return disks - self.data_disks(disks) if self.mirrored else self.parity_disks


RAID_TYPES = {
    "raid_dp": RaidType("6", minimum_disks=4, parity_disks=2),
    "raid4": RaidType("4", minimum_disks=3, parity_disks=1),
    "raid5": RaidType("5", minimum_disks=3, parity_disks=1),
    "raid10": RaidType("10", minimum_disks=2, mirrored=True),
    "raid1": RaidType("1", minimum_disks=2, mirrored=True),
    "raid0": RaidType("0", minimum_disks=1),
}


@dataclass(frozen=True)
class Array:
    """A desired RAID group. `disks` are in order, without spares.

    They are paths of whole disks, or of the layers on them (`stack.under_md`).
    """

    aggregate: str
    number: int
    raid_type: str
    disks: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its md name."""
        return names.array_name(self.aggregate, self.number)

    @property
    def uuid(self) -> str:
        """The UUID in its superblocks."""
        return names.array_uuid(self.aggregate, self.number)

    @property
    def device(self) -> str:
        """The path of its block device."""
        return names.array_device(self.aggregate, self.number)


@dataclass(frozen=True)
class Member:
    """A disk in a running array, or the layer on it that md has.

    `state`: in_sync; replacing (in sync, being copied to another); rebuilding; spare; faulty; gone
    (its disk is not there any more, which md has not noticed).
    """

    device: str
    """The kernel's name, "sda" or "dm-3"."""
    state: str
    slot: int | None


@dataclass(frozen=True)
class ArrayStatus:
    """A running array."""

    device: str
    level: str
    """The kernel's: raid6, raid4, raid5, raid10, raid1, raid0."""
    size: int
    """Bytes."""
    raid_disks: int
    missing_disks: int
    state: str
    """clean, degraded, resyncing, rebuilding, checking, reshaping, failed or inactive."""
    percent: float | None
    """How far a resync, rebuild or check has come; None when there is none."""
    members: tuple[Member, ...]
    full_stripe: int
    """Bytes of data in one stripe over all data disks."""
    sector_size: int
    """Bytes of its logical sector."""


FAILED = "failed"
"""The state of an array of which so many disks are lost that it cannot be read any more."""
_NOT_RUNNING = ("clear", "inactive", "readonly")
"""The kernel's names. A read-only array is one whose reader was killed, see `readable`."""
_ACTIVITIES = {
    "recover": "rebuilding",
    "resync": "resyncing",
    "check": "checking",
    "repair": "checking",
    "reshape": "reshaping",
}


def status(host: Host, aggregate: str, number: int) -> ArrayStatus | None:
    """Return the kernel's status of an array (md(4), "SYSFS INTERFACE"); None if not assembled."""
    device = names.array_device(aggregate, number)
    base = f"/sys/block/{PurePosixPath(device).name}"
    kernel_state = _kernel_state(host, PurePosixPath(device).name)
    if kernel_state is None:
        return None

    def attribute(name: str) -> str:
        path = f"{base}/md/{name}"
        return host.files.read(path) if host.files.exists(path) else ""

    level = attribute("level")
    raid_type = next((t for t in RAID_TYPES.values() if level == f"raid{t.level}"), None)
    # Empty while mdadm, in another process, is still creating it (drivers/md/md.c,
    # raid_disks_show).
    raid_disks = int((attribute("raid_disks").split() or ["0"])[0])
    current = members(host, device)
    missing = raid_disks - len({m.slot for m in current if m.state in ("in_sync", "replacing")})
    activity = attribute("sync_action")
    if kernel_state in _NOT_RUNNING or raid_type is None:
        state = "inactive"
    elif kernel_state == "broken" or missing > raid_type.survives(raid_disks):
        state = FAILED
    else:
        state = _ACTIVITIES.get(activity, "degraded" if missing else "clean")
    done, _, total = attribute("sync_completed").partition(" / ")
    return ArrayStatus(
        device=device,
        level=level,
        size=int(host.files.read(f"{base}/size")) * 512,
        raid_disks=raid_disks,
        missing_disks=missing,
        state=state,
        percent=100 * int(done) / int(total) if total else None,
        members=current,
        full_stripe=CHUNK * (raid_type.data_disks(raid_disks) if raid_type else 1),
        sector_size=block.sector_size(host, device),
    )


def _kernel_state(host: Host, name: str) -> str | None:
    """Return an array's state as the kernel calls it; None where there is no array of this name.

    One that was just stopped has its files for a moment yet, of which none can be read any more
    (EBUSY: md_attr_show, mddev_get in drivers/md/md.c).
    """
    path = f"/sys/block/{name}/md/array_state"
    if not host.files.exists(path):
        return None
    try:
        return host.files.read(path)
    except FileError as error:
        if error.errno in (errno.EBUSY, errno.ENODEV, errno.ENOENT):
            return None
        raise


def members(host: Host, device: str) -> tuple[Member, ...]:
    """Return the members of a running array, in the kernel's order. Raises FileError."""
    base = f"/sys/block/{PurePosixPath(device).name}/md"
    entries = [entry for entry in host.files.listdir(base) if entry.startswith("dev-")]

    def attribute(entry: str, name: str) -> str:
        path = f"{base}/{entry}/{name}"
        return host.files.read(path) if host.files.exists(path) else ""

    found = (
        _member(entry.removeprefix("dev-"), attribute(entry, "state"), attribute(entry, "slot"))
        for entry in entries
    )
    return tuple(
        member
        if member.state == "faulty" or _is_there(host, member.device)
        else replace(member, state="gone")
        for member in found
    )


def _is_there(host: Host, device: str) -> bool:
    """Return whether the disk of a member is there; a layer on it would stay without it."""
    base = "/sys/class/block"
    if not host.files.exists(f"{base}/{device}"):
        return False
    disk = block.disk_under(host, device)
    return bool(disk) and host.files.exists(f"{base}/{disk}")


def ensure_created(host: Host, array: Array) -> Ensured:
    """Create the array from empty disks and start it; redo an interrupted creation.

    Raises ContentError when a disk has foreign content, ArrayError when there are too few disks,
    their sectors differ, or an existing array with this UUID may hold data but cannot be started.
    """
    raid_type = RAID_TYPES[array.raid_type]
    if len(array.disks) < raid_type.minimum_disks:
        raise ArrayError(
            "{}: {} takes at least {} disks, not {}",
            array.name,
            array.raid_type,
            raid_type.minimum_disks,
            len(array.disks),
        )
    if _is_assembled(host, array.device):
        return Ensured.UNCHANGED
    carriers = sorted(block.require_empty(host, array.disks, array_uuid=array.uuid))
    if carriers and _was_written_to(host, carriers):
        return ensure_running(host, array)
    _require_sectors(host, array, array.disks, block.sector_size(host, array.disks[0]))
    _stop_claims(host, array.device, array.uuid, array.disks)
    if carriers:
        host.commands.run(["mdadm", "--zero-superblock", *carriers])
    host.commands.run(_create(host, array, raid_type))
    return Ensured.CREATED


def _require_sectors(host: Host, array: Array, disks: Sequence[str], size: int) -> None:
    """Raise ArrayError unless all of some disks have logical sectors of `size` bytes."""
    for disk in disks:
        if (other := block.sector_size(host, disk)) != size:
            raise ArrayError(
                "{}: {} has sectors of {} bytes, not of {}", array.name, disk, other, size
            )


def _clears_disks(host: Host, array: Array) -> bool:
    """Return whether the array's disks are cleared when it is made, which takes its time."""
    parity = RAID_TYPES[array.raid_type].level != "0"
    return parity and all(block.zeroes_itself(host, disk) for disk in array.disks)


def ensure_running(host: Host, array: Array, *, degraded: bool = False) -> Ensured:
    """Assemble the array by its UUID; with fewer disks than it last ran with only if `degraded`.

    Raises ArrayError, naming the missing disks, where that is refused or impossible.
    """
    if _is_assembled(host, array.device):
        return Ensured.UNCHANGED
    present = [disk for disk in array.disks if host.files.exists(disk)]
    carriers = block.carriers(host, present, array.uuid)
    missing = [disk for disk in array.disks if disk not in carriers]
    if not carriers:
        raise ArrayError("{}: none of its disks is there", array.name)
    _stop_claims(host, array.device, array.uuid, array.disks)
    try:
        _assemble(host, array.name, array.uuid, carriers, degraded=degraded)
    except ArrayError as error:
        if not missing:
            raise
        text = "{}; without its superblock or not there: {}"
        raise ArrayError(text, error, ", ".join(missing)) from error
    return Ensured.CHANGED


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
    refuses what is to be done with it.
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
    _require_sectors(host, array, new, current.sector_size)
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
    found = current.members if current else ()
    desired = {PurePosixPath(path).name for path in array.disks}
    spares = [member.device for member in found if member.state == "spare"]
    rebuilding = sum(member.state == "rebuilding" for member in found)
    vacant = current.missing_disks - rebuilding if current else 0
    if current and desired <= {member.device for member in found} and vacant >= len(spares):
        _release(host, array)
        return True
    for device in spares:
        _manage(host, array, "--remove", device)
    return False


def _manage(host: Host, array: Array, *words: str) -> None:
    """Change the members of a running array. Raises CommandError."""
    host.commands.run(["mdadm", "--manage", array.device, *words])


def ensure_stopped(host: Host, aggregate: str, number: int) -> Ensured:
    """Stop an array; its disks keep their content. Raises CommandError while anything uses it."""
    if status(host, aggregate, number) is None:
        return Ensured.UNCHANGED
    host.commands.run(["mdadm", "--stop", names.array_device(aggregate, number)])
    return Ensured.CHANGED


def ensure_removed(host: Host, array: Array) -> Ensured:
    """Stop the array and erase its superblocks from those of `array.disks` that carry them."""
    stopped = ensure_stopped(host, array.aggregate, array.number)
    _stop_claims(host, array.device, array.uuid, array.disks)
    erased = ensure_erased(host, array.uuid, array.disks)
    return erased if stopped is Ensured.UNCHANGED else stopped


def ensure_erased(host: Host, uuid: str, disks: Sequence[str]) -> Ensured:
    """Erase an array's superblocks from disks that have left it, so that they are free again.

    Raises CommandError when a disk is in an array that runs.
    """
    present = [disk for disk in disks if host.files.exists(disk)]
    carriers = block.carriers(host, present, uuid)
    if not carriers:
        return Ensured.UNCHANGED
    host.commands.run(["mdadm", "--zero-superblock", *carriers])
    return Ensured.CHANGED


def _member(device: str, state: str, slot: str) -> Member:
    flags = state.split(",")
    number = int(slot) if slot.isdigit() else None
    if "faulty" in flags:
        word = "faulty"
    elif "in_sync" in flags:
        word = "replacing" if "want_replacement" in flags else "in_sync"
    else:
        word = "spare" if number is None else "rebuilding"
    return Member(device, word, number)


def _is_assembled(host: Host, device: str) -> bool:
    """Return whether an array runs; one that is partly assembled does not."""
    return _kernel_state(host, PurePosixPath(device).name) not in (None, *_NOT_RUNNING)


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
    if not device or _is_assembled(host, device):
        return device, Ensured.UNCHANGED
    _stop_claims(host, device, uuid, disks)
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
        raise ArrayError("{}: {}", name, error.stderr.strip()) from error


def _create(host: Host, array: Array, raid_type: RaidType) -> list[str]:
    """Return the command that creates the array."""
    argv = ["mdadm", "--create", f"/dev/md/{array.name}", CONFIGURATION, "--run", "--metadata=1.2"]
    argv += [f"--homehost={names.HOME_HOST}", f"--name={array.name}", f"--uuid={array.uuid}"]
    argv += [f"--level={raid_type.level}", f"--raid-devices={len(array.disks)}"]
    if raid_type.level != "1":
        argv.append(f"--chunk={CHUNK // 1024}")
    if raid_type.level != "0":
        argv.append("--bitmap=internal")
    if len(array.disks) == 1:
        argv.append("--force")  # mdadm takes a single disk for a mistake otherwise
    if _clears_disks(host, array):
        argv.append("--write-zeroes")
    return [*argv, *array.disks]


def _was_written_to(host: Host, carriers: Sequence[str]) -> bool:
    """Return whether, by its superblocks, the array was ever written to."""
    report = host.commands.run(["mdadm", "--examine", "--export", *carriers])
    events = [line.partition("=")[2] for line in report.splitlines() if "MD_EVENTS=" in line]
    return any(int(count) > 0 for count in events)


def _stop_claims(host: Host, device: str, uuid: str, disks: Sequence[str]) -> None:
    """Stop arrays that claim the disks: a partly assembled one, or this one under another name."""
    members = {f"dev-{PurePosixPath(disk).name}" for disk in disks}
    for name in host.files.listdir("/sys/block"):
        base = f"/sys/block/{name}/md"
        kernel_state = _kernel_state(host, name)
        if kernel_state is None:
            continue
        half_assembled = kernel_state in _NOT_RUNNING
        claims = members & set(host.files.listdir(base)) and (
            half_assembled or host.files.read(f"{base}/uuid") == uuid
        )
        if claims or (half_assembled and name == PurePosixPath(device).name):
            host.commands.run(["mdadm", "--stop", f"/dev/{name}"])


def _add(host: Host, array: Array, path: str, *, returning: bool) -> None:
    """Add a disk; re-add a former member if its history allows that."""
    if returning:
        try:
            _manage(host, array, "--re-add", path)
            return
        except CommandError:
            host.commands.run(["mdadm", "--zero-superblock", path])
    _manage(host, array, "--add", path)
