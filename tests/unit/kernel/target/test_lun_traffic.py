"""LIO counts the I/O of initiators at a LUN."""

from __future__ import annotations

from target_worlds import World, backstore, converge, machine

from fakes.items import Item
from sanstone.kernel.target import fabrics, lio, lun_traffic
from sanstone.kernel.target.addresses import WorldWideName
from sanstone.kernel.target.lun_traffic import LunTraffic

FABRIC = fabrics.PortFabric("fc", has_enable=False)
PORT = WorldWideName("20:00:00:24:ff:00:00:01", "21:00:00:24:ff:00:00:01")
GROUP = f"{FABRIC.path}/{PORT.port}/tpgt_1"


def test_bytes_are_counted_in_mebibytes() -> None:
    kernel = machine()
    group = fabrics.PortalGroup(1, PORT, {1: "lun-vda"})
    target = lio.ScsiTarget(PORT.port, FABRIC, (group,))
    assert converge(kernel, World(backstores=(backstore("vda"),), targets=(target,))) == []
    assert lun_traffic.of_lun(kernel.host, GROUP, 1) == LunTraffic(0, 0, 0)
    table: Item = kernel.configfs.lio
    for name in f"fc/{PORT.port}/tpgt_1/lun/lun_1/statistics/scsi_tgt_port".split("/"):
        table = table.children[name]
    table.values |= {"in_cmds": "9", "read_mbytes": "1", "write_mbytes": "2"}
    assert lun_traffic.of_lun(kernel.host, GROUP, 1) == LunTraffic(9, 1 << 20, 2 << 20)


def test_a_lun_that_is_not_exported_has_none() -> None:
    kernel = machine()
    assert lun_traffic.of_lun(kernel.host, GROUP, 1) is None
    for path in (FABRIC.path, f"{FABRIC.path}/{PORT.port}", GROUP, f"{GROUP}/lun/lun_1"):
        kernel.host.files.mkdir(path)
    assert lun_traffic.of_lun(kernel.host, GROUP, 1) is None
