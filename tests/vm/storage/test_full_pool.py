"""A full pool: hosts notice at once, acknowledged writes stay, volumes with reserves go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from provisioned import ISCSI_PORTAL, NVME_PORTAL

from lab.administrator import GIB, MIB, Administrator, Record
from lab.initiator import Iscsi, Nvme
from lab.patience import eventually
from lab.station import Array, Host
from lab.workload import Workload

AGGREGATES, LUNS = "storage/aggregates", "storage/luns"
SEED = "/run/first-megabyte"
PROMISED = 9
SIZE = 8 * MIB
BLOCK = 16384


def state(admin: Administrator, aggregate: Record) -> str:
    return str(admin.look_up(AGGREGATES, aggregate)["state"])


def test_writes_are_refused_and_nothing_is_lost(admin: Administrator, array: Array) -> None:
    small = Administrator(admin.api, aggregate="aggr_small")
    aggregate = small.add_aggregate(2, "raid1")
    volume = small.add_volume("vol_full", GIB)
    lun = small.add_lun(volume, "lun_full", 4 * GIB)
    device = f"/dev/sanstone/{lun['uuid']}"

    array.run(f"head --bytes=1M /dev/urandom > {SEED}")
    array.run(f"dd if={SEED} of={device} bs=1M oflag=direct conv=fsync")
    filled = array.attempt(f"dd if=/dev/zero of={device} bs=1M seek=1 oflag=direct")
    assert "No space left on device" in filled.err

    eventually(lambda: state(admin, aggregate) == "restricted")
    events = admin.api.get("support/ems/events", message__name="pool.*", fields="*")["records"]
    about = [event for event in events if '"aggr_small"' in event["log_message"]]
    assert {event["message"]["name"] for event in about} == {"pool.space", "pool.mode"}
    array.run(f"dd if={device} bs=1M count=1 iflag=direct status=none | cmp {SEED} -")
    [other] = admin.api.get(AGGREGATES, name=admin.aggregate)["records"]
    assert state(admin, other) == "online"

    small.remove("storage/volumes", volume)
    eventually(lambda: state(admin, aggregate) == "online")
    small.remove(AGGREGATES, aggregate)


@dataclass(frozen=True)
class Shared:
    """An aggregate where some volumes have a guarantee, and others take the rest of the space.

    Hosts see their devices.
    """

    admin: Administrator
    aggregate: Record
    filler: Record
    promised: tuple[Record, ...]
    filling: str
    filling_nvme: str
    writing: tuple[str, ...]

    def state(self, lun: Record) -> str:
        """Return the state of a LUN."""
        return str(self.admin.look_up(LUNS, lun)["status"]["state"])


@pytest.fixture
def shared(admin: Administrator, iscsi: Iscsi, nvme: Nvme) -> Iterator[Shared]:
    """Nine LUNs in a volume with a guarantee, and an overcommitted LUN and namespace beside it."""
    small = Administrator(admin.api, aggregate="aggr_shared")
    with ExitStack() as undone:

        def add(path: str, record: Record, **options: str) -> Record:
            undone.callback(small.remove, path, record, **options)
            return record

        aggregate = add(AGGREGATES, small.add_aggregate(2, "raid1"))
        volume = small.add_volume("vol_promised", 2 * PROMISED * SIZE, "volume")
        thick, thin = add("storage/volumes", volume), small.add_volume("vol_filler", GIB)
        add("storage/volumes", thin)
        mapped = {"allow_delete_while_mapped": "true"}
        igroup = add("protocols/san/igroups", small.add_igroup("shared", *iscsi.names), **mapped)
        subsystem = add(
            "protocols/nvme/subsystems",
            small.add_subsystem("shared_nvme", {"nqn": nvme.name}),
            **mapped,
            allow_delete_with_hosts="true",
        )
        promised = tuple(small.add_lun(thick, f"lun{n}", SIZE) for n in range(PROMISED))
        filler = small.add_lun(thin, "filler", 8 * GIB)
        for lun in (*promised, filler):
            small.map_lun(lun, igroup)
        namespace = small.add_namespace(thin, "filler_nvme", 8 * GIB)
        small.map_namespace(namespace, subsystem)
        undone.callback(iscsi.log_out)
        undone.callback(nvme.disconnect)
        iscsi.discover(ISCSI_PORTAL)
        iscsi.log_in()
        nvme.connect(NVME_PORTAL)
        yield Shared(
            small,
            aggregate,
            filler,
            promised,
            iscsi.device(filler["serial_number"]),
            nvme.device(namespace["uuid"]),
            tuple(iscsi.device(lun["serial_number"]) for lun in promised),
        )


def test_volumes_with_a_guarantee_notice_nothing(shared: Shared, host: Host, iscsi: Iscsi) -> None:
    workloads = [
        Workload(host, f"promised{n}", device, SIZE, BLOCK)
        for n, device in enumerate(shared.writing)
    ]
    half, rest = workloads[: PROMISED // 2], workloads[PROMISED // 2 :]
    for workload in half:
        workload.start()
    host.run(f"head --bytes=1M /dev/urandom > {SEED}")
    seeded = f"dd if={SEED} of={shared.filling} bs=1M oflag=direct conv=fsync,notrunc"
    host.run(seeded)
    filled = host.attempt(f"dd if=/dev/zero of={shared.filling} bs=1M seek=1 oflag=direct")
    assert "No space left on device" in filled.err
    filled = host.attempt(f"dd if=/dev/zero of={shared.filling_nvme} bs=1M oflag=direct")
    assert "No space left on device" in filled.err
    path = iscsi.path_devices(shared.filling)[0]
    write = "2a 00 00 c0 00 00 00 00 80 00"
    refused = host.attempt(f"head --bytes=64K /dev/zero | sg_raw --send=65536 /dev/{path} {write}")
    assert "Space allocation failed write protect" in refused.out + refused.err

    for workload in rest:
        workload.start()
    for workload in workloads:
        workload.wait()
    eventually(lambda: shared.state(shared.filler) == "space_error")
    assert {shared.state(lun) for lun in shared.promised} == {"online"}
    assert state(shared.admin, shared.aggregate) == "online"
    # A change of a volume can show the state first; the alert comes when the pool is looked at.
    about = {"message__name": "pool.overcommitted", "active": "true"}
    events = "support/ems/events"
    eventually(lambda: shared.admin.api.get(events, **about)["num_records"] == 1)
    host.run(seeded)
    host.run(f"dd if={shared.filling} bs=1M count=1 iflag=direct status=none | cmp {SEED} -")

    host.run(f"blkdiscard --force --offset 64MiB --length 256MiB {shared.filling}")
    more = f"dd if=/dev/zero of={shared.filling} bs=1M seek=4096 count=16 oflag=direct"
    eventually(lambda: host.attempt(more).status == 0)
    eventually(lambda: shared.state(shared.filler) == "online")
    for workload in workloads:
        workload.reread()
    host.run(f"dd if={shared.filling} bs=1M count=1 iflag=direct status=none | cmp {SEED} -")
