"""Finding the configuration again on the disks of an array whose system disk is lost.

The RAID groups that carry our mark are assembled, the small configuration volume of each aggregate
is read, and the newest sound copy wins.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sanstone.kernel import block, disk_arrival, lvm, md, names
from sanstone.kernel.host import Host, HostError
from sanstone.reconcile import configuration
from sanstone.reconcile.configuration import Copy


@dataclass(frozen=True)
class Found:
    """The newest copy if any, how many RAID groups of ours there are, and what went wrong."""

    copy: Copy | None
    arrays: int
    why: str


def newest_copy(host: Host, passing_by: Collection[str] = ()) -> Found:
    """Return the newest configuration on the disks, but for those with the paths `passing_by`.

    Disks that have not shown up yet are waited for. Raises HostError when disks cannot be read.
    """
    disk_arrival.wait(host)
    groups: dict[str, list[str]] = {}
    for disk in block.disks(host):
        if disk.array_uuid and disk.path not in passing_by:
            groups.setdefault(disk.array_uuid, []).append(disk.path)
    problems: list[str] = []
    devices: list[str] = []
    for uuid, paths in sorted(groups.items()):
        try:
            device = md.ensure_found_running(host, uuid, paths)
        except HostError as error:
            problems.append(str(error))
            continue
        if device:
            devices.append(device)
    arrays = len(devices) + len(problems)
    copies = []
    for report in lvm.report(host, devices) if devices else []:
        aggregate = names.aggregate_of(report.name)
        if aggregate:
            volumes = tuple(lvm.PhysicalVolume(device, 0) for device in report.devices)
            try:
                lvm.ensure_active(host, lvm.Group(aggregate, volumes))
                copies.append(configuration.read_newest(host, aggregate))
            except HostError as error:
                problems.append(str(error))
    best = max((c for c in copies if c), key=lambda c: c.generation, default=None)
    return Found(best, arrays, " ".join(problems))
