"""One md array of the fake machine, and its attributes in sysfs."""

from __future__ import annotations

from dataclasses import dataclass, field

SECTORS = 1000
"""Sectors of each disk, as far as progress is counted."""


@dataclass
class FakeArray:
    """A running array. `slots` are its members in order, None where one is missing."""

    name: str
    minor: int
    uuid: str
    label: str
    level: str
    slots: list[str | None]
    spares: list[str] = field(default_factory=list)
    faulty: list[str] = field(default_factory=list)
    rebuilding: set[str] = field(default_factory=set)
    """Members that are not in sync yet, though they have a place."""
    sector_size: int = 512
    inactive: bool = False
    read_only: bool = False
    activity: str = "idle"
    completed: str = "none"
    last_activity: str = "idle"
    sync_min: int = 0
    sync_max: str = "max"
    speed_max: str = ""
    """KiB/s of its own, '' for the system's."""
    mismatches: int = 0
    before_reshape: int = 0
    """How many places it had before the reshape that is not done; 0 for none."""
    read_auto: bool = False
    """Whether it stands still until a write to it, or a change of its state to active."""

    @property
    def members(self) -> list[str]:
        """The names of all disks in it."""
        return [name for name in self.slots if name] + self.spares + self.faulty

    @property
    def in_sync(self) -> list[str]:
        """The names of the disks in it that have all data."""
        return [name for name in self.slots if name and name not in self.rebuilding]

    def fail(self, name: str) -> None:
        """Take a disk out of its place."""
        if name in self.slots:
            self.slots[self.slots.index(name)] = None
        if name in self.spares:
            self.spares.remove(name)
        self.rebuilding.discard(name)
        if name not in self.faulty:
            self.faulty.append(name)
        self.interrupt_check()

    def begin_check(self) -> None:
        """Have it check itself, from `sync_min` on."""
        self.activity = self.last_activity = "check"
        self.completed = f"{self.sync_min} / {SECTORS}"
        self.mismatches = 0

    def interrupt_check(self) -> None:
        """Have a check stand where it is, and keep its place (md_do_sync() in drivers/md/md.c)."""
        if self.activity == "check":
            self.sync_min = int(self.completed.partition(" / ")[0])
            self.activity, self.completed = "idle", "none"

    @property
    def survives(self) -> int:
        """How many members may be missing."""
        count = len(self.slots)
        return {"0": 0, "1": count - 1, "4": 1, "5": 1, "6": 2, "10": count // 2}[self.level]

    @property
    def data_disks(self) -> int:
        """How many disks' worth of data it holds."""
        count = self.before_reshape or len(self.slots)
        return {"1": 1, "10": count // 2}.get(self.level, count - self.survives)


def _state(array: FakeArray) -> str:
    """Return the kernel's word for an array."""
    if array.read_auto:
        return "read-auto"
    if array.inactive:
        return "inactive"
    return "readonly" if array.read_only else "clean"


def _raid_disks(array: FakeArray) -> str:
    """Return the text of raid_disks_show() in drivers/md/md.c."""
    count = str(len(array.slots))
    return f"{count} ({array.before_reshape})" if array.before_reshape else count


def attributes(array: FakeArray, size: int) -> dict[str, str | None]:
    """Return an array's files in /sys/block; None stands for a directory."""
    base = f"/sys/block/{array.name}"
    files: dict[str, str | None] = {
        base: None,
        f"{base}/size": str(size // 512),
        f"{base}/queue": None,
        f"{base}/queue/logical_block_size": str(array.sector_size),
        f"{base}/md": None,
        f"{base}/md/array_state": _state(array),
        f"{base}/md/level": f"raid{array.level}",
        f"{base}/md/raid_disks": _raid_disks(array),
        f"{base}/md/uuid": array.uuid,
    }
    if array.level != "0":
        files[f"{base}/md/sync_action"] = array.activity
        files[f"{base}/md/sync_completed"] = "none" if array.read_auto else array.completed
        files[f"{base}/md/sync_speed"] = "none" if array.completed == "none" else "2"
        position = array.completed.partition(" / ")[0] if array.before_reshape else "none"
        files[f"{base}/md/reshape_position"] = position
        files[f"{base}/md/last_sync_action"] = array.last_activity
        files[f"{base}/md/sync_min"] = str(array.sync_min)
        files[f"{base}/md/sync_max"] = array.sync_max
        files[f"{base}/md/mismatch_cnt"] = str(array.mismatches)
        speed = f"{array.speed_max} (local)" if array.speed_max else "200000 (system)"
        files[f"{base}/md/sync_speed_max"] = speed
        files[f"{base}/md/sync_speed_min"] = "1000 (system)"
    states = [
        (name, "spare" if name in array.rebuilding else "in_sync", str(slot))
        for slot, name in enumerate(array.slots)
        if name
    ]
    states += [(name, "spare", "none") for name in array.spares]
    states += [(name, "faulty", "none") for name in array.faulty]
    for name, state, slot in states:
        files |= {
            f"{base}/md/dev-{name}": None,
            f"{base}/md/dev-{name}/state": state,
            f"{base}/md/dev-{name}/slot": slot,
        }
    return files
