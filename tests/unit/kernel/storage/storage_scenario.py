"""One storage scenario for every form of `host.Host`: its lines must be the same on all.

It takes seven empty disks through everything that the drivers do, and yields a line for each
outcome; `storage_scenario.txt` holds the lines that it must print. The unit test runs it on the
fake kernel. On a machine, whose disks it destroys, it is a program: `python3 storage_scenario.py
/dev/vdb …` prints the lines, as root, with `sanstone` on the path.
"""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host, HostError, MappedDevice, RequestError
from sanstone.kernel.storage import block, lvm, md, thin, thin_reserve
from sanstone.kernel.storage.stack import over_thin
from sanstone.kernel.storage.stack.block_size import BlockSize
from sanstone.kernel.storage.thin_reserve import Reserve

AGGREGATE = "5c0e0000-1111-4111-8111-111111111111"
POOL = names.pool_device(AGGREGATE)
PATIENCE = 600
"""Seconds for a rebuild; two disks of 2 GiB take half a minute under emulation."""
PLAIN = over_thin.ThinDevice("5c0e0000-aaaa-4111-8111-111111111111", POOL, 1, 64 * 1024**2)
BLOCKS = BlockSize(4096)
LARGE = replace(PLAIN, uuid="5c0e0000-bbbb-4111-8111-111111111111", thin_id=2, layers=(BLOCKS,))


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
    first = md.Array(AGGREGATE, 0, "raid_dp", tuple(disks[:4]))
    second = md.Array(AGGREGATE, 1, "raid1", tuple(disks[4:6]))
    spare = disks[6]
    yield from _arrays(host, first, second, spare)
    yield from _pool(host, first, second)
    yield from _devices(host)
    yield from _restart(host, first, second)
    yield from _removal(host, first, second)
    free = {disk.path for disk in block.disks(host) if not disk.obstacle}
    yield f"all disks are free again: {free >= set(disks)}"


def _arrays(host: Host, first: md.Array, second: md.Array, spare: str) -> Iterator[str]:
    yield f"array made: {md.ensure_created(host, first).value}"
    yield f"again: {md.ensure_created(host, first).value}"
    yield f"second array made: {md.ensure_created(host, second).value}"
    stranger = replace(second, number=2, disks=(spare, first.disks[0]))
    yield f"disk of another array: {refusal(lambda: md.ensure_created(host, stranger))}"
    _settle(host, first)
    yield f"array: {_array(host, first)}"
    desired = replace(first, disks=(*first.disks[:3], spare))
    yield f"replacement of a disk: {md.ensure_members(host, desired).value}"
    _settle(host, first)
    yield f"the other goes: {md.ensure_members(host, desired).value}"
    yield f"again: {md.ensure_members(host, desired).value}"
    yield f"array: {_array(host, first)}"
    yield f"the disk that left is freed: {_erased(host, first)}"
    yield f"and comes back: {md.ensure_members(host, first).value}"
    _settle(host, first)
    yield f"the spare goes: {md.ensure_members(host, first).value}"
    yield f"the spare is freed: {md.ensure_erased(host, first.uuid, [spare]).value}"


def _erased(host: Host, array: md.Array) -> str:
    return md.ensure_erased(host, array.uuid, [array.disks[3]]).value


def _pool(host: Host, first: md.Array, second: md.Array) -> Iterator[str]:
    yield f"pool of a group that is not there: {thin.pool_status(host, POOL)}"
    yield f"group made: {lvm.ensure_created(host, _group(host, first)).value}"
    yield f"again: {lvm.ensure_created(host, _group(host, first)).value}"
    before = thin.pool_status(host, POOL)
    yield f"group grown: {lvm.ensure_created(host, _group(host, first, second)).value}"
    after = thin.pool_status(host, POOL)
    assert before is not None
    assert after is not None
    yield f"pool: {after.mode}, empty: {after.used == 0}, larger: {after.size > before.size}"
    [report] = lvm.report(host, [first.device, second.device])
    yield f"volumes: {sorted(report.volumes.items())}"
    yield f"division as planned: {report.pool_size == lvm.layout(report.size).pool}"


