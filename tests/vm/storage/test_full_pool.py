"""A pool that is full: hosts are told at once, what was acknowledged stays, others go on."""

from __future__ import annotations

from lab.administrator import GIB, Administrator, Record
from lab.patience import eventually
from lab.station import Array

AGGREGATES = "storage/aggregates"
SEED = "/run/first-megabyte"


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
    told = admin.api.get("support/ems/events", message__name="pool.*", fields="*")["records"]
    about = [event for event in told if '"aggr_small"' in event["log_message"]]
    assert {event["message"]["name"] for event in about} == {"pool.space", "pool.mode"}
    array.run(f"dd if={device} bs=1M count=1 iflag=direct status=none | cmp {SEED} -")
    [other] = admin.api.get(AGGREGATES, name=admin.aggregate)["records"]
    assert state(admin, other) == "online"

    small.remove("storage/volumes", volume)
    eventually(lambda: state(admin, aggregate) == "online")
    small.remove(AGGREGATES, aggregate)
