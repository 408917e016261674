"""The facts of the transports."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

import pytest

import sanstone.protocols
from sanstone.protocols import PROTOCOLS, Protocol
from sanstone.resources.cluster.svm import PROTOCOLS as ALLOWED_BY
from sanstone.resources.network.service_policies import SERVICE_POLICIES


def test_both_transports_are_found() -> None:
    assert [protocol.name for protocol in PROTOCOLS] == ["iscsi", "nvme_tcp"]


def test_ports_are_those_that_hosts_try_first() -> None:
    ports = {protocol.name: (protocol.port, protocol.discovery_port) for protocol in PROTOCOLS}
    assert ports == {"iscsi": (3260, None), "nvme_tcp": (4420, 8009)}


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_a_lif_can_offer_it_and_an_svm_can_allow_it(protocol: Protocol) -> None:
    assert any(protocol.service in services for services in SERVICE_POLICIES.values())
    assert protocol.allowed_by in ALLOWED_BY


def test_a_new_file_is_a_new_transport(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nvme_rdma.py").write_text(
        "from sanstone.protocols import Protocol\n"
        "PROTOCOL = Protocol(name='nvme_rdma', family='nvme', service='data_nvme_rdma',\n"
        "    allowed_by='nvme', kernel_name='rdma', addressing='ip', port=4420,\n"
        "    modules=('nvmet_rdma',))\n"
    )
    monkeypatch.setattr(
        sanstone.protocols, "__path__", [*sanstone.protocols.__path__, str(tmp_path)]
    )
    found = {protocol.name for protocol in sanstone.protocols._discover()}
    monkeypatch.delitem(sys.modules, "sanstone.protocols.nvme_rdma")
    assert found == {"iscsi", "nvme_rdma", "nvme_tcp"}


def test_every_file_is_a_transport() -> None:
    for info in pkgutil.iter_modules(sanstone.protocols.__path__):
        module = importlib.import_module(f"sanstone.protocols.{info.name}")
        assert module.PROTOCOL in PROTOCOLS
