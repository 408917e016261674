"""`/metrics`: averages, interval by interval."""

from __future__ import annotations

import pytest
from sampled_array import ADDRESS, Counted
from simulator import NODE_UUID

from fakes.files import Text


def test_an_interval_shows_averages(counted: Counted) -> None:
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


def test_metric_is_the_last_whole_interval(counted: Counted) -> None:
    counted.use(counted.lun, reads=30)
    counted.sample(15)
    counted.now += 15
    metric = counted.array.get(f"storage/luns/{counted.lun}?fields=metric")["metric"]
    assert (metric["iops"]["read"], metric["duration"]) == (2, "PT15S")


def test_the_interval_sets_the_length_of_the_history(counted: Counted) -> None:
    for _ in range(3):
        counted.use(counted.lun, reads=300)
        counted.sample(300)
    path = f"storage/volumes/{counted.array.get('storage/volumes')['records'][0]['uuid']}/metrics"
    records = counted.array.get(f"{path}?interval=1d&fields=iops.read,duration")["records"]
    assert [(r["iops"]["read"], r["duration"]) for r in records] == [
        (0, "PT5M"),
        (1, "PT5M"),
        (1, "PT5M"),
    ]
    response = counted.array.call("GET", f"{path}?interval=2d")
    assert response.status_code == 400


def test_there_are_no_more_records_than_the_interval_holds(counted: Counted) -> None:
    counted.now += 99_990
    history = counted.array.get("cluster/metrics")
    assert history["num_records"] == 240


def test_ports_count_what_goes_through_them(counted: Counted) -> None:
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


def test_the_node_shows_its_processor_load(counted: Counted) -> None:
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
def test_lifs_and_services_have_a_history(counted: Counted, name: str) -> None:
    key = counted.lif if "ip" in name.split("/") else counted.svm
    counted.array.kernel.nftables.pass_packets("received", ADDRESS, 30, 122_880)
    counted.use(counted.lun, reads=30, sectors=8)
    counted.sample(15)
    counted.now += 15
    records = counted.array.get(f"{name}/{key}/metrics?fields=throughput")["records"]
    assert [record["throughput"]["read"] for record in records] == [0, 8192]
