"""Targets of each family of fabrics, as they lie in configfs on machines where they were tried."""

from __future__ import annotations

from dataclasses import replace

import pytest
from target_worlds import World, backstore, changes, converge, machine

from sanstone.kernel.target import configfs, fabrics, lio
from sanstone.kernel.target.addresses import (
    Address,
    InternetAddress,
    RdmaPortName,
    WorldWideName,
)

IQN = "iqn.2026-11.lab:iser"
HOST = "20:00:52:54:00:00:02:01"
WWN = WorldWideName("50:54:00:ff:fe:00:01:01", "50:54:00:ff:fe:00:01:01")
GID = RdmaPortName("fe80:0000:0000:0000:5054:00ff:fe00:0002")
FC = fabrics.PortFabric("fc", has_enable=False)
QLOGIC = fabrics.PortFabric("qla2xxx", group_attributes=(("generate_node_acls", "1", "0"),))
SRP = fabrics.PortFabric(
    "srpt",
    target_name="0x{digits}",
    initiator_name="0x0000000000000000{digits}",
    fabric_attributes=(("discovery_auth/rdma_cm_port", "0", "5555"),),
)


def world(fabric: fabrics.Fabric, group: fabrics.PortalGroup) -> World:
    """Return a world in which a target of a fabric exports a LUN to HOST."""
    assert group.address is not None
    name = fabric.target(IQN, group.address)
    acl = fabrics.Acl(HOST, luns={0: 0})
    group = replace(group, luns={0: "lun-vda"}, acls=(acl,))
    target = lio.ScsiTarget(name, fabric, (group,))
    return World(backstores=(backstore("vda"),), targets=(target,))


def steps_of(fabric: fabrics.Fabric, group: fabrics.PortalGroup) -> list[str]:
    """Return the changes that serve a group, without its backstore's and its attributes'."""
    steps = changes(World(backstores=(backstore("vda"),)), world(fabric, group))
    return [step for step in steps if "/attrib/" not in step and "/param/" not in step]


def test_fcp_over_tcm_fc_is_served_at_once() -> None:
    group = fabrics.PortalGroup(1, WorldWideName("10:00", "20:00:52:54:00:00:01:01"))
    target = "fc/20:00:52:54:00:00:01:01"
    assert steps_of(FC, group) == [
        "mkdir fc",
        f"mkdir {target}",
        f"mkdir {target}/tpgt_1",
        f"mkdir {target}/tpgt_1/lun/lun_0",
        f"link {target}/tpgt_1/lun/lun_0/lun-vda -> core/iblock_10/lun-vda",
        f"mkdir {target}/tpgt_1/acls/{HOST}",
        f"mkdir {target}/tpgt_1/acls/{HOST}/lun_0",
        f"link {target}/tpgt_1/acls/{HOST}/lun_0/lun_0 -> {target}/tpgt_1/lun/lun_0",
    ]


def test_srp_knows_ports_by_their_gid() -> None:
    steps = steps_of(SRP, fabrics.PortalGroup(1, GID, relative_port=7))
    target = "srpt/0xfe80000000000000505400fffe000002/tpgt_1"
    acl = f"{target}/acls/0x00000000000000002000525400000201"
    assert f"mkdir {target}" in steps
    assert steps[1] == "write srpt/discovery_auth/rdma_cm_port 5555"
    assert f"write {target}/rtpi 7" in steps
    assert f"mkdir {acl}" in steps
    assert f"link {acl}/lun_0/lun_0 -> {target}/lun/lun_0" in steps
    assert steps[-1] == f"write {target}/enable 1"


def test_a_port_admits_nobody_by_itself() -> None:
    group = fabrics.PortalGroup(1, WorldWideName("20:00", "21:00:00:24:ff:00:00:01"))
    steps = changes(World(), world(QLOGIC, group))
    assert any(step.endswith("tpgt_1/attrib/generate_node_acls 0") for step in steps)


