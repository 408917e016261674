"""Harvest's own poller reads figures, space and states, with the files that the array serves.

`HARVEST` names a tree of its source in which `go build -o bin/poller ./cmd/poller` has run: nobody
packs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml
from conftest import REPOSITORY, Served, aggregate, array, connection, svm, volume
from netapp_ontap import resources
from python_client import MIB, SVM, created
from waiting import direct, free_port, until

__all__ = ["aggregate", "array", "connection", "svm", "volume"]
TREE = os.environ.get("HARVEST", "")
pytestmark = pytest.mark.skipif(not TREE, reason="HARVEST= names no tree")
FILES = REPOSITORY / "overlay/usr/share/sanstone/docs/monitoring"
ACCOUNT = ("harvest", "a pass word 1")
WANTED = {
    "aggr_space_used_percent",
    "disk_usable_size",
    "lun_read_ops",
    "lun_size",
    "node_volume_total_ops",
    "svm_labels",
    "volume_avg_latency",
    "volume_size_available",
}


@pytest.fixture(scope="module")
def account(volume: Any) -> None:
    """An account that only reads, and a LUN."""
    name, password = ACCOUNT
    application = {"application": "http", "authentication_methods": ["password"]}
    body = {"name": name, "password": password, "role": {"name": "readonly"}}
    created(resources.Account, **body, applications=[application])
    space = {"size": 64 * MIB}
    created(resources.Lun, name="/vol/vol1/lun1", svm=SVM, os_type="linux", space=space)


def settings(array: Served, port: int) -> dict[str, Any]:
    """Return the array's example of a configuration, with the array's own address."""
    configuration: dict[str, Any] = yaml.safe_load((FILES / "harvest.yml").read_text())
    configuration["Exporters"]["prometheus"] |= {"port": port, "local_http_addr": "127.0.0.1"}
    poller = configuration["Pollers"]["array"]
    poller |= {"addr": f"{array.host}:{array.port}", "ca_cert": str(array.certificate)}
    poller |= dict(zip(("username", "password"), ACCOUNT, strict=True))
    return configuration


@pytest.fixture
def metrics(array: Served, account: None, tmp_path: Path) -> Iterator[str]:
    """The address at which a running poller serves its metrics."""
    shutil.copytree(Path(TREE) / "conf", tmp_path / "conf")
    for kind in ("rest", "keyperf"):
        shutil.copy(FILES / f"harvest-{kind}.yml", tmp_path / "conf" / kind / "sanstone.yaml")
    port = free_port()
    (tmp_path / "harvest.yml").write_text(yaml.safe_dump(settings(array, port)))
    words = [str(Path(TREE) / "bin/poller"), "--poller", "array", "--confpath", "conf"]
    words += ["--config", str(tmp_path / "harvest.yml"), "--promPort", str(port)]
    own = direct() | {"HARVEST_CONF": str(tmp_path)}
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen(words, cwd=tmp_path, env=own, stdout=log, stderr=log) as process,
    ):
        yield f"http://127.0.0.1:{port}/metrics"
        process.terminate()


def test_it_reads_the_figures_of_its_dashboards(metrics: str, tmp_path: Path) -> None:
    session = requests.Session()
    session.trust_env = False

    def read() -> set[str]:
        with suppress(requests.ConnectionError):
            lines = session.get(metrics, timeout=60).text.splitlines()
            return {line.partition("{")[0] for line in lines}
        return set()

    # The first rates come with the second look, a minute later.
    until(lambda: read() >= WANTED, lambda: (tmp_path / "log").read_text())
