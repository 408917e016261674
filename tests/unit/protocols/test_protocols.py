"""The facts of the transports."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

import pytest

import sanstone.protocols
from sanstone.model.network import FC_NVME, FCP
from sanstone.protocols import IWARP, PROTOCOLS, ROCE, Protocol, offered
from sanstone.resources.cluster.svm import PROTOCOLS as ALLOWED_BY
from sanstone.rules.network.service_policies import SERVICE_POLICIES


def test_the_transports_are_found() -> None:
    names = [protocol.name for protocol in PROTOCOLS]
    fibre_channel = ["fcp_efct", "fcp_fcoe", "fcp_qla2xxx", "nvme_fc"]
    fibre_channel += ["fcp_efct_npiv", "fcp_qla2xxx_npiv"]
    assert names == sorted([*fibre_channel, "iscsi", "iser", "nvme_rdma", "nvme_tcp", "srp"])


def test_ports_are_those_that_hosts_try_first() -> None:
    at_addresses = (protocol for protocol in PROTOCOLS if protocol.addressing == "ip")
    ports = {protocol.name: (protocol.port, protocol.discovery_port) for protocol in at_addresses}
    over_tcp = {"iscsi": (3260, None), "nvme_tcp": (4420, 8009)}
    assert ports == over_tcp | {"iser": (3260, None), "nvme_rdma": (4420, None)}


def test_rdma_transports_are_offered_at_lifs_with_rdma() -> None:
    services = ("data_iscsi", "data_nvme_tcp")
    names = {each.name for each in offered(services, ROCE)}
    assert names == {"iscsi", "iser", "nvme_rdma", "nvme_tcp"}
    assert {each.name for each in offered(services, rdma="")} == {"iscsi", "nvme_tcp"}
    assert {each.name for each in offered(("data_iscsi",), ROCE)} == {"iscsi", "iser"}


def test_iwarp_takes_the_place_of_tcp_at_a_port() -> None:
    services = ("data_iscsi", "data_nvme_tcp", "data_srp")
    assert {each.name for each in offered(services, IWARP)} == {"iscsi", "nvme_rdma"}


def test_a_transport_without_endpoints_names_one_with_them() -> None:
    names = {each.name for each in PROTOCOLS if not each.beside}
    assert {each.beside for each in PROTOCOLS if each.beside} <= names


def test_a_transport_of_virtual_ports_names_that_of_their_ports() -> None:
    for each in PROTOCOLS:
        if each.virtual_of:
            base = next(other for other in PROTOCOLS if other.name == each.virtual_of)
            facts = ("service", "public_name", "drivers", "modules", "addressing")
            assert [getattr(each, name) for name in facts] == [getattr(base, n) for n in facts]


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_an_interface_can_offer_it_and_an_svm_can_allow_it(protocol: Protocol) -> None:
    offers = [*SERVICE_POLICIES.values(), (FCP, FC_NVME)]
    assert any(protocol.service in services for services in offers)
    assert protocol.allowed_by in ALLOWED_BY


def test_a_new_file_is_a_new_transport(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sbp.py").write_text(
        "from sanstone.protocols import Protocol\n"
        "PROTOCOL = Protocol(name='sbp', family='scsi', service='data_sbp',\n"
        "    allowed_by='fcp', kernel_name='sbp', addressing='wwn', modules=('sbp_target',))\n"
    )
    monkeypatch.setattr(
        sanstone.protocols, "__path__", [*sanstone.protocols.__path__, str(tmp_path)]
    )
    names = {protocol.name for protocol in sanstone.protocols._discover()}
    monkeypatch.delitem(sys.modules, "sanstone.protocols.sbp")
    assert names == {protocol.name for protocol in PROTOCOLS} | {"sbp"}


_OVER_FCP = {"fcp_efct", "fcp_efct_npiv", "fcp_fcoe", "fcp_qla2xxx", "fcp_qla2xxx_npiv"}


@pytest.mark.parametrize(
    ("initiator", "reached"),
    [
        ("iqn.1994-05.com.redhat:host1", {"iscsi", "iser"}),
        ("eui.0123456789abcdef", {"iscsi", "iser"}),
        ("20:00:00:50:56:00:00:01", _OVER_FCP),
        ("0x0000000000000000505400fffe000201", {"srp"}),
    ],
)
def test_an_initiator_reaches_what_its_name_is_of(initiator: str, reached: set[str]) -> None:
    assert {each.name for each in PROTOCOLS if each.admits(initiator)} == reached


def test_every_file_is_a_transport() -> None:
    for info in pkgutil.iter_modules(sanstone.protocols.__path__):
        module = importlib.import_module(f"sanstone.protocols.{info.name}")
        assert module.PROTOCOL in PROTOCOLS
