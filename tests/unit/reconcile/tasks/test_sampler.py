"""Hosts' I/O is counted, and kept over restarts."""

from __future__ import annotations

import stat
from collections.abc import Sequence

import pytest
from sampled_array import ADDRESS, MIB, Counted
from simulator import NODE_UUID
from standing_clock import Clock

from sanstone.core.database.store import writing
from sanstone.core.history import metrics, metrics_file
from sanstone.core.jobs import Job
from sanstone.kernel import names
from sanstone.kernel.host import CommandError
from sanstone.model.san import Lun
from sanstone.reconcile.tasks import sampler as module


def test_totals_are_those_of_the_kernel(counted: Counted) -> None:
    counted.use(counted.lun, reads=10, writes=5, sectors=8)
    counted.sample(15)
    statistics = counted.statistics(f"storage/luns/{counted.lun}")
    assert statistics["iops_raw"] == {"read": 10, "write": 5, "other": 0, "total": 15}
    assert statistics["throughput_raw"] == {
        "read": 40960,
        "write": 20480,
        "other": 0,
        "total": 61440,
    }
    assert statistics["latency_raw"] == {"read": 20000, "write": 15000, "other": 0, "total": 35000}
    assert (statistics["status"], statistics["timestamp"]) == ("ok", "2027-01-15T12:00:15+00:00")


def test_a_new_lun_is_counted_from_its_first_command_on(counted: Counted) -> None:
    body = {"svm.name": "svm1", "os_type": "linux", "name": "/vol/vol1/new", "space.size": 64 * MIB}
    new = counted.array.make("storage/luns", body)["uuid"]
    counted.use(new, writes=3, sectors=8)
    counted.sample(15)
    assert counted.statistics(f"storage/luns/{new}")["iops_raw"]["write"] == 3


def test_a_lif_has_what_comes_to_and_goes_from_its_address(counted: Counted) -> None:
    packets = counted.array.kernel.nftables.pass_packets
    packets("received", ADDRESS, 10, 15_000)
    packets("sent", ADDRESS, 2, 1500)
    packets("sent", "10.10.9.9", 5, 5)
    counted.sample(15)
    path = f"network/ip/interfaces/{counted.lif}"
    statistics = counted.statistics(path)
    expected = {"read": 15_000, "write": 1500, "other": 0, "total": 16_500}
    assert statistics["throughput_raw"] == expected
    assert "iops_raw" not in statistics
    counted.start()
    counted.sample(15)
    packets("sent", ADDRESS, 1, 100)
    counted.sample(15)
    assert counted.statistics(path)["throughput_raw"]["write"] == 1600


def test_a_lif_whose_address_changes_keeps_its_totals(counted: Counted) -> None:
    packets = counted.array.kernel.nftables.pass_packets
    packets("sent", ADDRESS, 2, 1500)
    counted.sample(15)
    path = f"network/ip/interfaces/{counted.lif}"
    counted.array.do("PATCH", path, {"ip.address": "10.10.1.2"})
    counted.sample(15)
    packets("sent", ADDRESS, 2, 1500)
    packets("sent", "10.10.1.2", 1, 7)
    counted.sample(15)
    assert counted.statistics(path)["throughput_raw"]["write"] == 1507


def test_without_nftables_all_else_is_counted(counted: Counted) -> None:
    def refuse(argv: Sequence[str], _stdin: str) -> str:
        raise CommandError(argv, 1, "Operation not supported")

    counted.array.kernel.commands.register("nft", refuse)
    counted.use(counted.lun, reads=10)
    counted.sample(15)
    assert counted.statistics("cluster")["iops_raw"]["read"] == 10
    assert counted.statistics("cluster/nodes/" + NODE_UUID)["processor_utilization_raw"] == 0


def test_totals_stay_over_a_restart_and_a_reboot(counted: Counted) -> None:
    counted.use(counted.lun, reads=10)
    counted.sample(15)
    counted.start()
    counted.use(counted.lun, reads=1)
    counted.sample(15)
    counted.array.reboot()
    counted.array.settle()
    counted.start()
    counted.sample(60)
    counted.use(counted.lun, reads=1)
    counted.sample(15)
    assert counted.statistics(f"storage/luns/{counted.lun}")["iops_raw"]["read"] == 12


