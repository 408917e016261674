"""Recovery of the configuration from an array's disks when its system disk is lost.

The RAID groups that carry the array's mark are assembled, the small configuration volume of each
aggregate is read, and the newest sound copy is chosen. Ages can be compared among copies of one
array only: if the machine also contains disks of another array, an administrator has to decide
which array it shall be.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass

from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.storage import block, disk_arrival, lvm, md
from sanstone.reconcile.tasks import configuration
from sanstone.reconcile.tasks.configuration import Copy, Identity


@dataclass(frozen=True)
class SearchResult:
    """The newest copy, if any; the number of the array's RAID groups; and what failed."""

    copy: Copy | None
    arrays: int
    why: str


class SeveralArrays(HostError):
    """The disks carry configurations of more than one array; the text names them."""


def newest_copy(
    host: Host, excluded_paths: Collection[str] = (), *, read_only: bool = False
) -> SearchResult:
    """Return the newest configuration on the disks, except those at `excluded_paths`.

    Waits for disks that have not shown up yet. RAID groups and volumes stay active for a caller
    that goes on with the aggregates; with `read_only` the disks are left unchanged. Raises
    HostError if disks cannot be read, SeveralArrays if the copies belong to more than one array.
    """
    disk_arrival.wait(host)
    groups: dict[str, list[str]] = {}
    for disk in block.disks(host):
        if disk.array_uuid and disk.path not in excluded_paths:
            groups.setdefault(disk.array_uuid, []).append(disk.path)
    with ExitStack() as undo:
        return _newest_of(host, groups, undo if read_only else None)


def _newest_of(host: Host, groups: dict[str, list[str]], undo: ExitStack | None) -> SearchResult:
    """Return the newest configuration on RAID groups, which are given as paths of disks by UUID.

    With `undo` they are only read, and are as before once `undo` is closed.
    """
    problems: list[str] = []
    devices: list[str] = []
    for uuid, paths in sorted(groups.items()):
        try:
            if undo:
                device = undo.enter_context(md.readable(host, uuid, paths))
            else:
                device = md.ensure_running_by_uuid(host, uuid, paths)
        except HostError as error:
            problems.append(str(error))
            continue
        if device:
            devices.append(device)
    arrays = len(devices) + len(problems)
    copies: list[Copy] = []
    owners: dict[str, Identity] = {}
    for report in lvm.report(host, devices) if devices else []:
        aggregate = names.aggregate_of(report.name)
        if aggregate:
            volumes = tuple(lvm.PhysicalVolume(device, 0) for device in report.devices)
            try:
                group = lvm.Group(aggregate, volumes)
                if undo:
                    undo.enter_context(lvm.readable(host, group))
                else:
                    lvm.ensure_active(host, group)
                if copy := configuration.read_newest(host, aggregate):
                    owner = configuration.identify(copy)
                    owners[owner.serial_number] = owner
                    copies.append(copy)
            except HostError as error:
                problems.append(str(error))
    if len(owners) > 1:
        raise SeveralArrays(
            f"The disks carry the configurations of {len(owners)} arrays: "
            f"{', '.join(map(str, owners.values()))}. Nothing was changed. Remove the disks of all "
            "arrays but one."
        )
    newest = max(copies, key=lambda copy: copy.age, default=None)
    return SearchResult(newest, arrays, " ".join(problems))
