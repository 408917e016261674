"""Traffic of Fibre Channel ports, and hosts' I/O at interfaces, is counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scenarios import aggregate, chain, lun, svm, volume
from simulator import Simulator, simulated

from fakes.lio_groups import LunTraffic
from sanstone.kernel import names
from sanstone.reconcile.tasks.sampler import Sampler

NOW = 1_800_014_400.0
MIB = 2**20
PORTS, INTERFACES = "network/fc/ports", "network/fc/interfaces"
SERVICES = "protocols/san/fcp/services"
LUN = "target/qla2xxx/21:00:00:24:ff:00:00:01/tpgt_1/lun/lun_1/statistics/scsi_tgt_port"


def serve(array: Simulator) -> None:
    """Map a LUN at a Fibre Channel interface."""
    array.kernel.fibre_channel.plug()
    array.settle()
    chain(aggregate, svm, volume, lun)(array)
    array.make(SERVICES, {"svm.name": "svm1"})
    igroup = {"svm.name": "svm1", "name": "group1", "os_type": "linux", "protocol": "fcp"}
    host = {"initiators": ["20:00:00:50:56:00:00:01"]}
    array.do("POST", "protocols/san/igroups", igroup | host)
    mapped = {"svm.name": "svm1", "lun.name": "/vol/vol1/lun1", "igroup.name": "group1"}
    array.do("POST", "protocols/san/lun-maps", mapped)
    body = {"svm.name": "svm1", "name": "fc1", "data_protocol": "fcp"}
    array.make(INTERFACES, body | {"location.home_port.name": "0000:03:00.0"})


class Fabric:
    """An array with a LUN that is mapped at a Fibre Channel interface, and its sampler."""

    def __init__(self, array: Simulator) -> None:
        self.array, self.adapters = array, array.kernel.fibre_channel
        self.start()
        self.now = NOW
        self.sample()

    def start(self) -> None:
        """Start the sampler anew."""
        self.sampler = Sampler(self.array.kernel.host, self.array.database)

    def sample(self) -> None:
        """Take a sample, 15 seconds after the last."""
        self.sampler.sample(self.now)
        self.now += 15

    def use(self, commands: int, read: int, written: int, path: str = LUN) -> None:
        """Let a host have done so much with the LUN, in mebibytes."""
        (record,) = self.array.get("storage/luns")["records"]
        self.array.kernel.mapper.do_io(names.device(record["uuid"]), reads=1, sectors=8)
        table = self.array.kernel.configfs.root
        for name in path.split("/"):
            table = table.children[name]
        assert isinstance(table, LunTraffic)
        counters = {"in_cmds": commands, "read_mbytes": read, "write_mbytes": written}
        table.values |= {name: str(value) for name, value in counters.items()}

    def record(self, path: str) -> dict[str, Any]:
        """Return the one object of a collection, with its statistics."""
        (record,) = self.array.get(f"{path}?fields=statistics,metric")["records"]
        return dict(record)


@pytest.fixture
def fabric(tmp_path: Path) -> Iterator[Fabric]:
    """The array."""
    with simulated(tmp_path, serve) as array:
        yield Fabric(array)


def test_a_port_has_the_frames_and_bytes_of_its_driver(fabric: Fabric) -> None:
    fabric.adapters.count(1, tx_frames=5, rx_frames=7, tx_words=512, rx_words=256)
    fabric.sample()
    statistics = fabric.record(PORTS)["statistics"]
    assert statistics["iops_raw"] == {"read": 5, "write": 7, "other": 0, "total": 12}
    assert statistics["throughput_raw"] == {"read": 2048, "write": 1024, "other": 0, "total": 3072}


def test_a_port_without_counters_for_a_while_keeps_its_totals(fabric: Fabric) -> None:
    fabric.adapters.count(1, tx_words=512)
    fabric.sample()
    fabric.adapters.count(1, tx_words=2**64 - 1)
    fabric.sample()
    fabric.adapters.count(1, tx_words=768)
    fabric.sample()
    assert fabric.record(PORTS)["statistics"]["throughput_raw"]["read"] == 3072


def test_a_port_whose_driver_does_not_count_has_no_figures(fabric: Fabric) -> None:
    fabric.adapters.plug("efct", **{"statistics/rx_words": hex(2**64 - 1)})
    fabric.array.settle()
    fabric.sample()
    _, record = fabric.array.get(f"{PORTS}?fields=statistics,metric")["records"]
    assert "statistics" not in record
    assert "metric" not in record


def test_an_interface_and_the_service_have_what_hosts_do(fabric: Fabric) -> None:
    assert fabric.record(INTERFACES)["statistics"]["throughput_raw"]["total"] == 0
    fabric.use(10, 1, 1)
    fabric.sample()
    fabric.use(30, 3, 2)
    fabric.sample()
    for path in (INTERFACES, SERVICES):
        statistics = fabric.record(path)["statistics"]
        assert statistics["iops_raw"] == {"read": 0, "write": 0, "other": 30, "total": 30}
        assert statistics["throughput_raw"]["read"] == 3 * MIB
        assert statistics["throughput_raw"]["write"] == 2 * MIB


def test_a_virtual_port_has_figures_of_its_own(fabric: Fabric) -> None:
    body = {"svm.name": "svm1", "name": "fc2", "data_protocol": "fcp"}
    created = fabric.array.make(INTERFACES, body | {"location.home_port.name": "0000:03:00.0"})
    fabric.sample()
    names = ":".join(created[name].replace(":", "") for name in ("wwpn", "wwnn"))
    virtual = LUN.replace("qla2xxx/", "qla2xxx_npiv/").replace("/tpgt_1", f"@{names}/tpgt_1")
    fabric.use(30, 3, 2, virtual)
    fabric.sample()
    query = f"{INTERFACES}?fields=statistics&order_by=name"
    iops = [each["statistics"]["iops_raw"] for each in fabric.array.get(query)["records"]]
    assert [each["other"] for each in iops] == [0, 30]


def test_io_before_the_sampler_counts_for_nobody(fabric: Fabric) -> None:
    fabric.use(10, 5, 5)
    fabric.start()
    fabric.sample()
    fabric.use(20, 6, 5)
    fabric.sample()
    assert fabric.record(INTERFACES)["statistics"]["throughput_raw"]["total"] == MIB


def test_a_lun_that_is_exported_anew_is_counted_on(fabric: Fabric) -> None:
    fabric.use(10, 4, 0)
    fabric.sample()
    fabric.use(2, 1, 0)
    fabric.sample()
    assert fabric.record(INTERFACES)["statistics"]["throughput_raw"]["read"] == 5 * MIB


def test_an_interface_by_nvme_has_no_figures(fabric: Fabric) -> None:
    fabric.adapters.plug("lpfc")
    fabric.array.settle()
    fabric.array.do("POST", "protocols/nvme/services", {"svm.name": "svm1"})
    body = {"svm.name": "svm1", "name": "fc2", "data_protocol": "fc_nvme"}
    fabric.array.make(INTERFACES, body | {"location.home_port.name": "0000:03:00.1"})
    fabric.sample()
    (record,) = fabric.array.get(f"{INTERFACES}?name=fc2&fields=statistics")["records"]
    assert "statistics" not in record