def test_iser_is_a_portal_that_takes_rdma() -> None:
    group = fabrics.PortalGroup(1, InternetAddress("192.168.1.1", 3260), rdma=True)
    portal = f"iscsi/{IQN}/tpgt_1/np/192.168.1.1:3260"
    assert steps_of(fabrics.ISCSI, group)[-2:] == [f"mkdir {portal}", f"write {portal}/iser 1"]


@pytest.mark.parametrize(
    ("fabric", "address"),
    [(FC, WWN), (QLOGIC, WWN), (SRP, GID)],
    ids=["fc", "qla2xxx", "srpt"],
)
def test_exports_are_read_back(fabric: fabrics.PortFabric, address: Address) -> None:
    kernel = machine()
    desired = world(fabric, fabrics.PortalGroup(1, address, relative_port=7))
    assert converge(kernel, desired) == []
    live = lio.read(kernel.host, [fabric])
    assert configfs.plan(live, lio.render(desired.backstores, desired.targets)) == []
    for step in configfs.plan(live, configfs.Tree()):
        step.run(kernel.host)
    assert kernel.host.files.listdir(fabric.path.rpartition("/")[0]) == ["core", "dbroot"]


BASE = "21:00:00:24:ff:00:00:01"
OWN = fabrics.PortFabric("qla2xxx")
VIRTUAL = fabrics.PortFabric(
    "qla2xxx_npiv", target_name="{base}@{digits}:{node_digits}", virtual_of="qla2xxx"
)


def at_port(relative_port: int, *, virtual: bool = True) -> configfs.Tree:
    """Return the tree of a port's own target, and of a virtual port's at it."""
    own = fabrics.PortalGroup(1, relative_port=relative_port)
    address = WorldWideName("30:00:00:00:00:00:00:01", "30:00:00:00:00:00:00:02", BASE)
    group = fabrics.PortalGroup(1, address, relative_port=7)
    targets = [lio.ScsiTarget(BASE, OWN, (own,))]
    name = VIRTUAL.target("", address)
    assert name == f"{BASE}@3000000000000002:3000000000000001"
    if virtual:
        targets.append(lio.ScsiTarget(name, VIRTUAL, (group,)))
    return lio.render([], targets)


def test_a_virtual_port_goes_before_anything_is_done_to_its_port() -> None:
    steps = [step.text for step in configfs.plan(at_port(1), configfs.Tree())]
    of_virtual = [at for at, text in enumerate(steps) if "qla2xxx_npiv/" in text]
    of_port = [at for at, text in enumerate(steps) if "qla2xxx/" in text]
    assert len(of_virtual) == len(of_port) == 3
    assert max(of_virtual) < min(of_port)


def test_a_recreated_port_takes_its_virtual_ports_along() -> None:
    steps = [step.text for step in configfs.plan(at_port(1), at_port(2))]
    disabled = next(at for at, text in enumerate(steps) if "qla2xxx/" in text)
    removed = [text for text in steps[:disabled] if text.startswith("rmdir")]
    assert [("qla2xxx_npiv/" in text) for text in removed] == [True, True]
    assert sum("mkdir" in text and "qla2xxx_npiv/" in text for text in steps[disabled:]) == 2


def test_a_port_stays_whose_virtual_port_cannot_be_removed() -> None:
    steps = configfs.plan(at_port(1), configfs.Tree())
    disabled = next(step for step in steps if "qla2xxx/" in step.text)
    removed = {step.path for step in steps if step.text.startswith("rmdir")}
    assert {path for path in disabled.needs if "@" in path} <= removed
    assert disabled.needs


def test_a_virtual_port_goes_alone() -> None:
    steps = configfs.plan(at_port(1), at_port(1, virtual=False))
    assert steps
    assert all("qla2xxx_npiv" in step.text for step in steps)
    assert not any("qla2xxx/" in step.text for step in steps)
