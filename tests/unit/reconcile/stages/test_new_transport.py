"""A transport that is one file more in `protocols/` is served by the stages as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from scenarios import (
    HOST_IQN,
    aggregate,
    chain,
    iscsi,
    lifs,
    lun,
    lun_map,
    svm,
    volume,
)
from simulator import NODE_UUID, Simulator, simulated

from sanstone import protocols
from sanstone.core.store import writing
from sanstone.kernel.target.addresses import WorldWideName
from sanstone.model.san import FcpService
from sanstone.protocols import PROTOCOLS, Protocol
from sanstone.reconcile.served_endpoint import ServedEndpoint
from sanstone.reconcile.stages import endpoints
from sanstone.reconcile.turn import Turn
from sanstone.resources.network.service_policies import SERVICE_POLICIES

SRP = Protocol(
    name="srp",
    family="scsi",
    service="data_srp",
    allowed_by="fcp",
    kernel_name="srpt",
    addressing="wwn",
    target_name="0xfe80000000000000{digits}",
    initiator_name="0x0000000000000000{digits}",
    modules=("ib_srpt",),
)
HOST = "50:54:00:ff:fe:00:02:01"
PORT = WorldWideName("50:54:00:ff:fe:00:01:01", "50:54:00:ff:fe:00:01:01")
CONFIGFS = "/sys/kernel/config"


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array without anything."""
    with simulated(tmp_path) as simulator:
        yield simulator


@pytest.fixture
def knows(monkeypatch: pytest.MonkeyPatch) -> Callable[[Protocol], None]:
    """Have the array know a transport more."""

    def know(protocol: Protocol) -> None:
        monkeypatch.setattr(protocols, "PROTOCOLS", (*PROTOCOLS, protocol))
        for policy in protocol.policies:
            offered = (*SERVICE_POLICIES[policy], protocol.service)
            monkeypatch.setitem(SERVICE_POLICIES, policy, offered)

    return know


def settled(array: Simulator) -> str:
    """Return what the targets hold, which a turn that reads everything anew leaves as it is."""
    before = array.kernel.configfs.dump()
    array.reconciler.verify_all()
    array.settle()
    assert array.kernel.configfs.dump() == before
    return before.replace(f"{CONFIGFS}/", "")


def test_srp_is_a_target_of_its_own_for_initiators_by_their_port(
    array: Simulator, knows: Callable[[Protocol], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    knows(SRP)
    array.kernel.host.commands.run(["modprobe", *SRP.modules])
    chain(aggregate, svm, volume, lifs, iscsi, lun)(array)
    uuid = array.get("svm/svms?name=svm1")["records"][0]["uuid"]
    endpoint = ServedEndpoint(NODE_UUID, 77, SRP, PORT, uuid, "", "network/fc/interfaces:1", True)
    of_family = endpoints.of_family

    def with_port(turn: Turn, family: str) -> list[ServedEndpoint]:
        return [*of_family(turn, family), *([endpoint] if family == "scsi" else [])]

    monkeypatch.setattr(endpoints, "of_family", with_port)
    with writing(array.database) as session:
        session.add(FcpService(svm_uuid=uuid))
    body = {"svm.name": "svm1", "name": "group1", "os_type": "linux"}
    array.do("POST", "protocols/san/igroups", body | {"initiators": [HOST, HOST_IQN]})
    lun_map(array)
    array.reconciler.verify_all()
    array.settle()
    served = settled(array)
    group = "target/srpt/0xfe80000000000000505400fffe000101/tpgt_1"
    acl = f"{group}/acls/0x0000000000000000505400fffe000201"
    assert f"{group}/rtpi = 0x4d" in served
    assert f"{group}/enable = 1" in served
    assert f"{acl}/lun_0/lun_1 -> {group}/lun/lun_1" in served
    acls = {line for line in served.splitlines() if line.rpartition("/")[0].endswith("/acls")}
    iscsi_acls = {line for line in acls if line.startswith("target/iscsi/")}
    assert acls - iscsi_acls == {acl}
    assert {line.rpartition("/")[2] for line in iscsi_acls} == {HOST_IQN}