def _devices(host: Host) -> Iterator[str]:
    for device in (PLAIN, LARGE):
        yield f"device without its volume: {refusal(partial(over_thin.ensure, host, device))}"
        yield f"volume: {thin.ensure_thin(host, POOL, device.thin_id).value}"
        yield f"again: {thin.ensure_thin(host, POOL, device.thin_id).value}"
        yield f"device: {over_thin.ensure(host, device).value}"
        yield f"again: {over_thin.ensure(host, device).value}"
        grown = replace(device, size=2 * device.size)
        yield f"grown: {over_thin.ensure(host, grown).value}"
        yield f"again: {over_thin.ensure(host, grown).value}"
        yield f"shrunk: {over_thin.ensure(host, device).value}"
        below = host.mapper.table(over_thin.live_names(host, device.uuid)[-1])
        yield f"at the bottom: {[target.kind for target in below]}"
        yield f"node: {host.files.block_number(names.device_node(device.uuid)) is not None}"
        yield f"used: {over_thin.used(host, device.uuid)}"
        answer = refusal(partial(thin.ensure_no_thin, host, POOL, device.thin_id))
        yield f"volume of an active device deleted: {answer}"
    yield f"number out of range: {refusal(lambda: thin.ensure_thin(host, POOL, 2**24))}"
    yield f"devices: {sorted(over_thin.devices(host))}"
    yield from _block_size(host)
    yield from _set_aside(host)
    yield from _silence(host)


