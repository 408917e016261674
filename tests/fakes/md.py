"""md of the fake machine: mdadm, and the arrays' part of /sys/block.

A disk's superblock says how many members were in sync when it was last written, and counts that in
`events`, as it is by every start but a read-only one; from them follows what assembly does (mdadm:
Assemble.c): members with fewer events than the newest are left out, and fewer members than last
time start only with `--run`. Creation has its
two points of no return: superblocks written, array started. Resync and rebuild take no time here,
but for rebuilds while `rebuilds_slowly`, and reshapes while `reshapes_slowly`. At a rate of its own
an array goes on with a check, and with a reshape, until a test ends it.

An array has the largest logical sectors of its members, as of its start.

A member may be a mapped device, that is a layer on a disk: the superblock lies in the area that the
layer shows, and the member is gone with the disk.

The content of an array stays on its disks: a new array of the same disks in the same order shows
the old content, unless `--write-zeroes` cleared it.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from uuid import UUID

from fakes.arguments import Arguments, parse
from fakes.commands import FakeCommands
from fakes.devices import BlockDevice, BlockDevices
from fakes.disks import FakeDisks, Foreign, Superblock
from fakes.files import Directory, FakeFiles, Text
from fakes.interrupt import Interrupt
from fakes.md_array import SECTORS, FakeArray, attributes
from fakes.md_members import FakeMembers, Member
from sanstone.kernel.host import FileError

MAJOR = 9
_DATA_OFFSET = 2 * 1024**2
_MINIMUM = {"0": 1, "1": 2, "4": 2, "5": 2, "6": 4, "10": 2}


class FakeArrays(FakeMembers):
    """mdadm and the arrays that run."""

    def __init__(
        self,
        interrupt: Interrupt,
        devices: BlockDevices,
        commands: FakeCommands,
        files: FakeFiles,
        disks: FakeDisks,
    ) -> None:
        super().__init__(interrupt, devices, disks)
        self._files = files
        self._contents: dict[str, list[Foreign]] = {}
        """The content of arrays, by their UUID."""
        self._last: dict[tuple[str, tuple[str, ...]], str] = {}
        """The UUID of the last array on disks, by its level and their serial numbers in order."""
        self.reshapes_slowly = False
        """Whether reshapes go on until `finish_reshape`."""
        self._published: list[str] = []
        self._next_minor = 512
        commands.register("mdadm", self._mdadm)
        files.place(_STARTS_DIRTY, Text("0"))

    def share(self, other: FakeArrays) -> None:
        """Share the content of arrays with another machine."""
        self._contents, self._last = other._contents, other._last

    def on(self, name: str) -> list[Foreign]:
        """Return the content of a running array, or of a layer on it.

        Changing the list changes the disks.
        """
        labels = self._disks.labels(name)
        assert labels is not None, name
        return labels

    def device(self, path: str) -> BlockDevice | None:
        """Return the device that a path leads to."""
        return self._files.block_device(path)

    def beneath(self, name: str) -> str:
        """Return the array that a layer lies on, or the array itself."""
        return self._disks.beneath(name)[0]

    def leave_dirty(self, name: str) -> None:
        """Have superblocks say that writes are under way, as they do when the power is cut."""
        for member in filter(None, self.running[name].slots):
            self._superblock(member).is_dirty = True

    def fail(self, disk: str) -> None:
        """Have md find that a member fails: a disk, or a layer on one."""
        for array in self.running.values():
            for member in [m for m in array.members if disk in (m, self.beneath(m))]:
                array.fail(member)
                self.written(array.name)

    def rebuild_to(self, name: str, thousandths: int) -> None:
        """Have the rebuild of an array come so far."""
        self.running[name].completed = f"{thousandths} / 1000"
        self._publish()

    def finish_rebuild(self, name: str) -> None:
        """End the rebuild of an array."""
        self.running[name].rebuilding.clear()
        self.become(name, "idle")
        self.written(name)

    def reshape_to(self, name: str, sector: int) -> None:
        """Have the reshape of an array come so far, unless it stands still."""
        array = self.running[name]
        assert not array.read_auto, "it stands still"
        array.completed = f"{sector} / {SECTORS}"
        for member in filter(None, array.slots):
            self._superblock(member).reshaped = sector
        self._publish()

    def finish_reshape(self, name: str) -> None:
        """End the reshape of an array, which is larger then (md_finish_reshape())."""
        array = self.running[name]
        assert not array.read_auto, "it stands still"
        array.activity, array.completed, array.before_reshape = "idle", "none", 0
        for member in filter(None, array.slots):
            self._superblock(member).reshaped = None
        device = self._devices.by_name(name)
        assert device is not None
        device.size = self._size(array)
        self.written(name)

    def check_to(self, name: str, sector: int, mismatches: int = 0) -> None:
        """Have the check of an array come so far."""
        array = self.running[name]
        array.completed, array.mismatches = f"{sector} / {SECTORS}", mismatches
        self._publish()

    def finish_check(self, name: str, mismatches: int = 0) -> None:
        """Have the check of an array come to its end (md_do_sync() in drivers/md/md.c)."""
        array = self.running[name]
        array.activity, array.completed, array.mismatches = "idle", "none", mismatches
        array.sync_min, array.sync_max = 0, "max"
        self._fill(array)
        self._publish()

    def set_attribute(self, path: str, name: str, attribute: str, text: str) -> None:
        """Carry out a write to a file in an array's folder `md` in sysfs. Raises FileError."""
        array = self.running[name]
        is_busy = array.activity != "idle"
        if attribute == "array_state" and text == "active" and array.read_auto:
            array.read_auto = False
            array.activity = "reshape" if array.before_reshape else array.activity
            self._work_off(array)
        elif attribute == "sync_action" and text in ("check", "idle"):
            if text == "idle":
                array.interrupt_check()
                self._fill(array)
            elif is_busy:
                raise FileError("write", path, errno.EBUSY)
            else:
                array.begin_check()
        elif attribute == "sync_speed_max":
            array.speed_max = "" if text == "system" else str(int(text))
            self._work_off(array)
        elif attribute == "sync_speed_min":
            int(text)
        elif attribute == "sync_min":
            # min_sync_store(), and below max_sync_store(), in drivers/md/md.c.
            if array.sync_max != "max" and int(text) > int(array.sync_max):
                raise FileError("write", path, errno.EINVAL)
            if is_busy:
                raise FileError("write", path, errno.EBUSY)
            array.sync_min = int(text)
        elif attribute == "sync_max":
            if text != "max" and (int(text) < array.sync_min or int(text) % 128):
                raise FileError("write", path, errno.EINVAL)
            if is_busy and text != "max" and array.sync_max in ("max", text):
                raise FileError("write", path, errno.EBUSY)
            array.sync_max = text
        else:
            raise FileError("write", path, errno.EACCES)
        self._publish()

    def assemble_as(self, name: str, uuid: str) -> None:
        """Start an array under a name that is not ours, as an automatic assembly would."""
        carriers = [Member(n, d) for n, d in self._disks.present.items() if d.superblock]
        self._start(name, [m for m in carriers if _uuid(m) == uuid])

    def become(self, name: str, activity: str) -> None:
        """Have an array at an action of md's sync_action, such as "resync" or "idle"."""
        self.running[name].activity = activity
        self._publish()

    def stall(self, name: str) -> None:
        """Leave an array partly assembled."""
        self.running[name].inactive = True
        self._publish()

    def reboot(self) -> None:
        """Stop every array."""
        self.running.clear()
        self._published.clear()
        self._files.place(_STARTS_DIRTY, Text("0"))
        self._next_minor = 512

    def dump(self) -> str:
        """Return the state as text."""
        return "\n".join(
            f"{a.name} {a.uuid} {a.level} {a.slots} spares={a.spares} faulty={a.faulty} "
            f"inactive={a.inactive} {[c.type for c in self._disks.array_labels.get(a.name, ())]}"
            for a in sorted(self.running.values(), key=lambda a: a.name)
        )

    def _mdadm(self, argv: Sequence[str], _stdin: str) -> str:
        modes = {
            "--create": (self._create, "--run --write-zeroes --force", _CREATE_VALUES),
            "--assemble": (self._assemble, "--run --readonly", "--config --uuid --update"),
            "--examine": (self._examine, "--export", ""),
            "--stop": (self._stop, "", ""),
            "--zero-superblock": (self._zero, "", ""),
            "--grow": (self._grow, "", "--raid-devices"),
            "--manage": (self._manage, "--re-add --add --fail --remove --replace --with", ""),
        }
        if argv[1] not in modes:
            raise Arguments(argv).error(2, f"mdadm: unrecognized option '{argv[1]}'")
        run, flags, valued = modes[argv[1]]
        return run(parse(argv, argv[2:], flags=flags, valued=valued, usage_status=2))

    def _create(self, arguments: Arguments) -> str:
        options = arguments.options
        device, *paths = arguments.operands
        level, label = options["--level"], f"{options['--homehost']}:{options['--name']}"
        if len(paths) != int(options["--raid-devices"]) or len(paths) < _MINIMUM[level]:
            text = f"mdadm: at least {_MINIMUM[level]} raid-devices needed for level {level}"
            raise arguments.error(2, text)
        if len(paths) == 1 and not arguments.has("--force"):
            raise arguments.error(2, "mdadm: '1' is an unusual number of drives for an array")
        members = [self._free(arguments, path) for path in paths]
        uuid, name = str(UUID(options["--uuid"])), f"md_{device.removeprefix('/dev/md/')}"
        with self._interrupt.step(f"{' '.join(arguments.argv)}: write superblocks"):
            key = level, tuple(member.disk.serial for member in members)
            old = None if arguments.has("--write-zeroes") else self._last.get(key)
            self._contents[uuid] = self._contents[old] if old else []
            self._last[key] = uuid
            count = len(members)
            for slot, (_, disk) in enumerate(members):
                disk.foreign = []
                disk.superblock = Superblock(uuid, label, level, count, slot, 0, count)
        with self._interrupt.step(f"{' '.join(arguments.argv)}: start"):
            self._start(name, members)
        return ""

    def _assemble(self, arguments: Arguments) -> str:
        device, *paths = arguments.operands
        uuid = str(UUID(arguments.options["--uuid"]))
        members = []
        for path in paths:
            member = self._disk(arguments, path)
            held = self._devices.by_name(member.name)
            if member.name in self._disks.members or (held and held.held):
                raise arguments.error(2, f"mdadm: {path} is busy - skipping")
            if member.disk.superblock is None:
                raise arguments.error(1, f"mdadm: {path} has no superblock - assembly aborted")
            if _uuid(member) == uuid:
                members.append(member)
        blocks = [(member, self._superblock(member.name)) for member in members]
        newest = max((block.events for _, block in blocks), default=-1)
        sound = [m for m, b in blocks if b.events == newest and b.slot is not None]
        working = max((self._superblock(member.name).working for member in sound), default=0)
        if not sound:
            raise arguments.error(1, f"mdadm: No arrays found for {device}")
        block = self._superblock(sound[0].name)
        least = block.disks - _array(device, sound).survives
        if arguments.options.get("--update") == "resync":
            for member in sound:
                self._superblock(member.name).is_dirty = True
        is_dirty = any(self._superblock(member.name).is_dirty for member in sound)
        is_parity = block.level in ("4", "5", "6")
        starts_dirty = self._files.read(_STARTS_DIRTY) == "1" and arguments.has("--run")
        if is_dirty and is_parity and least <= len(sound) < block.disks and not starts_dirty:
            # start_array() in mdadm's Assemble.c, raid5_run() in drivers/md/raid5.c.
            text = f"mdadm: {device} assembled from {len(sound)} drives - not enough to start the "
            raise arguments.error(1, f"{text}array while not clean - consider --force.")
        if len(sound) < least or (len(sound) < working and not arguments.has("--run")):
            hint = " (use --run to insist)" if len(sound) >= least else ""
            text = f"mdadm: {device} assembled from {len(sound)} drives - "
            raise arguments.error(1, f"{text}need all {working} to start it{hint}.")
        with self._interrupt.step(" ".join(arguments.argv)):
            name = f"md_{device.removeprefix('/dev/md/')}"
            self._start(name, sound, read_only=arguments.has("--readonly"))
            if not arguments.has("--readonly"):
                self.written(name)
        return ""

    def _start(self, name: str, members: Sequence[Member], *, read_only: bool = False) -> None:
        array = _array(name, members)
        array.read_only = read_only
        array.sector_size = max(member.disk.logical_block_size for member in members)
        array.minor = self._next_minor
        self._next_minor += 1
        self.running[name] = array
        self._devices.add(name, MAJOR, array.minor, self._size(array))
        self._disks.array_labels[name] = self._contents[array.uuid]
        self._publish()

    def _size(self, array: FakeArray) -> int:
        """Return the bytes of data that an array has."""
        devices = filter(None, (self._devices.by_name(name) for name in array.members))
        return array.data_disks * (min(device.size for device in devices) - _DATA_OFFSET)

    def _grow(self, arguments: Arguments) -> str:
        """Begin a reshape over more disks (mdadm: Grow.c)."""
        array = self.running[arguments.operands[0].removeprefix("/dev/")]
        more = int(arguments.options["--raid-devices"]) - len(array.slots)
        if array.activity != "idle" or array.before_reshape:
            text = f"mdadm: {array.name} is performing resync/recovery and cannot be reshaped"
            raise arguments.error(1, text)
        if array.read_auto:
            # update_raid_disks() in drivers/md/md.c.
            raise arguments.error(1, f"mdadm: Cannot set array shape for {array.name}")
        if array.level not in ("4", "5", "6") or more < 1:
            raise arguments.error(1, f"mdadm: Cannot set device shape for {array.name}")
        if more > len(array.spares) or None in array.slots:
            raise arguments.error(1, f"mdadm: Need {more} spares, only have {len(array.spares)}")
        with self._interrupt.step(" ".join(arguments.argv)):
            array.before_reshape = len(array.slots)
            new, array.spares = array.spares[:more], array.spares[more:]
            array.slots += new
            array.activity, array.completed = "reshape", f"0 / {SECTORS}"
            newest = max(self._superblock(name).events for name in array.slots if name)
            for slot, name in enumerate(filter(None, array.slots)):
                block = self._superblock(name)
                block.disks, block.slot, block.events = len(array.slots), slot, newest
                block.reshaped, block.before = 0, array.before_reshape
            self.written(array.name)
            self._work_off(array)
        return ""

    def _work_off(self, array: FakeArray) -> None:
        """Have a check or a reshape take no time, if the array has the system's rate."""
        if array.speed_max:
            return
        if array.activity == "check":
            self.finish_check(array.name)
        elif array.activity == "reshape" and not self.reshapes_slowly:
            self.finish_reshape(array.name)

    def _stop(self, arguments: Arguments) -> str:
        name = arguments.operands[0].removeprefix("/dev/")
        device = self._devices.by_name(name)
        if name not in self.running or device is None:
            text = f"mdadm: error opening /dev/{name}: No such file or directory"
            raise arguments.error(1, text)
        if device.held:
            text = f"mdadm: Cannot get exclusive access to /dev/{name}:Perhaps a running process, "
            raise arguments.error(1, text + "mounted filesystem or active volume group?")
        with self._interrupt.step(" ".join(arguments.argv)):
            del self.running[name]
            del self._disks.array_labels[name]
            self._devices.remove(device.major, device.minor)
            self._publish()
        return ""

    def _zero(self, arguments: Arguments) -> str:
        members = [self._free(arguments, path) for path in arguments.operands]
        for name, disk in members:
            if disk.superblock is None:
                text = f"mdadm: Unrecognised md component device - /dev/{name}"
                raise arguments.error(1, text)
        for name, disk in members:
            with self._interrupt.step(f"mdadm --zero-superblock /dev/{name}"):
                disk.superblock = None
        return ""

    def _examine(self, arguments: Arguments) -> str:
        lines = []
        for path in arguments.operands:
            block = self._disk(arguments, path).disk.superblock
            if block is None:
                raise arguments.error(1, f"mdadm: No md superblock detected on {path}.")
            lines += [f"MD_NAME={block.label}", f"MD_EVENTS={block.events}"]
        return "\n".join(lines) + "\n"

    def _publish(self) -> None:
        """Show the arrays in /sys/block, and who has which disk."""
        for path in self._published:
            self._files.displace(path)
        shown: dict[str, str | None] = {}
        holders: dict[str, str] = {}
        for array in self.running.values():
            there = [name for name in array.members if self._devices.by_name(name)]
            holders |= dict.fromkeys(there, array.name)
            device = self._devices.by_name(array.name)
            shown |= attributes(array, device.size if device else 0)
        self._disks.hold(holders)
        for path, text in shown.items():
            self._files.place(path, Directory() if text is None else Text(text))
        self._published = list(shown)


_STARTS_DIRTY = "/sys/module/md_mod/parameters/start_dirty_degraded"
_CREATE_VALUES = (
    "--config --metadata --homehost --name --uuid --level --raid-devices --chunk --bitmap"
)


def _uuid(member: Member) -> str:
    return member.disk.superblock.uuid if member.disk.superblock else ""


def _array(name: str, members: Sequence[Member]) -> FakeArray:
    """Return the array that these members' superblocks describe."""
    blocks = {m.name: m.disk.superblock for m in members if m.disk.superblock}
    first = next(iter(blocks.values()))
    slots: list[str | None] = [None] * first.disks
    for disk, block in blocks.items():
        if block.slot is not None:
            slots[block.slot] = disk
    array = FakeArray(name, 0, first.uuid, first.label, first.level, slots)
    if first.reshaped is not None:
        # md_run() in drivers/md/md.c: it waits for the first write.
        array.before_reshape, array.read_auto = first.before, True
        array.completed = f"{first.reshaped} / {SECTORS}"
    return array
