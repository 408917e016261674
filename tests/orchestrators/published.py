"""The host that volumes are published to, and the addresses at which it finds them."""

from __future__ import annotations

from typing import Any

import pytest
from netapp_ontap import resources
from python_client import SVM, created

IQN = "iqn.1994-05.com.redhat:node1"
NQN = "nqn.2014-08.org.nvmexpress:uuid:5a000000-0000-4000-8000-000000000001"
LIFS = {"10.10.1.5": "e0a", "10.10.2.5": "e0b"}
"""The port of each address."""


@pytest.fixture(scope="module")
def lifs(svm: Any) -> None:
    """Two LIFs of the SVM's."""
    for number, (address, port) in enumerate(LIFS.items()):
        created(
            resources.IpInterface,
            name=f"lif{number}",
            svm=SVM,
            ip={"address": address, "netmask": "24"},
            location={"home_port": {"name": port}},
            service_policy={"name": "default-data-blocks"},
        )


def sizes(kind: str) -> list[int]:
    """Return the sizes of the LUNs ("iscsi") or namespaces that are there, in bytes."""
    of = resources.Lun if kind == "iscsi" else resources.NvmeNamespace
    return sorted(each.space.size for each in of.get_collection(fields="space.size"))