def _set_aside(host: Host) -> Iterator[str]:
    """Set space aside. The lines are the same whether or not the kernel has the patch."""
    before = _reserved(host)
    reserve = Reserve(PLAIN.size, PLAIN.size // 2)
    expected = "not refused" if before is not None else "EINVAL"
    answer = refusal(lambda: thin_reserve.ensure(host, POOL, PLAIN.thin_id, reserve))
    yield f"space set aside where the kernel can: {answer == expected}"
    after = _reserved(host)
    more = (after or 0) - (before or 0)
    yield f"as much as asked: {after is None or more >= sum(reserve)}"
    again = after is not None and thin_reserve.ensure(host, POOL, PLAIN.thin_id, reserve)
    yield f"not again: {again in (False, Ensured.UNCHANGED)}"
    unknown = refusal(lambda: thin_reserve.ensure(host, POOL, 9, reserve))
    yield f"for a volume that is not there: {after is None or unknown == 'ENODATA'}"
    over_thin.ensure(host, replace(PLAIN, size=2 * PLAIN.size))
    over_thin.ensure(host, PLAIN)
    yield f"a new table leaves it: {_reserved(host) == after}"
    refusal(lambda: thin_reserve.ensure(host, POOL, PLAIN.thin_id, thin_reserve.NONE))
    yield f"ended: {_reserved(host) == before}"


def _silence(host: Host) -> Iterator[str]:
    """udev hears of LVM's devices, and of ours only where the kernel lacks the patch.

    The lines are the same whether or not the kernel has it.
    """
    host.commands.run(["udevadm", "settle"])
    devices = host.mapper.devices()
    ours = {device for device in devices if names.uuid_of_device(device.uuid)}
    nodes = {device: host.files.block_number(f"/dev/dm-{device.minor}") for device in ours}
    yield f"nodes of the kernel's own: {nodes == {d: (d.major, d.minor) for d in ours}}"
    heard = {device for device in devices if _has_heard(host, device)}
    yield f"udev has heard of the pool: {POOL in {device.name for device in heard}}"
    expected = ours if _reserved(host) is None else set()
    yield f"of our devices where the kernel must tell: {heard & ours == expected}"


def _has_heard(host: Host, device: MappedDevice) -> bool:
    return host.files.exists(f"/run/udev/data/b{device.major}:{device.minor}")


def _reserved(host: Host) -> int | None:
    status = thin.pool_status(host, POOL)
    assert status is not None
    return status.reserved


def _block_size(host: Host) -> Iterator[str]:
    """The kernel's needs decide at an activation; a live device keeps its table.

    The lines are the same whether or not nvmet can show larger blocks.
    """
    needed = "crypt" if BLOCKS.needed(host) else "thin"
    yield f"what the kernel needs: {_kind(host) == needed}"
    yield f"taken away: {over_thin.ensure_none(host, LARGE.uuid).value}"
    layered = replace(LARGE, layers=(Needed(4096),))
    yield f"activated with a layer: {over_thin.ensure(host, layered).value}"
    yield f"not needed: {over_thin.ensure(host, LARGE).value}"
    yield f"grown: {over_thin.ensure(host, replace(LARGE, size=2 * LARGE.size)).value}"
    yield f"shrunk: {over_thin.ensure(host, LARGE).value}"
    yield f"it keeps its layer: {_kind(host) == 'crypt'}"
    [target] = host.mapper.table(names.device(LARGE.uuid))
    host.mapper.load(names.device(LARGE.uuid), [replace(target, length=2 * target.length)])
    longer = partial(host.mapper.resume, names.device(LARGE.uuid))
    yield f"layer that is longer than what it lies on: {refusal(longer)}"
    yield f"and that is mended: {over_thin.ensure(host, LARGE).value}"
    yield f"again: {over_thin.ensure(host, LARGE).value}"
    yield f"taken away: {over_thin.ensure_none(host, LARGE.uuid).value}"
    yield f"activated: {over_thin.ensure(host, LARGE).value}"
    yield f"what the kernel needs: {_kind(host) == needed}"


def _kind(host: Host) -> str:
    return host.mapper.table(names.device(LARGE.uuid))[0].kind


def _restart(host: Host, first: md.Array, second: md.Array) -> Iterator[str]:
    group = _group(host, first, second)
    yield f"group in use deactivated: {refusal(lambda: lvm.ensure_inactive(host, group))}"
    yield f"array in use stopped: {refusal(lambda: md.ensure_stopped(host, AGGREGATE, 0))}"
    for device in (PLAIN, LARGE):
        yield f"device taken away: {over_thin.ensure_none(host, device.uuid).value}"
    yield f"group deactivated: {lvm.ensure_inactive(host, group).value}"
    for number in (0, 1):
        yield f"array stopped: {md.ensure_stopped(host, AGGREGATE, number).value}"
        yield f"again: {md.ensure_stopped(host, AGGREGATE, number).value}"
    fewer = replace(first, disks=first.disks[:3])
    yield f"array with a disk less: {refusal(lambda: md.ensure_running(host, fewer))}"
    yield f"array started: {md.ensure_running(host, first).value}"
    yield f"group without its other array: {refusal(lambda: lvm.ensure_active(host, group))}"
    yield f"other array started: {md.ensure_running(host, second).value}"
    yield f"group activated: {lvm.ensure_active(host, group).value}"
    yield f"again: {lvm.ensure_active(host, group).value}"
    yield f"device: {over_thin.ensure(host, PLAIN).value}"
    yield f"volume is still there: {thin.ensure_thin(host, POOL, LARGE.thin_id).value}"


def _removal(host: Host, first: md.Array, second: md.Array) -> Iterator[str]:
    group = _group(host, first, second)
    yield f"device taken away: {over_thin.ensure_none(host, PLAIN.uuid).value}"
    yield f"volume deleted: {thin.ensure_no_thin(host, POOL, PLAIN.thin_id).value}"
    yield f"again: {thin.ensure_no_thin(host, POOL, PLAIN.thin_id).value}"
    yield f"group destroyed: {lvm.ensure_removed(host, group).value}"
    yield f"again: {lvm.ensure_removed(host, group).value}"
    for array in (first, second):
        yield f"array destroyed: {md.ensure_removed(host, array).value}"
        yield f"again: {md.ensure_removed(host, array).value}"


def _array(host: Host, array: md.Array) -> str:
    status = md.status(host, array.aggregate, array.number)
    assert status is not None
    slots = sorted((m.slot, m.state) for m in status.members if m.slot is not None)
    return f"{status.level} {status.state} {status.full_stripe} {slots}"


def _group(host: Host, *arrays: md.Array) -> lvm.Group:
    running = [md.status(host, array.aggregate, array.number) for array in arrays]
    volumes = (lvm.PhysicalVolume(s.device, s.full_stripe) for s in running if s)
    return lvm.Group(AGGREGATE, tuple(volumes))


def _settle(host: Host, array: md.Array) -> None:
    """Wait until nothing is being rebuilt; on the fake kernel that takes no time."""
    for _ in range(PATIENCE):
        status = md.status(host, array.aggregate, array.number)
        if status and status.state == "clean":
            return
        time.sleep(1)  # noqa: TID251 - of a real kernel
    raise HostError(f"{array.name} did not become clean within {PATIENCE} seconds: {status}")


if __name__ == "__main__":
    from sanstone.kernel.real import real_host

    for line in run(real_host(), sys.argv[1:]):
        print(line, flush=True)
