"""Device-mapper of the fake machine, with the targets that we and LVM use.

Rules as in drivers/md: a name or uuid that is taken is EBUSY (dm-ioctl.c, dm_hash_insert), and so
is a device below that md has (dm.c, open_table_device); a table takes effect with the resume after
its load, which refuses an area that its device below does not have; an open device cannot be
removed; a thin device needs an active pool that knows its number (ENODATA), a crypt target a length
of whole sectors (dm-crypt.c, crypt_ctr).

A pool's content belongs to LVM (`fakes.lvm`), which keeps it over a reboot; nothing here survives.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fakes.devices import BlockDevice, BlockDevices
from fakes.interrupt import Interrupt
from fakes.limited_groups import TARGET as LIMITED
from fakes.limited_groups import LimitedGroups
from fakes.thin_pool import HELD_AT, FakeReserve, ThinPool
from sanstone.kernel.host import HostError, MappedDevice, MappedState, RequestError, Target

MAJOR = 253
SECTOR = 512
PAGE = 4096
_MAXIMUM_THIN_ID = 2**24 - 1
_READ_AHEAD = 128
"""KiB, of a device without another setting."""


@dataclass
class FakeRegion:
    """A region of statistics: its definition, and its counters since they were read."""

    definition: str
    counters: list[int]
    histogram: list[int]


@dataclass
class _Mapped:
    device: MappedDevice
    block: BlockDevice
    live: list[Target] = field(default_factory=list)
    loaded: list[Target] | None = None
    suspended: bool = False
    pool: ThinPool | None = None
    regions: dict[int, FakeRegion] = field(default_factory=dict)
    io: list[int] = field(default_factory=lambda: [0] * 8)
    """Of /proc/diskstats the first eight: reads, merged, sectors, milliseconds; so of writes."""
    read_ahead: int = _READ_AHEAD
    is_announced: bool = True
    """Whether it sends uevents, as a device that LVM creates does."""


class FakeMapper:
    """`host.Mapper` in memory."""

    def __init__(self, interrupt: Interrupt, devices: BlockDevices) -> None:
        self._interrupt = interrupt
        self._devices = devices
        self._mapped: dict[str, _Mapped] = {}
        self.limits = LimitedGroups()
        self.claimed: Callable[[str], bool] = lambda _: False
        """Whether md has a block device of some name; `fakes.storage` sets it."""
        self.sets_space_aside = True
        """Whether dm-thin has our patch (`kernel.storage.thin_reserve`)."""
        self.announces_all = False
        """Whether DM_NO_UEVENT_FLAG is ignored, without our patch (`kernel.real.mapper`)."""

    def devices(self) -> list[MappedDevice]:
        """See `host.Mapper`."""
        return [self._mapped[name].device for name in sorted(self._mapped)]

    def state(self, name: str) -> MappedState | None:
        """See `host.Mapper`."""
        if name not in self._mapped:
            return None
        mapped = self._mapped[name]
        return MappedState(
            mapped.device,
            mapped.suspended,
            bool(mapped.live),
            sum(mapped.block.holders.values()),
            tuple(map(self.limits.shown, mapped.live)),
        )

    def create(self, name: str, uuid: str) -> MappedDevice:
        """See `host.Mapper`."""
        with self._interrupt.step(f"dm create {name}"):
            mapped = self._create(name, uuid)
            mapped.is_announced = self.announces_all
            return mapped.device

    def remove(self, name: str) -> None:
        """See `host.Mapper`."""
        with self._interrupt.step(f"dm remove {name}"):
            self._remove(name)

    def load(self, name: str, table: Sequence[Target]) -> None:
        """See `host.Mapper`."""
        request = f"dm load {name} {' '.join(f'{t.length} {t.kind} {t.arguments}' for t in table)}"
        with self._interrupt.step(request):
            mapped = self._get("load", name)
            for target in table:
                self._check(name, target)
            mapped.loaded = list(table)
            self._settle_groups()

    def suspend(self, name: str, *, flush: bool = True) -> None:
        """See `host.Mapper`."""
        with self._interrupt.step(f"dm suspend {name} flush={flush}"):
            self._get("suspend", name).suspended = True

    def resume(self, name: str) -> None:
        """See `host.Mapper`. A refusal costs the loaded table (dm-ioctl.c, do_resume)."""
        mapped = self._get("resume", name)
        try:
            with self._interrupt.step(f"dm resume {name}"):
                self._resume(mapped)
        except HostError:
            mapped.loaded = None
            raise
        finally:
            self._settle_groups()

    def message(self, name: str, message: str) -> str:
        """See `host.Mapper`."""
        if message.startswith("@stats_"):
            return self._statistics(name, message)
        if reserve := re.fullmatch(r"reserve (\d+)", message):
            return self._set_aside(name, int(reserve[1]))
        with self._interrupt.step(f"dm message {name} {message}"):
            live = self._get("message", name).live
            if live and live[0].kind == LIMITED:
                self.limits.message(live[0], name, message)
                return ""
            pool = self._get("message", name).pool
            if pool is None:
                raise RequestError(f"device-mapper message {message} {name}", errno.EINVAL)
            number = self._thin_message(name, pool, message)
            if number:
                raise RequestError(f"device-mapper message {message} {name}", number)
            return ""

    def do_io(self, name: str, *, reads: int = 0, writes: int = 0, sectors: int = 8) -> None:
        """Simulate so many reads and writes of a host, each of `sectors`, in 2 ms and 3 ms."""
        mapped = self._get("io", name)
        self.limits.count(mapped.live, reads + writes, sectors * SECTOR)
        per_read, per_write = (1, 0, sectors, 2), (1, 0, sectors, 3)
        done = [reads * each for each in per_read] + [writes * each for each in per_write]
        mapped.io = [counted + more for counted, more in zip(mapped.io, done, strict=True)]
        for region in mapped.regions.values():
            for place, more in enumerate(done):
                # Regions count nanoseconds (`precise_timestamps`), /proc/diskstats milliseconds.
                region.counters[place] += more * (1_000_000 if place in (3, 7) else 1)
            # By the bounds of core.history.metrics: 1 to 2.5 ms, and 2.5 to 5 ms.
            region.histogram[4] += reads
            region.histogram[5] += writes

    def announced(self) -> list[MappedDevice]:
        """Return the devices that were announced to udev: a table is loaded, so the disk is there.

        It is added with the first table (drivers/md/dm.c, dm_setup_md_queue).
        """
        known = [m for m in self._mapped.values() if m.is_announced and (m.live or m.loaded)]
        return [mapped.device for mapped in known]

    def io_counters(self) -> dict[int, list[int]]:
        """Return by minor number the counters of each device in /proc/diskstats."""
        return {mapped.device.minor: mapped.io for mapped in self._mapped.values()}

    def _statistics(self, name: str, message: str) -> str:
        """Answer a message about statistics (drivers/md/dm-stats.c); no step, nothing changes."""
        regions = self._get("message", name).regions
        verb, *words = message.split()
        if verb == "@stats_list":
            return "".join(f"{number}: {r.definition}\n" for number, r in regions.items())
        if verb == "@stats_create":
            number = max(regions, default=-1) + 1
            span, _step, _count, precise, histogram, program, aux = words
            definition = f"{span} {span.partition('+')[2]} {program} {aux} {precise} {histogram}"
            regions[number] = FakeRegion(definition, [0] * 13, [0] * (histogram.count(",") + 2))
            return str(number)
        if int(words[0]) not in regions:
            raise RequestError(f"device-mapper message {message} {name}", errno.EINVAL)
        if verb == "@stats_delete":
            del regions[int(words[0])]
            return ""
        region = regions[int(words[0])]
        counted = " ".join(map(str, region.counters)), ":".join(map(str, region.histogram))
        region.counters, region.histogram = [0] * 13, [0] * len(region.histogram)
        return f"{region.definition.split()[0]} {counted[0]} {counted[1]}\n"

    def table(self, name: str) -> list[Target]:
        """See `host.Mapper`."""
        return list(map(self.limits.shown, self._get("table", name).live))

    def has_target(self, kind: str) -> bool:
        """See `host.Mapper`."""
        return kind in ("linear", "crypt", "error", "thin", "thin-pool") or self.limits.offers(kind)

    def status(self, name: str, *, loaded: bool = False) -> list[Target]:
        """See `host.Mapper`."""
        mapped = self._get("status", name)
        table = (mapped.loaded or []) if loaded else mapped.live
        return [Target(t.start, t.length, t.kind, self._say(mapped, t)) for t in table]

    def discard(self, path: str, offset: int, length: int) -> None:
        """Discard a range of a thin device, as a host may."""
        with self._interrupt.step(f"discard {path} {offset} {length}"):
            [it] = [it for it in self._mapped.values() if path == f"/dev/dm-{it.device.minor}"]
            number, thin_id = it.live[0].arguments.split()
            pool = self._pool_at(number)
            assert pool is not None
            pool.discard(int(thin_id), offset, length)

    def is_there(self, kernel_name: str) -> bool:
        """Return whether there is a device "dm-3"."""
        return self._called(kernel_name) is not None

    def slaves(self, kernel_name: str) -> list[str]:
        """Return the kernel's names of the devices below one, as far as they are there yet."""
        mapped = self._called(kernel_name)
        return sorted({below.name for below in self._below(mapped.live)}) if mapped else []

    def attributes(self, kernel_name: str) -> dict[str, str]:
        """Return a device's own attributes in sysfs."""
        mapped = self._called(kernel_name)
        assert mapped is not None
        return {
            "dm/name": mapped.device.name,
            "size": str(mapped.block.size // SECTOR),
            "queue/read_ahead_kb": str(mapped.read_ahead),
        }

    def set_read_ahead(self, kernel_name: str, size: int) -> None:
        """Have a device read ahead by so many KiB."""
        mapped = self._called(kernel_name)
        assert mapped is not None
        mapped.read_ahead = size

    def beneath(self, kernel_name: str) -> tuple[str, int]:
        """Return the kernel's name of the device that a layer shows, and from which byte on.

        That is the device itself where it is no layer, and '' where a layer's disk is gone.
        """
        mapped = self._called(kernel_name)
        if mapped is None or [t.kind in ("linear", "crypt", LIMITED) for t in mapped.live] != [
            True
        ]:
            return kernel_name, 0
        words = mapped.live[0].arguments.split()
        at = next((n for n, word in enumerate(words) if ":" in word), None)
        if at is None:
            return kernel_name, 0
        below = self._devices.get(*map(int, words[at].split(":")))
        if below is None:
            return "", 0
        lowest, offset = self.beneath(below.name)
        return lowest, offset + SECTOR * int(words[at + 1])

    def volume_shown(self, kernel_name: str) -> str:
        """Return the pool and number of the thin volume that a device shows, '' for no such."""
        mapped = self._called(kernel_name)
        if mapped is None or [target.kind for target in mapped.live] != ["thin"]:
            return ""
        return self._words(mapped.live[0].arguments)

    def _called(self, kernel_name: str) -> _Mapped | None:
        number = kernel_name.removeprefix("dm-")
        return next((m for m in self._mapped.values() if str(m.device.minor) == number), None)

    def pool(self, name: str) -> ThinPool | None:
        """Return the content of a pool by its device's name, None for other devices."""
        return self._mapped[name].pool if name in self._mapped else None

    def activate(
        self, name: str, uuid: str, table: Sequence[Target], pool: ThinPool | None = None
    ) -> None:
        """Make a device live in one go, as LVM's commands do."""
        if pool and name not in self._mapped:
            pool.reserves.clear()
        mapped = self._mapped.get(name) or self._create(name, uuid)
        mapped.loaded, mapped.pool = list(table), pool
        # LVM's own tables are not laid out here as LVM does that.
        self._resume(mapped, checked=False)

    def deactivate(self, name: str) -> None:
        """Remove a device, as LVM's commands do. Raises RequestError EBUSY."""
        if name in self._mapped:
            self._remove(name)

    def reboot(self) -> None:
        """Lose every device."""
        self._mapped.clear()
        self._settle_groups()

    def dump(self) -> str:
        """Return the state as text; minor numbers are left out, they follow from history."""
        return "\n".join(
            f"{name} {mapped.device.uuid} suspended={mapped.suspended} "
            f"loaded={mapped.loaded is not None} "
            f"{[(t.length, t.kind, self._words(t.arguments)) for t in self.table(name)]}"
            f"{'' if mapped.read_ahead == _READ_AHEAD else f' ahead={mapped.read_ahead}'}"
            for name, mapped in sorted(self._mapped.items())
        )

    def _words(self, arguments: str) -> str:
        """Return arguments with the names of devices in the place of their numbers."""
        names = {f"{d.major}:{d.minor}": d.name for d in self._devices.all()}
        names |= {f"{MAJOR}:{mapped.device.minor}": name for name, mapped in self._mapped.items()}
        return " ".join(names.get(word, word) for word in arguments.split())

    def _get(self, request: str, name: str) -> _Mapped:
        if name not in self._mapped:
            raise RequestError(f"device-mapper {request} {name}", errno.ENXIO)
        return self._mapped[name]

    def _create(self, name: str, uuid: str) -> _Mapped:
        taken = {mapped.device.uuid for mapped in self._mapped.values()} - {""}
        if name in self._mapped or uuid in taken:
            raise RequestError(f"device-mapper create {name}", errno.EBUSY)
        minors = {mapped.device.minor for mapped in self._mapped.values()}
        minor = next(n for n in range(len(minors) + 1) if n not in minors)
        block = self._devices.add(f"dm-{minor}", MAJOR, minor, 0)
        self._mapped[name] = _Mapped(MappedDevice(name, uuid, MAJOR, minor), block)
        return self._mapped[name]

    def _remove(self, name: str) -> None:
        mapped = self._get("remove", name)
        if mapped.block.held:
            raise RequestError(f"device-mapper remove {name}", errno.EBUSY)
        for below in self._below(mapped.live):
            below.release(f"dm:{name}")
        self._devices.remove(MAJOR, mapped.device.minor)
        del self._mapped[name]
        self._settle_groups()

    def _settle_groups(self) -> None:
        tables = [t for m in self._mapped.values() for t in (*m.live, *(m.loaded or ()))]
        self.limits.settle(tables)

    def _resume(self, mapped: _Mapped, *, checked: bool = True) -> None:
        if mapped.loaded is None and not mapped.live:
            raise RequestError(f"device-mapper resume {mapped.device.name}", errno.EINVAL)
        if mapped.loaded is not None:
            # It stays suspended where its new table is refused (dm-ioctl.c, do_resume).
            mapped.suspended = True
            for target in mapped.loaded if checked else ():
                self._check_area(mapped.device.name, target)
            for below in self._below(mapped.live):
                below.release(f"dm:{mapped.device.name}")
            mapped.live, mapped.loaded = mapped.loaded, None
            for below in self._below(mapped.live):
                below.hold(f"dm:{mapped.device.name}")
            mapped.block.size = SECTOR * sum(target.length for target in mapped.live)
        mapped.suspended = False

    def _below(self, table: Sequence[Target]) -> list[BlockDevice]:
        """Return the devices that a table names, in any of its arguments."""
        devices = []
        for word in (word for target in table for word in target.arguments.split()):
            major, colon, minor = word.partition(":")
            if colon and major.isdigit() and minor.isdigit():
                device = self._devices.get(int(major), int(minor))
                if device:
                    devices.append(device)
        return devices

    def _check(self, name: str, target: Target) -> None:
        below = self._below([target])
        if any(self.claimed(each.name) for each in below):
            raise RequestError(f"device-mapper load {name}", errno.EBUSY)
        words = target.arguments.split()
        refused = RequestError(f"device-mapper load {name}", errno.EINVAL)
        if target.kind == "thin":
            pool = self._pool_at(words[0])
            if pool is None:
                raise refused
            if int(words[1]) not in pool.volumes:
                raise RequestError(f"device-mapper load {name}", errno.ENODATA)
        elif target.kind == "crypt":
            options = dict(word.partition(":")[::2] for word in words[6:])
            aligned = target.length * SECTOR % int(options.get("sector_size", SECTOR)) == 0
            if not aligned or not below:
                raise refused
        elif target.kind == LIMITED:
            if not below or not self.limits.takes(target.arguments):
                raise refused
        elif target.kind not in ("linear", "error"):
            raise refused

    def _check_area(self, name: str, target: Target) -> None:
        """Refuse, when it is to be installed, a table that its device below cannot carry.

        dm_calculate_queue_limits() in dm-table.c: an area that reaches beyond that device.
        """
        below = self._below([target])
        if target.kind in ("crypt", "linear", LIMITED) and below:
            offset = int(target.arguments.split()[4 if target.kind == "crypt" else 1])
            if offset + target.length > below[0].size // SECTOR:
                raise RequestError(f"device-mapper resume {name}", errno.EINVAL)

    def _pool_at(self, number: str) -> ThinPool | None:
        return next(
            (
                mapped.pool
                for mapped in self._mapped.values()
                if number == f"{MAJOR}:{mapped.device.minor}"
            ),
            None,
        )

    def _thin_message(self, name: str, pool: ThinPool, message: str) -> int:
        """Carry out a message to a pool; return an errno, 0 for success."""
        if pool.mode in ("ro", "failed"):
            return errno.EOPNOTSUPP
        verb, *arguments = message.split(" ")
        is_reserve = verb == "reserve" and len(arguments) == 3 and self.sets_space_aside
        ids = arguments[:1] if is_reserve else arguments
        if not all(a.isdigit() and int(a) <= _MAXIMUM_THIN_ID for a in ids):
            return errno.EINVAL
        if verb == "create_snap" and len(arguments) == 2:
            return self._thin_snapshot(name, pool, *map(int, arguments))
        if is_reserve:
            return self._thin_reserve(pool, *map(int, arguments))
        if verb == "reserve_metadata_snap" and not arguments:
            return 0 if pool.hold() else errno.EBUSY
        if verb == "release_metadata_snap" and not arguments:
            return 0 if pool.release() else errno.EINVAL
        if len(arguments) != 1:
            return errno.EINVAL
        thin_id = int(arguments[0])
        if verb == "create_thin":
            if thin_id in pool.volumes:
                return errno.EEXIST
            pool.volumes[thin_id] = {}
            return 0
        if verb != "delete":
            return errno.EINVAL
        if thin_id not in pool.volumes:
            return errno.ENODATA
        if self._showing(name, thin_id):
            return errno.EBUSY
        pool.delete(thin_id)
        return 0

    def _set_aside(self, name: str, thin_id: int) -> str:
        """Return the blocks that are set aside for a volume."""
        pool = self._get("message", name).pool
        if pool is None or not self.sets_space_aside:
            raise RequestError(f"device-mapper message reserve {thin_id} {name}", errno.EINVAL)
        reserve = pool.reserves.get(thin_id, FakeReserve(0, 0))
        return f"{reserve.limit} {reserve.copies}"

    def _thin_reserve(self, pool: ThinPool, thin_id: int, limit: int, copies: int) -> int:
        """Set space aside for a volume; the end of that is for none that is there."""
        if (limit or copies) and thin_id not in pool.volumes:
            return errno.ENODATA
        pool.reserve(thin_id, limit, copies)
        return 0

    def _thin_snapshot(self, name: str, pool: ThinPool, thin_id: int, origin: int) -> int:
        """Make a volume of another. The kernel would let an origin be active; nobody should."""
        if thin_id in pool.volumes:
            return errno.EEXIST
        if origin not in pool.volumes:
            return errno.ENODATA
        for showing in self._showing(name, origin):
            assert showing.suspended, f"{showing.device.name} is active while it is copied"
        pool.copy(origin, thin_id)
        return 0

    def _showing(self, pool: str, thin_id: int) -> list[_Mapped]:
        """Return the devices that show a volume of a pool."""
        arguments = f"{MAJOR}:{self._mapped[pool].device.minor} {thin_id}"
        return [
            mapped
            for mapped in self._mapped.values()
            if any(t.kind == "thin" and t.arguments == arguments for t in mapped.live)
        ]

    def _say(self, it: _Mapped, target: Target) -> str:
        if target.kind == "thin":
            number, thin_id = target.arguments.split()
            pool = self._pool_at(number)
            assert pool is not None
            mapped = pool.occupied(int(thin_id)) // SECTOR
            last = max(pool.volumes[int(thin_id)], default=-1)
            return f"{mapped} {(last + 1) * pool.chunk // SECTOR - 1 if mapped else '-'}"
        if target.kind == LIMITED:
            return self.limits.status(target)
        if it.pool is None:
            return ""
        pool = it.pool
        if pool.mode == "failed":
            return "Fail"
        blocks = pool.metadata_size // 4096
        needs_check = "needs_check" if pool.needs_check else "-"
        return (
            f"0 {min(blocks, 16 + len(pool.volumes))}/{blocks} "
            f"{pool.used // pool.chunk}/{pool.size // pool.chunk} "
            f"{HELD_AT if pool.held else '-'} {pool.mode} "
            f"no_discard_passdown error_if_no_space {needs_check} 1024"
            f"{f' {pool.reserved}' if self.sets_space_aside else ''}"
        )
