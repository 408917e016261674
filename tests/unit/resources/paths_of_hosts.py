"""An SVM with hosts that have paths, and observations of them."""

from __future__ import annotations

from typing import Any

from in_process import Array

PATHS, IGROUPS = "protocols/san/paths", "protocols/san/igroups"
HOST, OTHER = "iqn.1994-05.com.example:host1", "iqn.1994-05.com.example:host2"


def lif(api: Array, name: str, address: str, svm: str = "svm1") -> str:
    """Make a LIF that is up; return its UUID."""
    body = {"name": name, "svm.name": svm, "ip.address": address, "ip.netmask": 24}
    created = api.make("network/ip/interfaces", body | {"location.home_port.name": "e0a"})
    api.observe("network/ip/interfaces", created["uuid"], state="up", present=True)
    return str(created["uuid"])


def add_paths(api: Array) -> None:
    """Make an SVM with two LIFs, and a LUN that is mapped to an igroup of HOST."""
    api.disks(4)
    api.aggregate()
    api.svm(iscsi={"enabled": True}, nvme={"enabled": True})
    api.observe("network/ethernet/ports", "e0a", mtu=1500, up=True, carrier=True, kind="")
    lif(api, "lif1", "10.10.1.1")
    lif(api, "lif2", "10.10.1.2")
    api.volume()
    api.lun()
    hosts = {"name": "hosts", "svm.name": "svm1", "os_type": "linux"}
    api.make(IGROUPS, hosts | {"initiators": [{"name": HOST, "comment": "web1"}]})
    names = {"lun.name": "/vol/vol1/lun1", "igroup.name": "hosts", "svm.name": "svm1"}
    api.make("protocols/san/lun-maps", names)


def paths(api: Array, query: str = "") -> list[dict[str, Any]]:
    """Return the paths with all their fields."""
    return api.records(f"{PATHS}?fields=**{query}")


def see(api: Array, path: dict[str, Any], *, connected: bool) -> None:
    """Let the reconciler have seen a host by a path."""
    key = f"{path['svm']['uuid']}/{path['uuid']}"
    facts = {"alias": "", "addresses": ["10.10.1.100"]}
    api.observe(PATHS, key, connected=connected, since=5000.0, **facts)
