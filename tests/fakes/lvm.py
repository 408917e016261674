"""LVM of the fake machine: the commands that the driver sends, and the device-mapper devices.

A group is known by the labels of its arrays and visible while one of them runs and is named in
`--devices`, by its own node or by that of a layer on it. Making one has its points of no return:
labels, then the group; making a pool: its volume, then the pool out of it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fakes.arguments import Arguments, parse
from fakes.commands import FakeCommands
from fakes.devices import BlockDevice
from fakes.disks import Foreign
from fakes.interrupt import Interrupt
from fakes.mapper import FakeMapper
from fakes.md import FakeArrays
from fakes.thin_pool import ThinPool
from sanstone.kernel.host import RequestError, Target

EXTENT = 4 * 1024**2
_AREAS = 2 * 1024**2
"""Bytes of an array that hold LVM's metadata instead of extents."""
_FAILED = 5
"""ECMD_FAILED (lvm2: lib/commands/errors.h)."""
_INVALID = 3
"""EINVALID_CMD_LINE."""
_ACTIVATED = ("configuration", "[pool_tmeta]", "[pool_tdata]", "pool")
"""The volumes of a group that are activated, in that order."""


class VisibleArray(NamedTuple):
    """An array that a command sees, or a layer on it: its path in the arguments, and the device."""

    path: str
    device: BlockDevice


@dataclass
class Volume:
    """A logical volume."""

    type: str
    size: int


