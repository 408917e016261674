"""One scenario of layers for every form of `host.Host`: its lines must be the same on all.

It puts two layers on each of two empty disks, a RAID group on those, two layers on that, and a pool
on these; in it a device has layers that come and go. `layers_scenario.txt` holds the lines that it
must print. The unit test runs it on the fake kernel. On a machine, whose disks it destroys, it is a
program: `python3 layers_scenario.py /dev/vdb /dev/vdc` prints the lines, as root, with `sanstone`
and `trial_layers` on the path.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

from trial_layers import BOTH, HEADER, Headed, Plain, with_places

from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError, RequestError
from sanstone.kernel.storage import block, lvm, md, thin
from sanstone.kernel.storage.stack import over_md, over_thin, under_md
from sanstone.kernel.storage.stack.block_size import BlockSize
from sanstone.kernel.storage.stack.quality_of_service import Group, QualityOfService, is_possible

AGGREGATE = "5c0e0000-2222-4111-8111-111111111111"
POOL = names.pool_device(AGGREGATE)
DEVICE = over_thin.ThinDevice("5c0e0000-cccc-4111-8111-111111111111", POOL, 1, 64 * 1024**2)
BEHIND = replace(DEVICE, uuid="5c0e0000-dddd-4111-8111-111111111111", thin_id=2, layers=BOTH)


class Needed(BlockSize):
    """Blocks by a device of their own on any kernel."""

    def needed(self, host: Host) -> bool:
        """Return that they are."""
        return True


def refusal(call: Callable[[], object]) -> str:
    """Return the error of a call that must fail: an error number's name, or the kind of error."""
    try:
        call()
    except RequestError as error:
        return errno.errorcode[error.errno]
    except HostError as error:
        return type(error).__name__
    return "not refused"


def run(host: Host, disks: Sequence[str]) -> Iterator[str]:
    """Go through the scenario."""
    for height in ("UNDER_MD", "OVER_MD", "OVER_THIN"):
        setattr(names, height, with_places(height))
    identities = {f"disk {number}": disk for number, disk in enumerate(disks)}
    yield from _under_md(host, identities)
    yield from _over_md(host)
    yield from _over_thin(host)
    yield from _limits(host)
    yield from _standby(host)
    yield from _restart(host, identities)
    yield from _removal(host, identities)
    free = {disk.path for disk in block.disks(host) if not disk.obstacle}
    yield f"all disks are free again: {free >= set(disks)}"


def _under_md(host: Host, disks: dict[str, str]) -> Iterator[str]:
    for uid, path in disks.items():
        where = AGGREGATE, uid, path, BOTH
        yield f"on a disk that is not new: {refusal(partial(under_md.ensure, host, *where))}"
        yield f"on a new disk: {under_md.ensure(host, *where, new=True).value}"
        yield f"again: {under_md.ensure(host, *where, new=True).value}"
        member = under_md.member(host, *where)
        header = host.blocks.size(path) - host.blocks.size(member)
        yield f"bytes of the header: {header - HEADER}"
        below = block.disk_under(host, PurePosixPath(member).name)
        yield f"what it lies on: {f'/dev/{below}' == path}"
    raw = md.Array(AGGREGATE, 1, "raid1", tuple(disks.values()))
    yield f"array of the raw disks: {refusal(partial(md.ensure_created, host, raw))}"
    yield f"array made: {md.ensure_created(host, _array(host, disks)).value}"
    first = next(iter(disks.items()))
    erased = partial(under_md.ensure_erased, host, AGGREGATE, *first)
    yield f"layer of a member removed: {refusal(erased)}"


def _over_md(host: Host) -> Iterator[str]:
    where = AGGREGATE, 0, BOTH
    yield f"on a group that is not new: {refusal(partial(over_md.ensure, host, *where))}"
    yield f"on a new group: {over_md.ensure(host, *where, new=True).value}"
    yield f"again: {over_md.ensure(host, *where).value}"
    yield f"volume group on the top: {lvm.ensure_created(host, _group(host)).value}"
    yield f"again: {lvm.ensure_created(host, _group(host)).value}"
    [report] = lvm.report(host, _group(host).devices)
    yield f"by its node: {report.devices == _group(host).devices}"
    removed = partial(over_md.ensure_none, host, AGGREGATE, 0)
    yield f"layer of a volume group removed: {refusal(removed)}"
    yield f"array in use stopped: {refusal(partial(md.ensure_stopped, host, AGGREGATE, 0))}"


def _over_thin(host: Host) -> Iterator[str]:
    for device in (DEVICE, BEHIND):
        thin.ensure_thin(host, POOL, device.thin_id)
    with_both = replace(DEVICE, layers=(Needed(512), Plain()))
    yield f"device: {over_thin.ensure(host, DEVICE, new=True).value}"
    for _ in range(2):
        for what, desired in (
            ("a layer comes", replace(DEVICE, layers=(Plain(),))),
            ("another comes below", with_both),
            ("both grow", replace(with_both, size=2 * DEVICE.size)),
            (
                "the upper one goes and the other shrinks",
                replace(DEVICE, layers=with_both.layers[:1]),
            ),
            ("the last one goes", DEVICE),
        ):
            yield f"{what}: {over_thin.ensure(host, desired).value}"
            yield f"again: {over_thin.ensure(host, desired).value}"
            yield f"devices: {_kinds(host, desired)}"
    yield f"device with a header: {over_thin.ensure(host, BEHIND, new=True).value}"
    ahead = replace(BEHIND, layers=(Headed(), Plain(ahead=512)))
    yield f"another limit: {over_thin.ensure(host, ahead).value}"
    yield f"again: {over_thin.ensure(host, ahead).value}"
    yield f"told: {over_thin.report(host, ahead)}"
    without, headed = replace(BEHIND, layers=()), replace(DEVICE, layers=BOTH)
    yield f"the header goes: {refusal(partial(over_thin.ensure, host, without))}"
    yield f"a header comes: {refusal(partial(over_thin.ensure, host, headed))}"


