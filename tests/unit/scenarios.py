"""Changes of every resource that leads to kernel state, each from its own beginning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simulator import Chain, Simulator

MIB, GIB = 1024**2, 1024**3
PORTS = "network/ethernet/ports"
HOST_IQN = "iqn.1994-05.com.redhat:host1"
HOST_NQN = "nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5"
KEY = "DHHC-1:00:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:"


@dataclass(frozen=True)
class Scenario:
    """`change` is the one request that is interrupted; `before` leads to where it begins."""

    name: str
    before: Callable[[Simulator], None]
    change: Callable[[Simulator], None]
    least_steps: int = 1


def _uuid(array: Simulator, path: str, name: str) -> str:
    records = array.get(f"{path}?name={name}")["records"]
    assert len(records) == 1, records
    return str(records[0]["uuid"])


def nothing(_array: Simulator) -> None:
    """Begin with an array as it was delivered."""


def name_server(array: Simulator) -> None:
    """Have the array ask a name server."""
    array.do("PATCH", "cluster", {"name_servers": ["192.0.2.53"]})


def _rename_and_ask_others(array: Simulator) -> None:
    servers = {"name_servers": ["192.0.2.54"], "dns_domains": ["example.org"]}
    array.do("PATCH", "cluster", servers | {"name": "renamed"})


def time_server(array: Simulator) -> None:
    """Have the array ask a time server."""
    array.do("POST", "cluster/ntp/servers", {"server": "192.0.2.123"})


def _remove_time_server(array: Simulator) -> None:
    array.do("DELETE", "cluster/ntp/servers/192.0.2.123")


def management(array: Simulator) -> None:
    """Give the array a static address."""
    body = {
        "name": "mgmt1",
        "scope": "cluster",
        "ip": {"address": "192.0.2.10", "netmask": "24"},
        "location.home_port.name": "e0M",
        "service_policy": "default-management",
    }
    array.do("POST", "network/ip/interfaces", body)


def _way_out(array: Simulator) -> None:
    array.do("POST", "network/ip/routes", {"gateway": "192.0.2.1"})


def aggregate(array: Simulator) -> None:
    """Add an aggregate of six disks."""
    primary = {"disk_count": 6, "raid_type": "raid_dp"}
    array.do("POST", "storage/aggregates", {"name": "aggr1", "block_storage": {"primary": primary}})


def svm(array: Simulator) -> None:
    """Add an SVM."""
    array.do("POST", "svm/svms", {"name": "svm1"})


def lifs(array: Simulator) -> None:
    """Add a LIF on each data network, and a route."""
    for number, port in ((1, "e0a"), (2, "e0b")):
        _lif(array, f"lif{number}", port, f"10.10.{number}.1")


def _lif(array: Simulator, name: str, port: str, address: str) -> None:
    body = {
        "svm.name": "svm1",
        "name": name,
        "ip": {"address": address, "netmask": "24"},
        "location.home_port.name": port,
        "service_policy": "default-data-blocks",
    }
    array.do("POST", "network/ip/interfaces", body)


def lag(array: Simulator) -> None:
    """Add a LAG of two ports."""
    body = {"lag.mode": "multimode", "lag.distribution_policy": "ip", "mtu": 9000}
    array.do("POST", PORTS, body | {"lag.member_ports": ["e0c", "e0d"]})


def vlan(array: Simulator) -> None:
    """Add a VLAN on the LAG."""
    array.do("POST", PORTS, {"vlan.base_port.name": "a0a", "vlan.tag": 1092})


def lif_on_vlan(array: Simulator) -> None:
    """Add a LIF on the VLAN."""
    _lif(array, "lif9", "a0a-1092", "10.10.9.1")


def volume(array: Simulator) -> None:
    """Add a volume."""
    body = {"svm.name": "svm1", "name": "vol1", "size": 2 * GIB, "aggregates": [{"name": "aggr1"}]}
    array.do("POST", "storage/volumes", body)


def lun(array: Simulator) -> None:
    """Add a LUN."""
    _lun(array, "lun1")


def _lun(array: Simulator, name: str) -> None:
    path = f"/vol/vol1/{name}"
    body = {"svm.name": "svm1", "name": path, "os_type": "linux", "space.size": 64 * MIB}
    array.do("POST", "storage/luns", body)


def namespace(array: Simulator) -> None:
    """Add a namespace."""
    path = "/vol/vol1/ns1"
    body = {"svm.name": "svm1", "name": path, "os_type": "linux", "space.size": 64 * MIB}
    array.do("POST", "storage/namespaces", body)


def iscsi(array: Simulator) -> None:
    """Add the iSCSI service."""
    array.do("POST", "protocols/san/iscsi/services", {"svm.name": "svm1"})


def nvme(array: Simulator) -> None:
    """Add the NVMe service."""
    array.do("POST", "protocols/nvme/services", {"svm.name": "svm1"})


def igroup(array: Simulator) -> None:
    """Add an igroup with a host."""
    body = {"svm.name": "svm1", "name": "group1", "os_type": "linux", "protocol": "iscsi"}
    array.do("POST", "protocols/san/igroups", body | {"initiators": [{"name": HOST_IQN}]})


def subsystem(array: Simulator) -> None:
    """Add a subsystem with a host."""
    body = {"svm.name": "svm1", "name": "sub1", "os_type": "linux", "hosts": [{"nqn": HOST_NQN}]}
    array.do("POST", "protocols/nvme/subsystems", body)


def lun_map(array: Simulator) -> None:
    """Map the LUN."""
    body = {"svm.name": "svm1", "lun.name": "/vol/vol1/lun1", "igroup.name": "group1"}
    array.do("POST", "protocols/san/lun-maps", body)


def subsystem_map(array: Simulator) -> None:
    """Map the namespace."""
    body = {"svm.name": "svm1", "namespace.name": "/vol/vol1/ns1", "subsystem.name": "sub1"}
    array.do("POST", "protocols/nvme/subsystem-maps", body)


def chain(*steps: Callable[[Simulator], None]) -> Chain:
    """Return one function that does all."""
    return Chain(steps)


tagged = chain(svm, lag, vlan, lif_on_vlan)
pool = chain(aggregate, svm, volume)
mapped_lun = chain(svm, volume, lifs, iscsi, lun, igroup, lun_map)
san = chain(aggregate, mapped_lun)
fabric = chain(pool, lifs, nvme, namespace, subsystem, subsystem_map)
served_twice = chain(fabric, iscsi)


def patch(path: str, name: str, body: dict[str, object]) -> Callable[[Simulator], None]:
    """Return a change of one object."""

    def change(array: Simulator) -> None:
        array.do("PATCH", f"{path}/{_uuid(array, path, name)}", body)

    return change


def delete(path: str, name: str, options: str = "") -> Callable[[Simulator], None]:
    """Return the deletion of one object."""

    def change(array: Simulator) -> None:
        array.do("DELETE", f"{path}/{_uuid(array, path, name)}{options}")

    return change


lag_without_members = chain(tagged, patch(PORTS, "a0a", {"lag.member_ports": []}))


def _chap(array: Simulator) -> None:
    svm_uuid = _uuid(array, "svm/svms", "svm1")
    chap = {"inbound": {"user": "host1", "password": "secret-of-host"}}
    body = {"authentication_type": "chap", "chap": chap}
    array.do("PATCH", f"protocols/san/iscsi/credentials/{svm_uuid}/default", body)


def _hosts(array: Simulator) -> str:
    return f"protocols/nvme/subsystems/{_uuid(array, 'protocols/nvme/subsystems', 'sub1')}/hosts"


def _remove_host(array: Simulator) -> None:
    array.do("DELETE", f"{_hosts(array)}/{HOST_NQN}")


def _add_host_with_key(array: Simulator) -> None:
    body = {"nqn": HOST_NQN, "dh_hmac_chap": {"host_secret_key": KEY}}
    array.do("POST", _hosts(array), body)


def _add_initiator(array: Simulator) -> None:
    uuid = _uuid(array, "protocols/san/igroups", "group1")
    array.do("POST", f"protocols/san/igroups/{uuid}/initiators", {"name": f"{HOST_IQN}-2"})


def _unmap_lun(array: Simulator) -> None:
    lun_uuid = _uuid(array, "storage/luns", "/vol/vol1/lun1")
    group = _uuid(array, "protocols/san/igroups", "group1")
    array.do("DELETE", f"protocols/san/lun-maps/{lun_uuid}/{group}")


def portset(array: Simulator) -> None:
    """Add a portset with one of the LIFs."""
    body = {"svm.name": "svm1", "name": "ports1", "interfaces": [{"ip": {"name": "lif1"}}]}
    array.do("POST", "protocols/san/portsets", body)


def _widen_portset(array: Simulator) -> None:
    uuid = _uuid(array, "protocols/san/portsets", "ports1")
    array.do("POST", f"protocols/san/portsets/{uuid}/interfaces", {"ip": {"name": "lif2"}})


def outer_igroup(array: Simulator) -> None:
    """Add an igroup that holds none yet, and a LUN that is mapped to it."""
    body = {"svm.name": "svm1", "name": "outer", "os_type": "linux", "protocol": "iscsi"}
    array.do("POST", "protocols/san/igroups", body)
    _lun(array, "lun2")
    body = {"svm.name": "svm1", "lun.name": "/vol/vol1/lun2", "igroup.name": "outer"}
    array.do("POST", "protocols/san/lun-maps", body | {"logical_unit_number": 2})


def _nest(array: Simulator) -> None:
    uuid = _uuid(array, "protocols/san/igroups", "outer")
    array.do("POST", f"protocols/san/igroups/{uuid}/igroups", {"name": "group1"})


def _snapshots(array: Simulator, volume: str = "vol1") -> str:
    return f"storage/volumes/{_uuid(array, 'storage/volumes', volume)}/snapshots"


def snapshot(array: Simulator) -> None:
    """Take a snapshot of the volume."""
    array.do("POST", _snapshots(array), {"name": "snap1"})


def _delete_snapshot(array: Simulator) -> None:
    path = _snapshots(array)
    array.do("DELETE", f"{path}/{_uuid(array, path, 'snap1')}")


def namespace_gone(array: Simulator) -> None:
    """Delete the namespace."""
    array.do("DELETE", f"storage/namespaces/{_uuid(array, 'storage/namespaces', '/vol/vol1/ns1')}")


def _restore(array: Simulator) -> None:
    uuid = _uuid(array, "storage/volumes", "vol1")
    array.do("PATCH", f"storage/volumes/{uuid}?restore_to.snapshot.name=snap1", {})


def clone_volume(array: Simulator) -> None:
    """Clone the volume, out of a snapshot that is taken for it."""
    clone = {"is_flexclone": True, "parent_volume": {"name": "vol1"}}
    array.do("POST", "storage/volumes", {"svm.name": "svm1", "name": "vol2", "clone": clone})


def _clone_lun(array: Simulator) -> None:
    body = {"svm.name": "svm1", "name": "/vol/vol1/clone", "clone.source.name": "/vol/vol1/lun1"}
    array.do("POST", "storage/luns", body)


def convert_lun(array: Simulator) -> None:
    """Make a namespace of the LUN."""
    body = {"svm.name": "svm1", "convert.lun.name": "/vol/vol1/lun1"}
    array.do("POST", "storage/namespaces", body)


def _convert_namespace(array: Simulator) -> None:
    body = {"svm.name": "svm1", "convert.namespace.name": "/vol/vol1/lun1"}
    array.do("POST", "storage/luns", body)


def _overwrite_lun(array: Simulator) -> None:
    uuid = _uuid(array, "storage/luns", "/vol/vol1/lun1")
    array.do("PATCH", f"storage/luns/{uuid}", {"clone.source.name": "/vol/vol1/lun2"})


def _stop_service(kind: str) -> Callable[[Simulator], None]:
    def run(array: Simulator) -> None:
        service = f"protocols/{kind}/services/{_uuid(array, 'svm/svms', 'svm1')}"
        array.do("PATCH", service, {"enabled": False})

    return run


def _grow_aggregate(array: Simulator) -> None:
    uuid = _uuid(array, "storage/aggregates", "aggr1")
    body = {"block_storage": {"primary": {"disk_count": 8}}}
    array.do("PATCH", f"storage/aggregates/{uuid}", body)


def _fail_disk(array: Simulator) -> None:
    array.kernel.storage.fail_disk("sda")
    array.settle()


def _replace_disk(array: Simulator) -> None:
    uuid = _uuid(array, "storage/aggregates", "aggr1")
    disks = [f"1.0.{number}" for number in range(2, 8)]
    body = {"block_storage": {"primary": {"disks": disks}}}
    array.do("PATCH", f"storage/aggregates/{uuid}", body)


def _widen_group(array: Simulator) -> None:
    uuid = _uuid(array, "storage/aggregates", "aggr1")
    body = {"block_storage.primary": {"disk_count": 7, "raid_group": "rg0"}}
    array.do("PATCH", f"storage/aggregates/{uuid}", body)


def _small_aggregate(array: Simulator) -> None:
    primary = {"disk_count": 4, "raid_type": "raid_dp", "raid_size": 4}
    array.do("POST", "storage/aggregates", {"name": "aggr1", "block_storage": {"primary": primary}})


def _limit(array: Simulator) -> None:
    body = {"name": "limit", "svm.name": "svm1", "fixed.max_throughput_iops": 100}
    array.make("storage/qos/policies", body)


def _route(array: Simulator) -> None:
    body = {
        "svm.name": "svm1",
        "destination": {"address": "0.0.0.0", "netmask": "0"},
        "gateway": "10.10.1.254",
    }
    array.do("POST", "network/ip/routes", body)


def _own_policy(array: Simulator) -> None:
    """Give a LIF a service policy of its own."""
    services = ["data_core", "data_iscsi", "data_nvme_tcp"]
    array.do("POST", POLICIES, {"svm.name": "svm1", "name": "mine", "services": services})
    patch(LIFS, "lif1", {"service_policy": "mine"})(array)


LIFS, POLICIES = "network/ip/interfaces", "network/ip/service-policies"
LUNS, NAMESPACES, VOLUMES = "storage/luns", "storage/namespaces", "storage/volumes"
MAPPED = "?allow_delete_while_mapped=true"
LUN1, NS1 = "/vol/vol1/lun1", "/vol/vol1/ns1"

SCENARIOS = (
    Scenario("change name servers", name_server, _rename_and_ask_others, 2),
    Scenario("add time server", nothing, time_server),
    Scenario("remove time server", time_server, _remove_time_server),
    Scenario("lead the array out", management, _way_out, 2),
    Scenario("create aggregate", nothing, aggregate),
    Scenario("grow aggregate", _small_aggregate, _grow_aggregate),
    Scenario("widen RAID group", aggregate, _widen_group),
    Scenario(
        "scrub aggregate",
        aggregate,
        patch("storage/aggregates", "aggr1", {"scrub.action": "start"}),
    ),
    Scenario("replace disk", chain(aggregate, _fail_disk), _replace_disk),
    Scenario("delete aggregate", aggregate, delete("storage/aggregates", "aggr1")),
    Scenario("create LIF", chain(svm, iscsi), lambda a: _lif(a, "lif1", "e0a", "10.10.1.1")),
    Scenario(
        "move LIF",
        san,
        patch("network/ip/interfaces", "lif1", {"ip": {"address": "10.10.1.9", "netmask": "24"}}),
    ),
    Scenario("migrate LIF", san, patch(LIFS, "lif1", {"location": {"port": {"name": "e0c"}}})),
    Scenario(
        "change service policy",
        chain(served_twice, _own_policy),
        patch(POLICIES, "mine", {"services": ["data_core", "data_iscsi"]}),
    ),
    Scenario("disable LIF", fabric, patch("network/ip/interfaces", "lif1", {"enabled": False})),
    Scenario("serve RDMA", served_twice, patch(LIFS, "lif1", {"rdma_protocols": ["roce"]}), 4),
    Scenario(
        "serve RDMA no more",
        chain(served_twice, patch(LIFS, "lif1", {"rdma_protocols": ["roce"]})),
        patch(LIFS, "lif1", {"rdma_protocols": []}),
        4,
    ),
    Scenario("delete LIF", san, delete("network/ip/interfaces", "lif2")),
    Scenario("create route", chain(svm, lifs), _route),
    Scenario("create LUN", pool, lun),
    Scenario("grow LUN", san, patch(LUNS, LUN1, {"space": {"size": 96 * MIB}})),
    Scenario("limit LUN", chain(san, _limit), patch(LUNS, LUN1, {"qos_policy.name": "limit"})),
    Scenario(
        "limit LUN no more",
        chain(san, _limit, patch(LUNS, LUN1, {"qos_policy.name": "limit"})),
        patch(LUNS, LUN1, {"qos_policy": None}),
    ),
    Scenario("disable LUN", san, patch(LUNS, LUN1, {"enabled": False})),
    Scenario("delete LUN", chain(pool, lun), delete(LUNS, LUN1)),
    Scenario("delete mapped LUN", san, delete(LUNS, LUN1, MAPPED)),
    Scenario("map LUN", chain(pool, lifs, iscsi, lun, igroup), lun_map, 10),
    Scenario("unmap LUN", san, _unmap_lun),
    Scenario("add initiator", san, _add_initiator),
    Scenario(
        "bind igroup to portset",
        chain(san, portset),
        patch("protocols/san/igroups", "group1", {"portset": {"name": "ports1"}}),
    ),
    Scenario(
        "widen portset",
        chain(
            san, portset, patch("protocols/san/igroups", "group1", {"portset": {"name": "ports1"}})
        ),
        _widen_portset,
    ),
    Scenario("nest igroup", chain(san, outer_igroup), _nest),
    Scenario("demand CHAP", san, _chap),
    Scenario("stop iSCSI", san, _stop_service("san/iscsi")),
    Scenario("delete igroup", san, delete("protocols/san/igroups", "group1", MAPPED)),
    Scenario("create LAG", nothing, lag, 5),
    Scenario("create VLAN", lag, vlan, 2),
    Scenario("create LIF on VLAN", chain(svm, lag, vlan), lif_on_vlan, 2),
    Scenario("change members", tagged, patch(PORTS, "a0a", {"lag.member_ports": ["e0b"]}), 4),
    Scenario("shrink packets", tagged, patch(PORTS, "a0a", {"mtu": 1400})),
    Scenario("switch LAG off", tagged, patch(PORTS, "a0a", {"enabled": False})),
    Scenario("change mode", lag_without_members, patch(PORTS, "a0a", {"lag.mode": "singlemode"})),
    Scenario("delete VLAN", chain(lag, vlan), delete(PORTS, "a0a-1092")),
    Scenario("delete LAG", lag, delete(PORTS, "a0a")),
    Scenario("create namespace", pool, namespace),
    Scenario("grow namespace", fabric, patch(NAMESPACES, NS1, {"space": {"size": 96 * MIB}})),
    Scenario("delete mapped namespace", fabric, delete(NAMESPACES, NS1, MAPPED)),
    Scenario("map namespace", chain(pool, lifs, nvme, namespace, subsystem), subsystem_map, 4),
    Scenario("remove host", fabric, _remove_host),
    Scenario("add host with key", chain(fabric, _remove_host), _add_host_with_key),
    Scenario("stop NVMe", fabric, _stop_service("nvme")),
    Scenario(
        "delete subsystem",
        fabric,
        delete("protocols/nvme/subsystems", "sub1", f"{MAPPED}&allow_delete_with_hosts=true"),
    ),
    Scenario("volume offline", san, patch(VOLUMES, "vol1", {"state": "offline"})),
    Scenario("delete volume", chain(pool, lun, namespace), delete(VOLUMES, "vol1")),
    Scenario("take snapshot", chain(fabric, lun), snapshot, 6),
    Scenario("delete snapshot", chain(fabric, lun, snapshot), _delete_snapshot, 2),
    Scenario(
        "restore volume",
        chain(san, namespace, snapshot, lambda a: _lun(a, "lun2"), namespace_gone),
        _restore,
        8,
    ),
    Scenario("clone volume", chain(fabric, lun), clone_volume, 8),
    Scenario("delete clone", chain(fabric, lun, clone_volume), delete(VOLUMES, "vol2"), 2),
    Scenario("clone LUN", san, _clone_lun, 3),
    Scenario("overwrite LUN", chain(san, lambda a: _lun(a, "lun2")), _overwrite_lun, 5),
    Scenario("convert LUN", chain(fabric, lun), convert_lun, 0),
    Scenario("convert namespace", chain(fabric, lun, convert_lun), _convert_namespace, 0),
    Scenario(
        "restore converted LUN",
        chain(san, namespace, snapshot, _unmap_lun, convert_lun),
        _restore,
        4,
    ),
    Scenario("stop SVM", chain(san, nvme), patch("svm/svms", "svm1", {"state": "stopped"})),
)