@dataclass
class FakeGroup:
    """A volume group as it is on the disks. `arrays` are labels' ids with the arrays' sizes."""

    name: str
    arrays: dict[str, int]
    volumes: dict[str, Volume] = field(default_factory=dict)
    pool: ThinPool | None = None

    @property
    def size(self) -> int:
        """Bytes in whole extents."""
        return sum((size - _AREAS) // EXTENT * EXTENT for size in self.arrays.values())

    @property
    def free(self) -> int:
        """Bytes that no volume takes; a pool's are those of its parts."""
        taken = (v.size for v in self.volumes.values() if v.type != "thin-pool")
        return self.size - sum(taken)


class FakeGroups:
    """lvm."""

    def __init__(
        self,
        interrupt: Interrupt,
        commands: FakeCommands,
        mapper: FakeMapper,
        arrays: FakeArrays,
    ) -> None:
        self._interrupt = interrupt
        self._mapper, self._arrays = mapper, arrays
        self.groups: dict[str, FakeGroup] = {}
        self._labels: list[str] = []
        commands.register("lvm", self._lvm)

    def share(self, other: FakeGroups) -> None:
        """Have the groups of another machine, which lie on that machine's arrays."""
        self.groups, self._labels = other.groups, other._labels

    def dump(self) -> str:
        """Return the content of every group as text, without labels, which follow from history."""
        return "\n".join(
            f"{g.name} {sorted(g.arrays.values())} {sorted(g.volumes.items())} {g.pool}"
            for _, g in sorted(self.groups.items())
        )

    def _lvm(self, argv: Sequence[str], _stdin: str) -> str:
        run, flags, valued = {
            "fullreport": (
                self._report,
                "--all --nosuffix",
                "--reportformat --units --configreport --options",
            ),
            "vgcreate": (
                self._vgcreate,
                "--yes",
                f"{_NEW} --physicalextentsize --setautoactivation",
            ),
            "vgextend": (self._vgextend, "--yes", _NEW),
            "pvresize": (self._pvresize, "", ""),
            "vgremove": (self._vgremove, "--yes --force", ""),
            "vgchange": (self._vgchange, "", "--activate"),
            "lvchange": (self._lvchange, "", "--config --activate"),
            "lvcreate": (self._lvcreate, "--yes", _LVCREATE),
            "lvextend": (self._lvextend, "--yes", "--extents --poolmetadatasize"),
            "lvconvert": (self._repair, "--yes --repair", ""),
        }[argv[1]]
        words = argv[2:]
        return run(
            parse(argv, words, flags=flags, valued=f"--devices {valued}", usage_status=_INVALID)
        )

    def _visible(self, arguments: Arguments) -> dict[str, VisibleArray]:
        """Return the arrays that the command may see, by label; '' where one has none."""
        by_label = {}
        for path in arguments.options["--devices"].split(","):
            device = self._arrays.device(path)
            if device and (label := self._label(device)):
                by_label[label] = VisibleArray(path, device)
        return by_label

    def _label(self, device: BlockDevice) -> str:
        labels = (c.uuid for c in self._arrays.on(device.name) if c.type == "LVM2_member")
        return next(labels, "")

    def _group(self, arguments: Arguments, name: str) -> FakeGroup:
        group = self.groups.get(name)
        if group is None or not group.arrays.keys() & self._visible(arguments).keys():
            text = f'Volume group "{name}" not found\n  Cannot process volume group {name}'
            raise arguments.error(_FAILED, text)
        return group

    def _complete(self, arguments: Arguments, name: str) -> FakeGroup:
        group = self._group(arguments, name)
        if group.arrays.keys() - self._visible(arguments).keys():
            text = f"Cannot change VG {name} while PVs are missing."
            raise arguments.error(_FAILED, text)
        return group

    def _report(self, arguments: Arguments) -> str:
        visible = self._visible(arguments)
        reports = []
        for name in sorted(self.groups):
            group = self.groups[name]
            if group.arrays.keys() & visible.keys():
                reports.append(_report(group, visible))
        return json.dumps({"report": reports, "log": []})

    def _add_labels(self, arguments: Arguments, paths: Sequence[str]) -> dict[str, int]:
        """Write labels onto arrays and return them with the arrays' sizes."""
        self._require_like_sectors(arguments, paths)
        sizes: dict[str, int] = {}
        for path in paths:
            device = self._arrays.device(path)
            if device is None or path not in arguments.options["--devices"].split(","):
                raise arguments.error(_FAILED, f"No device found for {path}.")
            label = self._label(device)
            owner = next((g.name for g in self.groups.values() if label in g.arrays), "")
            if owner:
                text = f"Physical volume '{path}' is already in volume group '{owner}'"
                raise arguments.error(_FAILED, text)
            if not label:
                label = f"label-{len(self._labels) + 1}"
                self._labels.append(label)
                self._arrays.on(device.name)[:] = [Foreign("LVM2_member", "raid", uuid=label)]
            sizes[label] = device.size
        return sizes

    def _require_like_sectors(self, arguments: Arguments, paths: Sequence[str]) -> None:
        """Refuse arrays with different logical sectors (devices/allow_mixed_block_sizes)."""
        devices = [self._arrays.device(path) for path in paths]
        devices += [array.device for array in self._visible(arguments).values()]
        names = {self._arrays.beneath(device.name) for device in devices if device}
        running = self._arrays.running
        sectors = sorted({running[name].sector_size for name in names if name in running})
        if len(sectors) > 1:
            sizes = " and ".join(map(str, sectors))
            text = f"Devices have inconsistent logical block sizes ({sizes})."
            raise arguments.error(_FAILED, text)

    def _vgcreate(self, arguments: Arguments) -> str:
        name, *paths = arguments.operands
        visible = self._visible(arguments)
        if name in self.groups and self.groups[name].arrays.keys() & visible.keys():
            text = f"A volume group called {name} already exists."
            raise arguments.error(_FAILED, text)
        with self._interrupt.step(f"{' '.join(arguments.argv)}: label"):
            labels = self._add_labels(arguments, paths)
            self._written(paths)
        with self._interrupt.step(f"{' '.join(arguments.argv)}: group"):
            self.groups[name] = FakeGroup(name, labels)
        return ""

    def _vgextend(self, arguments: Arguments) -> str:
        name, *paths = arguments.operands
        group = self._complete(arguments, name)
        with self._interrupt.step(" ".join(arguments.argv)):
            group.arrays |= self._add_labels(arguments, paths)
            self._written(paths)
        return ""

    def _pvresize(self, arguments: Arguments) -> str:
        visible = self._visible(arguments)
        with self._interrupt.step(" ".join(arguments.argv)):
            for group in self.groups.values():
                for label, array in visible.items():
                    if label in group.arrays and array.path in arguments.operands:
                        group.arrays[label] = array.device.size
        return ""

    def _vgremove(self, arguments: Arguments) -> str:
        group = self._group(arguments, arguments.operands[0])
        with self._interrupt.step(" ".join(arguments.argv)):
            self._deactivate(arguments, group)
            del self.groups[group.name]
        return ""

    def _vgchange(self, arguments: Arguments) -> str:
        group = self._group(arguments, arguments.operands[0])
        on = arguments.options["--activate"] == "y"
        if on:
            self._refuse_partial(arguments, group, "pool")
        with self._interrupt.step(" ".join(arguments.argv)):
            if on:
                self._activate(arguments, group)
            else:
                self._deactivate(arguments, group)
        return ""

    def _lvchange(self, arguments: Arguments) -> str:
        name, _, volume = arguments.operands[0].partition("/")
        group = self._group(arguments, name)
        on = arguments.options["--activate"] == "y"
        if on:
            self._refuse_partial(arguments, group, volume)
        with self._interrupt.step(" ".join(arguments.argv)):
            if on:
                self._activate(arguments, group, [volume])
            else:
                self._deactivate(arguments, group, [volume])
        return ""

    def _refuse_partial(self, arguments: Arguments, group: FakeGroup, volume: str) -> None:
        if group.arrays.keys() - self._visible(arguments).keys():
            text = f"Refusing activation of partial LV {group.name}/{volume}."
            raise arguments.error(_FAILED, text)

    def _lvcreate(self, arguments: Arguments) -> str:
        group, options = self._complete(arguments, arguments.operands[0]), arguments.options
        name, type_ = options["--name"], options["--type"]
        if name in group.volumes:
            text = f'Logical Volume "{name}" already exists in volume group "{group.name}"'
            raise arguments.error(_FAILED, text)
        if type_ == "linear":
            with self._interrupt.step(" ".join(arguments.argv)):
                self._take(arguments, group, {name: int(options["--size"].rstrip("b"))})
                self._activate(arguments, group)
            return ""
        size = int(options["--extents"]) * EXTENT
        metadata = int(options["--poolmetadatasize"].rstrip("b"))
        with self._interrupt.step(f"{' '.join(arguments.argv)}: volume"):
            self._take(arguments, group, {"[lvol0_pmspare]": metadata, name: size})
        with self._interrupt.step(f"{' '.join(arguments.argv)}: pool"):
            del group.volumes[name]
            parts = {f"[{name}_tdata]": size, f"[{name}_tmeta]": metadata}
            self._take(arguments, group, parts)
            group.volumes[name] = Volume("thin-pool", size)
            group.pool = ThinPool(int(options["--chunksize"].rstrip("b")), size, metadata)
            self._activate(arguments, group)
        return ""

    def _lvextend(self, arguments: Arguments) -> str:
        name = arguments.operands[0].partition("/")[0]
        group, options = self._complete(arguments, name), arguments.options
        assert group.pool is not None
        size = int(options.get("--extents", 0)) * EXTENT or group.pool.size
        metadata = int(options.get("--poolmetadatasize", "0b").rstrip("b"))
        metadata = metadata or group.pool.metadata_size
        more = size - group.pool.size + 2 * (metadata - group.pool.metadata_size)
        if more > group.free:
            raise arguments.error(_FAILED, f"Insufficient free space: {more} bytes needed")
        with self._interrupt.step(" ".join(arguments.argv)):
            group.pool.size, group.pool.metadata_size = size, metadata
            group.volumes |= {
                "pool": Volume("thin-pool", size),
                "[pool_tdata]": Volume("linear", size),
                "[pool_tmeta]": Volume("linear", metadata),
                "[lvol0_pmspare]": Volume("linear", metadata),
            }
            self._activate(arguments, group)
        return ""

    def _repair(self, arguments: Arguments) -> str:
        group = self._complete(arguments, arguments.operands[0].partition("/")[0])
        if self._mapper.state(f"{group.name}-pool"):
            text = f"Cannot repair active pool {group.name}/pool.  Use lvchange -an first."
            raise arguments.error(_FAILED, text)
        assert group.pool is not None
        with self._interrupt.step(" ".join(arguments.argv)):
            self._take(arguments, group, {"pool_meta0": group.pool.metadata_size})
            group.pool.needs_check, group.pool.mode = False, "rw"
        return ""

    def _take(self, arguments: Arguments, group: FakeGroup, sizes: dict[str, int]) -> None:
        rounded = {n: math.ceil(size / EXTENT) * EXTENT for n, size in sizes.items()}
        if sum(rounded.values()) > group.free:
            text = f'Volume group "{group.name}" has insufficient free space'
            raise arguments.error(_FAILED, text)
        group.volumes |= {n: Volume("linear", size) for n, size in rounded.items()}

    def _activate(
        self, arguments: Arguments, group: FakeGroup, volumes: Sequence[str] = _ACTIVATED
    ) -> None:
        if "pool" in volumes and group.pool and group.pool.needs_check:
            text = f"Check of pool {group.name}/pool failed (status:1). Manual repair required!"
            raise arguments.error(_FAILED, text)
        below = [array.device for array in self._visible(arguments).values()]
        for volume in (v for v in volumes if v in group.volumes):
            name = f"{group.name}-{volume.strip('[]')}"
            sectors = group.volumes[volume].size // 512
            if group.volumes[volume].type == "thin-pool" and group.pool:
                parts = [self._mapper.state(f"{group.name}-pool_{p}") for p in ("tmeta", "tdata")]
                numbers = " ".join(f"{p.device.major}:{p.device.minor}" for p in parts if p)
                words = f"{numbers} {group.pool.chunk // 512} 0 1 error_if_no_space"
                table = [Target(0, sectors, "thin-pool", words)]
                self._mapper.activate(name, f"LVM-{name}-tpool", table, group.pool)
            elif volume != "pool":
                share = sectors // len(below)
                table = [
                    Target(share * n, share, "linear", f"{d.major}:{d.minor} 2048")
                    for n, d in enumerate(below)
                ]
                self._mapper.activate(name, f"LVM-{name}", table)

    def _deactivate(
        self, arguments: Arguments, group: FakeGroup, volumes: Sequence[str] = _ACTIVATED
    ) -> None:
        pool = self._mapper.state(f"{group.name}-pool")
        if "pool" in volumes and pool and pool.open_count:
            text = f"Logical volume {group.name}/pool is used by another device."
            raise arguments.error(_FAILED, text)
        try:
            for volume in reversed(volumes):
                self._mapper.deactivate(f"{group.name}-{volume.strip('[]')}")
        except RequestError as error:
            raise arguments.error(_FAILED, str(error)) from error

    def _written(self, paths: Sequence[str]) -> None:
        for path in paths:
            device = self._arrays.device(path)
            assert device is not None
            self._arrays.written(self._arrays.beneath(device.name))


_NEW = "--pvmetadatacopies --dataalignment"
_LVCREATE = (
    "--config --type --name --size --extents --poolmetadatasize --poolmetadataspare --chunksize "
    "--zero --discards --wipesignatures"
)


def _report(group: FakeGroup, visible: dict[str, VisibleArray]) -> dict[str, Any]:
    """Return the fullreport of a group, in its JSON form."""
    present = [visible[label] for label in group.arrays if label in visible]
    missing = len(group.arrays) - len(present)
    chunk = group.pool.chunk if group.pool else 0
    return {
        "vg": [
            {
                "vg_name": group.name,
                "vg_size": str(group.size),
                "vg_free": str(group.free),
                "vg_missing_pv_count": str(missing),
            }
        ],
        "pv": [{"pv_name": array.path, "pv_missing": ""} for array in present]
        + [{"pv_name": "[unknown]", "pv_missing": "missing"}] * missing,
        "seg": [
            {
                "lv_name": name,
                "segtype": volume.type,
                "seg_size": str(volume.size),
                "chunk_size": str(chunk if volume.type == "thin-pool" else 0),
                "transaction_id": "0" if volume.type == "thin-pool" else "",
            }
            for name, volume in sorted(group.volumes.items())
        ],
    }
