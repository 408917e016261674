"""Hosts' I/O is counted, kept over restarts, and shown over REST and to Prometheus."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from scenarios import aggregate, svm
from simulator import LOGIN, NODE_UUID, Simulator, simulated
from standing_clock import Clock

from fakes.files import Text
from sanstone.core.database.store import writing
from sanstone.core.history import metrics, metrics_file
from sanstone.core.jobs import Job
from sanstone.kernel import names
from sanstone.kernel.host import CommandError
from sanstone.model.san import Lun
from sanstone.reconcile.tasks import sampler as module
from sanstone.reconcile.tasks.sampler import Sampler

MIB = 1024**2
NOW = 1_800_014_400.0
ADDRESS = "10.10.1.1"


def furnish(array: Simulator) -> None:
    """Make a LUN and a namespace, and a LIF at which hosts use them."""
    aggregate(array)
    svm(array)
    body = {"name": "vol1", "svm.name": "svm1", "size": 1024 * MIB}
    array.make("storage/volumes", body)
    device = {"svm.name": "svm1", "os_type": "linux", "space.size": 64 * MIB}
    array.make("storage/luns", {"name": "/vol/vol1/lun1", **device})
    array.make("storage/namespaces", {"name": "/vol/vol1/ns1", **device})
    for family in ("san/iscsi", "nvme"):
        array.make(f"protocols/{family}/services", {"svm.name": "svm1"})
    lif = {"svm.name": "svm1", "name": "lif1", "location.home_port.name": "e0a"}
    place = {"ip.address": ADDRESS, "ip.netmask": 24}
    array.make("network/ip/interfaces", lif | place)


class Counted:
    """An array with a LUN and a namespace that hosts use, and its sampler."""

    def __init__(self, array: Simulator, clock: Clock) -> None:
        self.array, self._clock = array, clock
        self.lun = array.uuid_of("storage/luns", "/vol/vol1/lun1")
        self.namespace = array.uuid_of("storage/namespaces", "/vol/vol1/ns1")
        self.svm = array.uuid_of("svm/svms", "svm1")
        self.lif = array.uuid_of("network/ip/interfaces", "lif1")
        self.start()
        clock.now = NOW
        self.sample()

    @property
    def now(self) -> float:
        """The time of the sampler and of the API."""
        return self._clock.now

    @now.setter
    def now(self, seconds: float) -> None:
        self._clock.now = seconds

    def start(self) -> None:
        """Start the sampler anew."""
        self.sampler = Sampler(self.array.kernel.host, self.array.database)

    def sample(self, after: float = 0) -> None:
        """Take a sample after so many seconds."""
        self.now += after
        self.sampler.sample(self.now)

    def use(self, uuid: str, **io: int) -> None:
        """Let a host read and write."""
        self.array.kernel.mapper.do_io(names.device(uuid), **io)

    def statistics(self, path: str) -> dict[str, Any]:
        """Return the field `statistics` of an object."""
        statistics: dict[str, Any] = self.array.get(f"{path}?fields=statistics")["statistics"]
        return statistics


@pytest.fixture
def counted(tmp_path: Path, clock: Clock) -> Iterator[Counted]:
    """The array."""
    with simulated(tmp_path, furnish) as array:
        yield Counted(array, clock)


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


def test_new_objects_have_all_figures_at_zero(counted: Counted) -> None:
    array = counted.array
    device = {"svm.name": "svm1", "os_type": "linux", "space.size": 64 * MIB}
    bodies = {
        "storage/volumes": {"name": "new", "svm.name": "svm1", "size": 1024 * MIB},
        "storage/luns": {"name": "/vol/vol1/lun2", **device},
        "storage/namespaces": {"name": "/vol/vol1/ns2", **device},
    }
    places = [f"{path}/{array.make(path, body)['uuid']}" for path, body in bodies.items()]

    def records() -> list[dict[str, Any]]:
        return [array.get(f"{place}?fields=statistics,metric,create_time") for place in places]

    before = records()
    for each in before:
        assert each["statistics"].pop("timestamp") == each.pop("create_time")
        for figure in ("iops", "throughput", "latency"):
            assert set(each["metric"][figure].values()) == {0}
            assert set(each["statistics"][f"{figure}_raw"].values()) == {0}
    counted.sample()
    after = records()
    for each in (*before, *after):
        each["statistics"].pop("timestamp", "")
        each.pop("create_time", "")
        assert each["metric"].pop("timestamp")
    assert before == after


def test_a_new_lun_is_counted_from_its_first_command_on(counted: Counted) -> None:
    body = {"svm.name": "svm1", "os_type": "linux", "name": "/vol/vol1/new", "space.size": 64 * MIB}
    new = counted.array.make("storage/luns", body)["uuid"]
    counted.use(new, writes=3, sectors=8)
    counted.sample(15)
    assert counted.statistics(f"storage/luns/{new}")["iops_raw"]["write"] == 3


def test_a_volume_an_aggregate_and_the_array_have_what_is_in_them(counted: Counted) -> None:
    counted.use(counted.lun, reads=10)
    counted.use(counted.namespace, writes=4)
    counted.sample(15)
    array = counted.array
    places = ["cluster"]
    for kind in ("storage/volumes", "storage/aggregates"):
        places.append(f"{kind}/{array.get(kind)['records'][0]['uuid']}")
    for place in places:
        iops = counted.statistics(place)["iops_raw"]
        assert iops == {"read": 10, "write": 4, "other": 0, "total": 14}, place


@pytest.mark.parametrize(("family", "read", "write"), [("san/iscsi", 10, 0), ("nvme", 0, 4)])
def test_a_service_has_what_is_done_with_what_its_svm_serves_by_it(
    counted: Counted, family: str, read: int, write: int
) -> None:
    counted.use(counted.lun, reads=10)
    counted.use(counted.namespace, writes=4)
    counted.sample(15)
    iops = counted.statistics(f"protocols/{family}/services/{counted.svm}")["iops_raw"]
    assert iops == {"read": read, "write": write, "other": 0, "total": read + write}


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


def test_collectors_find_what_has_statistics(counted: Counted) -> None:
    path = 'storage/luns?fields=statistics.iops_raw.*&statistics.timestamp=!"-"'
    (record,) = counted.array.get(path)["records"]
    assert record["statistics"]["iops_raw"]["total"] == 0
    assert "statistics" not in counted.array.get("storage/luns?fields=*")["records"][0]


class TestHistory:
    """`/metrics`: averages, interval by interval."""

    def test_an_interval_shows_averages(self, counted: Counted) -> None:
        counted.use(counted.lun, reads=30, writes=15, sectors=8)
        counted.sample(15)
        counted.now += 30
        records = counted.array.get(f"storage/luns/{counted.lun}/metrics?fields=*")["records"]
        assert [r["timestamp"][14:19] for r in records] == ["00:00", "00:15", "00:30"]
        assert [r["iops"]["total"] for r in records] == [0, 3, 0]
        busy = records[1]
        assert busy["throughput"]["read"] == 30 * 4096 // 15
        assert busy["latency"].pop("percentile").keys() == {"p50", "p95", "p99", "p99_9"}
        assert busy["latency"] == {"read": 2000, "write": 3000, "other": 0, "total": 2333}
        assert (busy["duration"], busy["status"]) == ("PT15S", "ok")
        assert busy["lun"]["uuid"] == counted.lun

    def test_metric_is_the_last_whole_interval(self, counted: Counted) -> None:
        counted.use(counted.lun, reads=30)
        counted.sample(15)
        counted.now += 15
        metric = counted.array.get(f"storage/luns/{counted.lun}?fields=metric")["metric"]
        assert (metric["iops"]["read"], metric["duration"]) == (2, "PT15S")

    def test_the_interval_sets_the_length_of_the_history(self, counted: Counted) -> None:
        for _ in range(3):
            counted.use(counted.lun, reads=300)
            counted.sample(300)
        path = (
            f"storage/volumes/{counted.array.get('storage/volumes')['records'][0]['uuid']}/metrics"
        )
        records = counted.array.get(f"{path}?interval=1d&fields=iops.read,duration")["records"]
        assert [(r["iops"]["read"], r["duration"]) for r in records] == [
            (0, "PT5M"),
            (1, "PT5M"),
            (1, "PT5M"),
        ]
        response = counted.array.call("GET", f"{path}?interval=2d")
        assert response.status_code == 400

    def test_there_are_no_more_records_than_the_interval_holds(self, counted: Counted) -> None:
        counted.now += 99_990
        history = counted.array.get("cluster/metrics")
        assert history["num_records"] == 240

    def test_ports_count_what_goes_through_them(self, counted: Counted) -> None:
        files = counted.array.kernel.files
        for name in ("rx_packets", "tx_packets", "rx_bytes", "tx_bytes"):
            files.place(f"/sys/class/net/e0a/statistics/{name}", Text("100\n"))
        counted.sample(15)
        files.place("/sys/class/net/e0a/statistics/rx_bytes", Text("15100\n"))
        counted.sample(15)
        counted.now += 15
        (port,) = counted.array.get("network/ethernet/ports?name=e0a")["records"]
        records = counted.array.get(
            f"network/ethernet/ports/{port['uuid']}/metrics?fields=throughput.read"
        )["records"]
        assert [r["throughput"]["read"] for r in records][-1] == 1000

    def test_the_node_shows_its_processor_load(self, counted: Counted) -> None:
        files, path = counted.array.kernel.files, f"cluster/nodes/{NODE_UUID}"
        files.place("/proc/stat", Text("cpu  1000 100 400 2500 500 0 0 0 900 0\n"))
        counted.sample(15)
        counted.now += 15
        node = counted.array.get(f"{path}?fields=statistics,metric")
        statistics, metric = node["statistics"], node["metric"]
        assert statistics["processor_utilization_raw"] == 1000
        assert statistics["processor_utilization_base"] == 2500
        assert (metric["processor_utilization"], metric["duration"]) == (40, "PT15S")
        records = counted.array.get(f"{path}/metrics?fields=*")["records"]
        assert [record["processor_utilization"] for record in records] == [0, 40]
        assert records[1]["node"]["name"] == "array-01"
        unknown = f"cluster/nodes/{counted.lun}/metrics"
        assert counted.array.call("GET", unknown).status_code == 404

    @pytest.mark.parametrize("name", ["network/ip/interfaces", "protocols/san/iscsi/services"])
    def test_lifs_and_services_have_a_history(self, counted: Counted, name: str) -> None:
        key = counted.lif if "ip" in name.split("/") else counted.svm
        counted.array.kernel.nftables.pass_packets("received", ADDRESS, 30, 122_880)
        counted.use(counted.lun, reads=30, sectors=8)
        counted.sample(15)
        counted.now += 15
        records = counted.array.get(f"{name}/{key}/metrics?fields=throughput")["records"]
        assert [record["throughput"]["read"] for record in records] == [0, 8192]


class TestPrometheus:
    """The figures in Prometheus' text format."""

    def scraped(self, counted: Counted) -> dict[str, float]:
        """Return the figures by name with labels, having checked the format."""
        response = counted.array.client.get("/api/metrics", auth=LOGIN)
        assert response.status_code == 200
        assert response.content_type == "text/plain; version=0.0.4; charset=utf-8"
        figures = {}
        for line in response.text.splitlines():
            if line.startswith("#"):
                assert re.fullmatch(r"# (HELP|TYPE) sanstone_[a-z_]+ .+", line)
                continue
            name, _, value = line.rpartition(" ")
            assert re.fullmatch(r'sanstone_[a-z_]+(\{([a-z_]+="[^"]*",?)+\})?', name), line
            figures[name] = float(value)
        return figures

    def test_prometheus_has_the_figures_of_rest(self, counted: Counted) -> None:
        counted.use(counted.lun, reads=10, writes=5, sectors=8)
        counted.sample(15)
        figures = self.scraped(counted)
        labels = 'svm="svm1",volume="vol1",lun="/vol/vol1/lun1"'
        prefix = "sanstone_lun_"
        assert figures[f'{prefix}operations_total{{{labels},direction="read"}}'] == 10
        assert figures[f'{prefix}bytes_total{{{labels},direction="write"}}'] == 20480
        assert figures[f'{prefix}seconds_total{{{labels},direction="read"}}'] == 0.02
        bucket = f"{prefix}latency_seconds_bucket"
        assert figures[f'{bucket}{{{labels},le="0.001"}}'] == 0
        assert figures[f'{bucket}{{{labels},le="0.0025"}}'] == 10
        assert figures[f'{bucket}{{{labels},le="0.005"}}'] == 15
        assert figures[f'{bucket}{{{labels},le="+Inf"}}'] == 15
        assert figures[f"{prefix}latency_seconds_count{{{labels}}}"] == 15
        assert figures['sanstone_cluster_operations_total{direction="read"}'] == 10
        assert figures['sanstone_iscsi_operations_total{svm="svm1",direction="read"}'] == 10

    def test_prometheus_has_the_figures_of_nvme_services(self, counted: Counted) -> None:
        counted.use(counted.namespace, writes=3, sectors=8)
        counted.sample(15)
        figures = self.scraped(counted)
        assert figures['sanstone_nvme_operations_total{svm="svm1",direction="write"}'] == 3

    def test_prometheus_has_the_figures_of_lifs_and_processors(self, counted: Counted) -> None:
        array = counted.array
        array.kernel.nftables.pass_packets("sent", ADDRESS, 2, 1500)
        array.kernel.files.place("/proc/stat", Text("cpu  900 0 100 2000 0 0 0 0 0 0\n"))
        counted.sample(15)
        figures = self.scraped(counted)
        labels = 'svm="svm1",interface="lif1",direction="write"'
        assert figures[f"sanstone_interface_packets_total{{{labels}}}"] == 2
        assert figures[f"sanstone_interface_bytes_total{{{labels}}}"] == 1500
        assert figures['sanstone_port_bytes_total{port="e0a",direction="read"}'] == 0
        prefix = 'sanstone_node_processor_seconds_total{node="array-01",state='
        assert (figures[f'{prefix}"busy"}}'], figures[f'{prefix}"idle"}}']) == (5, 5)

    def test_prometheus_needs_a_role_with_access(self, counted: Counted) -> None:
        array = counted.array
        assert array.client.get("/api/metrics").status_code == 401
        role = {"name": "scraper", "privileges": [{"path": "/api/metrics", "access": "readonly"}]}
        array.make("security/roles", role)
        http = [{"application": "http", "authentication_methods": ["password"]}]
        body = {"name": "prometheus", "role": "scraper", "password": "scrapes 4 us"}
        array.make("security/accounts", body | {"applications": http})
        login = ("prometheus", "scrapes 4 us")
        assert array.client.get("/api/metrics", auth=login).status_code == 200
        assert array.client.get("/api/storage/luns", auth=login).status_code == 403


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
