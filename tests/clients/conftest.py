"""An array for NetApp's clients: a process that serves one in memory over TLS.

The clients and the product need different versions of one library, so each has a virtualenv of its
own: tests run in that of the clients, the array in the one that `SANSTONE_PYTHON` names.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from netapp_ontap import config, resources
from netapp_ontap.host_connection import HostConnection
from python_client import GIB, HOST_IQN, MIB, SVM, created

REPOSITORY = Path(__file__).parents[2]
USER, PASSWORD = "admin", "a password"


@dataclass(frozen=True)
class Served:
    """Where the array answers."""

    port: int
    certificate: Path

    @property
    def host(self) -> str:
        """The address to connect to."""
        return "127.0.0.1"


def product_python() -> str:
    """Return the Python of the virtualenv that the product runs in."""
    return os.environ.get("SANSTONE_PYTHON", str(REPOSITORY / "output/venv/bin/python"))


@contextmanager
def served(folder: Path, *options: str) -> Iterator[Served]:
    """Serve an array as it was delivered, with eight empty disks; see `serve` for options."""
    parts = ("api", "board", "tests", "tests/unit", "tests/contract")
    with subprocess.Popen(
        [product_python(), str(Path(__file__).with_name("serve.py")), str(folder), *options],
        env=os.environ | {"PYTHONPATH": ":".join(str(REPOSITORY / part) for part in parts)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield Served(int(server.stdout.readline()), folder / "tls.crt")
        server.stdin.close()
    assert server.returncode == 0


@pytest.fixture(scope="module")
def array(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """An array; the tests of a module share it."""
    with served(tmp_path_factory.mktemp("array")) as server:
        yield server


@pytest.fixture(scope="module")
def connection(array: Served) -> Iterator[HostConnection]:
    """The client's connection to the array."""
    options = {"username": USER, "password": PASSWORD, "verify": False, "poll_interval": 1}
    with HostConnection(array.host, port=array.port, **options) as connection:
        config.CONNECTION = connection
        yield connection
    config.CONNECTION = None


@pytest.fixture(scope="module")
def aggregate(connection: HostConnection) -> Any:
    """An aggregate."""
    primary = {"disk_count": 6, "raid_type": "raid_dp"}
    return created(resources.Aggregate, name="aggr1", block_storage={"primary": primary})


@pytest.fixture(scope="module")
def svm(aggregate: Any) -> Any:
    """An SVM with both services."""
    return created(
        resources.Svm,
        name="svm1",
        aggregates=[{"name": aggregate.name}],
        iscsi={"enabled": True},
        nvme={"enabled": True},
    )


@pytest.fixture(scope="module")
def volume(svm: Any) -> Any:
    """A volume."""
    return created(
        resources.Volume, name="vol1", svm=SVM, aggregates=[{"name": "aggr1"}], size=2 * GIB
    )


@pytest.fixture
def lun(volume: Any) -> Iterator[Any]:
    """A LUN of the test's own."""
    space = {"size": 64 * MIB}
    lun = created(resources.Lun, name="/vol/vol1/lun1", svm=SVM, os_type="linux", space=space)
    yield lun
    lun.delete(allow_delete_while_mapped=True)


@pytest.fixture
def igroup(svm: Any) -> Iterator[Any]:
    """An igroup of the test's own."""
    members = [{"name": HOST_IQN}]
    igroup = created(
        resources.Igroup,
        name="group1",
        svm=SVM,
        os_type="linux",
        protocol="iscsi",
        initiators=members,
    )
    yield igroup
    igroup.delete(allow_delete_while_mapped=True)