def test_io_of_a_deleted_lun_still_counts(counted: Counted) -> None:
    counted.use(counted.lun, reads=10)
    counted.sample(15)
    counted.array.do("DELETE", f"storage/luns/{counted.lun}")
    counted.sample(15)
    assert counted.statistics("cluster")["iops_raw"]["read"] == 10
    assert ("storage/luns", counted.lun) not in metrics.totals()


def test_an_emptied_volume_keeps_its_totals(counted: Counted) -> None:
    counted.use(counted.lun, reads=10)
    counted.sample(15)
    for path in (f"storage/luns/{counted.lun}", f"storage/namespaces/{counted.namespace}"):
        counted.array.do("DELETE", path)
    counted.sample(15)
    aggregate = counted.array.get("storage/aggregates")["records"][0]["uuid"]
    assert counted.statistics(f"storage/aggregates/{aggregate}")["iops_raw"]["read"] == 10


def test_damaged_figures_start_anew(counted: Counted) -> None:
    counted.use(counted.lun, reads=10)
    counted.sample(15)
    metrics_file.path().write_bytes(b"no database at all" * 1000)
    counted.sample(15)
    counted.use(counted.lun, reads=1)
    counted.sample(15)
    assert counted.statistics(f"storage/luns/{counted.lun}")["iops_raw"]["read"] == 1


def test_figures_are_for_the_group_of_their_folder_to_read(counted: Counted) -> None:
    counted.sample(15)
    assert stat.S_IMODE(metrics_file.path().stat().st_mode) == 0o640
    assert metrics_file.path().stat().st_gid == metrics_file.path().parent.stat().st_gid


def test_a_lun_that_grew_is_counted_whole(counted: Counted) -> None:
    counted.array.do("PATCH", f"storage/luns/{counted.lun}", {"space.size": 128 * MIB})
    counted.use(counted.lun, writes=3)
    counted.sample(15)
    assert counted.statistics(f"storage/luns/{counted.lun}")["iops_raw"]["write"] == 3


def test_a_device_that_cannot_be_read_is_left_out(counted: Counted) -> None:
    counted.array.kernel.mapper.message(names.device(counted.lun), "@stats_delete 0")
    for uuid in (counted.lun, counted.namespace):
        counted.use(uuid, reads=1)
    counted.sample(15)
    assert counted.statistics(f"storage/namespaces/{counted.namespace}")["iops_raw"]["read"] == 1
    counted.sample(15)
    counted.use(counted.lun, reads=1)
    counted.sample(15)
    assert counted.statistics(f"storage/luns/{counted.lun}")["iops_raw"]["read"] == 1


def test_idle_devices_are_not_read(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    queried: list[str] = []
    message = counted.array.kernel.mapper.message

    def listen(name: str, text: str) -> str:
        queried.append(name)
        return message(name, text)

    monkeypatch.setattr(counted.array.kernel.mapper, "message", listen)
    counted.sample(15)
    assert queried == []
    counted.use(counted.lun, reads=1)
    counted.sample(15)
    assert set(queried) == {names.device(counted.lun)}


def test_a_change_that_is_taken_back_leaves_no_figures(counted: Counted) -> None:
    body = {"svm.name": "svm1", "os_type": "linux", "name": "/vol/vol1/new", "space.size": 64 * MIB}
    new = counted.array.make("storage/luns", body)["uuid"]
    counted.sample(15)
    assert ("storage/luns", new) in metrics.totals()
    with writing(counted.array.database) as session:
        session.add(Job(description="another change"))
        session.delete(session.get_one(Lun, new))
    counted.sample(15)
    assert ("storage/luns", new) not in metrics.totals()


def test_samples_are_taken_for_ever(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    samples: list[float] = []
    pauses: list[float] = []
    monkeypatch.setattr(counted.sampler, "sample", samples.append)

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counted.sampler.run(sleep)
    assert len(samples) == 3
    assert all(0 <= pause <= module.PERIOD * 3 for pause in pauses)


def test_samples_that_take_longer_than_their_period_are_taken_for_ever(
    counted: Counted, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """The clock goes on between any two looks at it."""
    pauses: list[float] = []

    def monotonic() -> float:
        clock.now += 0.001
        return clock.monotonic()

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("time.monotonic", monotonic)
    monkeypatch.setattr(counted.sampler, "sample", lambda _now: clock.sleep(module.PERIOD * 2))
    with pytest.raises(KeyboardInterrupt):
        counted.sampler.run(sleep)
    assert pauses == [0, 0, 0]
