"""Cinder's own driver makes volumes, by iSCSI and by NVMe/TCP.

`CINDER` names the Python of a virtualenv with Cinder.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import PASSWORD, USER, Served, aggregate, array, connection, svm, volume
from netapp_ontap import resources
from published import IQN, LIFS, NQN, lifs, sizes
from python_client import GIB
from waiting import direct

__all__ = ["aggregate", "array", "connection", "lifs", "svm", "volume"]
PYTHON = os.environ.get("CINDER", "")
pytestmark = pytest.mark.skipif(not PYTHON, reason="CINDER= names no Python")
HOST = {"host": "node1", "multipath": True, "platform": "x86_64", "os_type": "linux"}
HOSTS = {
    "iscsi": HOST | {"initiator": IQN, "ip": "10.10.1.50"},
    "nvme": HOST | {"nqn": NQN, "ip": "10.10.1.50"},
}


def configuration(array: Served, folder: Path, kind: str) -> Path:
    """Write the stanza that the array's documentation shows, with its own address."""
    settings = {
        "volume_backend_name": "sanstone",
        "volume_driver": "cinder.volume.drivers.netapp.common.NetAppDriver",
        "netapp_storage_family": "ontap_cluster",
        "netapp_storage_protocol": kind,
        "netapp_server_hostname": array.host,
        "netapp_server_port": array.port,
        "netapp_transport_type": "https",
        "netapp_ssl_cert_path": array.certificate,
        "netapp_login": USER,
        "netapp_password": PASSWORD,
        "netapp_vserver": "svm1",
        "netapp_use_legacy_client": False,
        "netapp_allow_zapi_fallback": False,
        "netapp_lun_space_reservation": "disabled",
    }
    lines = ["[DEFAULT]", f"state_path = {folder}", "[oslo_concurrency]", f"lock_path = {folder}"]
    lines += ["[sanstone]", *(f"{name} = {value}" for name, value in settings.items())]
    file = folder / "cinder.conf"
    file.write_text("\n".join(lines) + "\n")
    return file


@contextmanager
def driven(array: Served, folder: Path, kind: str) -> Iterator[tuple[dict[str, Any], Any]]:
    """Run the driver until it has created all; yield its results, and its input, which ends it.

    A line on the input has it delete its objects.
    """
    program = str(Path(__file__).with_name("cinder_driver.py"))
    words = [PYTHON, program, str(configuration(array, folder, kind)), json.dumps(HOSTS[kind])]
    pipe = subprocess.PIPE
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(words, env=direct(), stdin=pipe, stdout=pipe, stderr=log) as process,
    ):
        assert process.stdin is not None and process.stdout is not None
        results = {}
        for line in process.stdout:
            results |= {step["step"]: step["result"] for step in [json.loads(line)]}
            if "created" in results:
                break
        assert "created" in results, (folder / "log").read_text()
        yield results, process.stdin
        process.stdin.close()
        rest = process.stdout.read().decode()
    assert "deleted" in rest, (folder / "log").read_text()


@pytest.mark.parametrize("kind", ["iscsi", "nvme"])
def test_life_of_a_volume(
    array: Served, volume: Any, lifs: None, tmp_path: Path, kind: str
) -> None:
    with driven(array, tmp_path, kind) as (results, go_on):
        assert results["pool"]["pool_name"] == "vol1"
        assert results["pool"]["netapp_aggregate"] == "aggr1"
        # The snapshot is a clone.
        assert sizes(kind) == [2 * GIB] * 4
        data = results["connection"]["data"]
        if kind == "iscsi":
            assert data["target_portals"] == [f"{address}:3260" for address in LIFS]
            [group] = resources.Igroup.get_collection(fields="initiators")
            assert [each.name for each in group.initiators] == [IQN]
        else:
            assert [portal[0] for portal in data["portals"]] == list(LIFS)
            [subsystem] = resources.NvmeSubsystem.get_collection(fields="target_nqn,hosts")
            assert data["target_nqn"] == subsystem.target_nqn
        go_on.write(b"delete\n")
    assert sizes(kind) == []