def _limits(host: Host) -> Iterator[str]:
    """Yield the lines of limits: none on a kernel without them, and `without_limits` omits them."""
    if not is_possible(host):
        return
    for what, groups in (
        ("limits come", (Group("own", 100), Group("shared"))),
        ("other limits", (Group("own", 0, 5000), Group("shared", 7, 8))),
        ("another group", (Group("shared", 7, 8),)),
    ):
        desired = replace(DEVICE, layers=(QualityOfService(groups),))
        yield f"limit: {what}: {over_thin.ensure(host, desired).value}"
        yield f"limit: again: {over_thin.ensure(host, desired).value}"
        layer = names.device(DEVICE.uuid)
        words = host.mapper.table(layer)[0].arguments.split()[1:]
        yield f"limit: table: {host.mapper.table(layer)[0].kind} {' '.join(words)}"
        counted = over_thin.report(host, desired)["limits"]
        yield f"limit: counted: {list(counted) if isinstance(counted, dict) else ''}"
    for message in ("limit own 1 1", "limit shared 1", "limit shared 1 x", "set shared 1 1"):
        yield f"limit: {message}: {refusal(partial(host.mapper.message, layer, message))}"
    for labels in ((), ("a:b",), ("a", "a"), ("x" * 64,)):
        device = replace(DEVICE, layers=(QualityOfService(tuple(map(Group, labels))),))
        yield f"limit: groups {len(labels)}: {refusal(partial(over_thin.ensure, host, device))}"
    yield f"limit: none: {over_thin.ensure(host, DEVICE).value}"


def _standby(host: Host) -> Iterator[str]:
    """Take the data from under a device and give it back, as nodes change roles."""
    without, larger = replace(DEVICE, pool=""), replace(DEVICE, size=2 * DEVICE.size)
    for change, wanted in (
        ("the data goes", without),
        ("a layer comes", replace(without, layers=(Plain(),))),
        ("both grow", replace(larger, pool="", layers=(Plain(),))),
        ("the data comes", replace(larger, layers=(Plain(),))),
        ("the data goes below a layer", replace(larger, pool="", layers=(Plain(),))),
        ("the data comes, and the layer goes", DEVICE),
    ):
        yield f"standby: {change}: {over_thin.ensure(host, wanted).value}"
        yield f"standby: again: {over_thin.ensure(host, wanted).value}"
        yield f"standby: devices: {_kinds(host, wanted)}"
        yield f"standby: without data: {over_thin.is_standby(host, wanted.uuid)}"


def without_limits(lines: str) -> str:
    """Return the expected lines of a kernel that limits nothing."""
    return "".join(line for line in lines.splitlines(True) if not line.startswith("limit: "))


def _restart(host: Host, disks: dict[str, str]) -> Iterator[str]:
    for device in (DEVICE, BEHIND):
        yield f"device taken away: {over_thin.ensure_none(host, device.uuid).value}"
    yield f"group deactivated: {lvm.ensure_inactive(host, _group(host)).value}"
    yield f"layers on the array taken away: {over_md.ensure_none(host, AGGREGATE, 0).value}"
    yield f"array stopped: {md.ensure_stopped(host, AGGREGATE, 0).value}"
    yield f"layers on disks taken away: {under_md.ensure_unused_removed(host, AGGREGATE, []).value}"
    raw = replace(_array(host, disks), disks=tuple(disks.values()))
    yield f"array of the raw disks: {refusal(partial(md.ensure_running, host, raw))}"
    for uid, path in disks.items():
        yield f"activated: {under_md.ensure(host, AGGREGATE, uid, path, BOTH).value}"
    yield f"array started: {md.ensure_running(host, _array(host, disks)).value}"
    yield f"activated: {over_md.ensure(host, AGGREGATE, 0, BOTH).value}"
    yield f"group activated: {lvm.ensure_active(host, _group(host)).value}"
    yield f"device: {over_thin.ensure(host, BEHIND).value}"


def _removal(host: Host, disks: dict[str, str]) -> Iterator[str]:
    yield f"device taken away: {over_thin.ensure_none(host, BEHIND.uuid).value}"
    yield f"group destroyed: {lvm.ensure_removed(host, _group(host)).value}"
    yield f"layers on the array removed: {over_md.ensure_none(host, AGGREGATE, 0).value}"
    yield f"array destroyed: {md.ensure_removed(host, _array(host, disks)).value}"
    for uid, path in disks.items():
        under_md.ensure_erased(host, AGGREGATE, uid, path)


def _array(host: Host, disks: dict[str, str]) -> md.Array:
    members = (under_md.member(host, AGGREGATE, *disk, BOTH) for disk in disks.items())
    return md.Array(AGGREGATE, 0, "raid1", tuple(filter(None, members)))


def _group(host: Host) -> lvm.Group:
    return lvm.Group(AGGREGATE, (lvm.PhysicalVolume(over_md.device(AGGREGATE, 0, BOTH), 65536),))


def _kinds(host: Host, device: over_thin.ThinDevice) -> list[str]:
    live = over_thin.live_names(host, device.uuid)
    return [host.mapper.table(name)[0].kind for name in live]


if __name__ == "__main__":
    from sanstone.kernel.real import real_host

    for line in run(real_host(), sys.argv[1:]):
        print(line, flush=True)
