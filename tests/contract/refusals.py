"""One reviewed table: requests that other objects, or the array's limits, stand against.

`mistakes` tries the refusals that follow from a declaration; here are those of a resource's checks.
A POST is the example's `another` with `body` in it, where None takes a field out; a PATCH and
a DELETE are of the object number `of` of the example, and `query` are options of the request.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from examples import BY_PATH, GIB, HOST_NQN, KEY, MIB, OTHER_IQN, OTHER_NQN, PRIMARY, PSK, WWPN
from furnished_array import FurnishedArray

from sanstone.core.errors import BAD_VALUE, EXCLUSIVE, EXISTS, GIVEN_TWICE, IN_USE, INVALID, UNKNOWN

SPARES = [{"name": "1.0.7"}, {"name": "1.0.8"}]
MAPPED = "allow_delete_while_mapped=true"
NOBODY = "00000000-0000-0000-0000-000000000001"
NO_VLAN: dict[str, Any] = {"vlan.base_port.name": None, "vlan.tag": None}
NEW_LAG: dict[str, Any] = NO_VLAN | {
    "type": "lag",
    "lag.mode": "multimode_lacp",
    "lag.distribution_policy": "ip",
}


@dataclass(frozen=True)
class Refusal:
    """A request, and ONTAP's code for its error."""

    path: str
    method: str
    what: str
    code: str
    body: dict[str, Any] = field(default_factory=dict)
    of: int = 0
    query: str = ""

    def addressed(self, array: FurnishedArray) -> tuple[str, dict[str, Any]]:
        """Return the path and the body of the request to an array with all examples."""
        if self.method == "POST":
            merged = BY_PATH[self.path].another | self.body
            body = {name: value for name, value in merged.items() if value is not None}
            return array.collection(self.path), body
        array.first(self.path)
        return array.places.get(self.path, [self.path])[self.of], self.body


def _of(path: str, *rows: tuple[Any, ...]) -> tuple[Refusal, ...]:
    return tuple(Refusal(path, *row) for row in rows)


REFUSALS = (
    *_of(
        "cluster",
        ("PATCH", "a time zone that there is not", BAD_VALUE, {"timezone.name": "Nowhere/None"}),
        ("PATCH", "a time zone that is a path", BAD_VALUE, {"timezone.name": "../../etc/passwd"}),
    ),
    *_of(
        "name-services/dns",
        ("POST", "an SVM's, which is not the array's", BAD_VALUE, {"scope": "cluster"}),
        ("POST", "an SVM that there is not", "2621462", {"svm.name": "no_such"}),
        ("POST", "no servers", BAD_VALUE, {"servers": []}),
        ("PATCH", "no domains any more", BAD_VALUE, {"domains": []}),
    ),
    *_of(
        "cluster/ntp/servers",
        ("POST", "another spelling of a present server", EXISTS, {"server": "NTP.example.org"}),
    ),
    *_of(
        "cluster/software",
        ("PATCH", "nothing", INVALID),
        ("PATCH", "a package that is not there", "10551325", {"version": "4.0"}),
        ("PATCH", "no update that could be paused", IN_USE, {"action": "pause"}),
        ("PATCH", "a node that there is not", UNKNOWN, {"version": "2.0"}, 0, "nodes_to_update=x"),
    ),
    *_of(
        "storage/aggregates",
        ("POST", "no number of disks", INVALID, {f"{PRIMARY}.disk_count": None}),
        ("POST", "more disks than there are", "19726341", {f"{PRIMARY}.disk_count": 1000}),
        (
            "POST",
            "disks of a class that there is not",
            "19726341",
            {f"{PRIMARY}.disk_class": "array"},
        ),
        ("POST", "spares of no such size", "19726341", {}, 0, "disk_size=1TB"),
        ("POST", "too few for the RAID type", "786973", {f"{PRIMARY}.raid_type": "raid_dp"}),
        ("POST", "too large RAID groups", "786973", {f"{PRIMARY}.raid_size": 5}),
        ("POST", "too small RAID groups", "786973", {f"{PRIMARY}.raid_size": 1}),
        ("POST", "a disk that there is not", UNKNOWN, {f"{PRIMARY}.disks": ["9.9.9", "1.0.7"]}),
        ("POST", "a disk twice", GIVEN_TWICE, {f"{PRIMARY}.disks": ["1.0.7", "1.0.7"]}),
        ("POST", "a disk in use", "19726341", {f"{PRIMARY}.disks": ["1.0.1", "1.0.7"]}),
        ("POST", "the system's disk", "19726341", {f"{PRIMARY}.disks": ["1.0.7", "1.0.9"]}),
        (
            "POST",
            "another count than disks",
            EXCLUSIVE,
            {f"{PRIMARY}.disks": SPARES, f"{PRIMARY}.disk_count": 3},
        ),
        ("POST", "another node", UNKNOWN, {"node.name": "array-02"}),
        ("PATCH", "a name that is taken", "786439", {"name": "aggr2"}),
        ("PATCH", "another RAID type", BAD_VALUE, {f"{PRIMARY}.raid_type": "raid5"}),
        ("PATCH", "too large RAID groups", "786973", {f"{PRIMARY}.raid_size": 28}, 1),
        ("PATCH", "fewer disks", BAD_VALUE, {f"{PRIMARY}.disk_count": 3}),
        ("PATCH", "more disks than there are", "19726341", {f"{PRIMARY}.disk_count": 9}),
        ("PATCH", "disks that are too few", "786973", {f"{PRIMARY}.disk_count": 6}),
        ("PATCH", "a disk left out", BAD_VALUE, {f"{PRIMARY}.disks": ["1.0.1", "1.0.2", "1.0.3"]}),
        (
            "PATCH",
            "a disk that works replaced",
            IN_USE,
            {f"{PRIMARY}.disks": ["1.0.1", "1.0.2", "1.0.3", "1.0.7"]},
        ),
        ("DELETE", "volumes on it", "786497"),
    ),
    *_of(
        "svm/svms",
        (
            "POST",
            "a protocol that is not allowed",
            "2621507",
            {"nvme.allowed": False, "nvme.enabled": True},
        ),
        ("POST", "an aggregate that there is not", UNKNOWN, {"aggregates": ["no_such"]}),
        ("PATCH", "a name that is taken", "13434908", {"name": "svm2"}),
        ("DELETE", "what it owns", IN_USE),
    ),
    *_of(
        "network/ethernet/ports",
        ("POST", "no kind of port", "1967083", {"type": None, **NO_VLAN}),
        ("POST", "a physical port", "1967083", {"type": "physical"}),
        ("POST", "a LAG and a VLAN", EXCLUSIVE, {"lag.mode": "multimode"}),
        ("POST", "no tag", "1967098", {"vlan.tag": None}),
        ("POST", "no port below", "1967098", {"vlan.base_port.name": None}),
        ("POST", "a tag that is taken", EXISTS, {"vlan.base_port.name": "a0a", "vlan.tag": 1092}),
        ("POST", "another name than port and tag", BAD_VALUE, {"name": "e0a-8"}),
        ("POST", "too large a tag in the name", BAD_VALUE, NO_VLAN | {"name": "e0a-4095"}),
        ("POST", "a port below that there is not", "1967091", {"vlan.base_port.name": "e9z"}),
        ("POST", "the management port below", "1967091", {"vlan.base_port.name": "e0M"}),
        ("POST", "a VLAN below", "1967091", {"vlan.base_port.name": "a0a-1092"}),
        ("POST", "a port in a LAG below", IN_USE, {"vlan.base_port.name": "e0d"}),
        ("POST", "an unknown UUID below", "1967091", {"vlan.base_port.uuid": NOBODY}),
        ("POST", "another node", UNKNOWN, {"node.name": "array-02"}),
        ("POST", "another node below", UNKNOWN, {"vlan.base_port.node.name": "array-02"}),
        ("POST", "more than the port's MTU", BAD_VALUE, {"mtu": 9000}),
        ("POST", "no mode", "1967100", NEW_LAG | {"lag.mode": None}),
        ("POST", "no policy", "1967100", NEW_LAG | {"lag.distribution_policy": None}),
        ("POST", "LACP in turn", BAD_VALUE, NEW_LAG | {"lag.distribution_policy": "sequential"}),
        ("POST", "no name of a LAG", BAD_VALUE, NEW_LAG | {"name": "lag0"}),
        ("POST", "a member that there is not", "1967095", NEW_LAG | {"lag.member_ports": ["e9z"]}),
        ("POST", "the management port", "1967095", NEW_LAG | {"lag.member_ports": ["e0M"]}),
        ("POST", "a LAG in a LAG", "1967095", NEW_LAG | {"lag.member_ports": ["a0a"]}),
        ("POST", "a member of another", IN_USE, NEW_LAG | {"lag.member_ports": ["e0d"]}),
        ("POST", "a port with a LIF", "1966189", NEW_LAG | {"lag.member_ports": ["e0a"]}),
        ("POST", "a port with a VLAN", "1966302", NEW_LAG | {"lag.member_ports": ["e0b"]}),
        (
            "POST",
            "a member on another node",
            UNKNOWN,
            NEW_LAG | {"lag.member_ports": [{"name": "e0d", "node.name": "array-02"}]},
        ),
        ("PATCH", "a mode while there are members", IN_USE, {"lag.mode": "multimode"}),
        ("PATCH", "LACP in turn", BAD_VALUE, {"lag.distribution_policy": "sequential"}),
        ("PATCH", "a member twice", GIVEN_TWICE, {"lag.member_ports": ["e0d", "e0d"]}),
        ("PATCH", "a port with a LIF", "1966189", {"lag.member_ports": ["e0d", "e0a"]}),
        ("PATCH", "more than the port's MTU", BAD_VALUE, {"mtu": 9001}, 1),
        ("PATCH", "members of a VLAN", BAD_VALUE, {"lag.member_ports": []}, 1),
        ("DELETE", "a LIF on it", "1966189"),
    ),
    *_of(
        "network/ip/service-policies",
        ("POST", "a name of the array's", "53281931", {"name": "default-mine"}),
        ("POST", "a service that there is not", "53281932", {"services": ["data_nfs"]}),
        ("POST", "data for management", "53281934", {"svm.name": None}),
        ("POST", "the scope of the array", BAD_VALUE, {"scope": "cluster"}),
        ("POST", "an SVM that there is not", "2621462", {"svm.name": "no_such"}),
        ("PATCH", "a name of the array's", "53281931", {"name": "default-mine"}),
        ("PATCH", "data for management", "53281934", {"services": ["data_iscsi"]}, 1),
    ),
    *_of(
        "network/ip/interfaces",
        ("POST", "neither SVM nor scope", "1967127", {"svm.name": None}),
        ("POST", "an address that is taken", "1376963", {"ip.address": "10.10.1.1"}),
        ("POST", "the management's policy", "53281065", {"service_policy.name": "no-policy"}),
        ("POST", "a port that there is not", "1967130", {"location.home_port.name": "e9z"}),
        ("POST", "no port", INVALID, {"location.home_port.name": None}),
        ("POST", "no network's prefix", "1966269", {"ip.netmask": "0"}),
        ("POST", "too long a prefix", "1966269", {"ip.netmask": "33"}),
        (
            "POST",
            "too long a prefix of IPv6",
            "1966269",
            {"ip.address": "fd00::9", "ip.netmask": 129},
        ),
        ("POST", "a network's address", BAD_VALUE, {"ip.address": "10.10.1.0"}),
        ("POST", "a broadcast address", BAD_VALUE, {"ip.address": "10.10.1.255"}),
        ("POST", "a loopback address", BAD_VALUE, {"ip.address": "127.0.0.1"}),
        ("POST", "a link's own address", BAD_VALUE, {"ip.address": "fe80::1", "ip.netmask": "64"}),
        ("POST", "IPv4 in IPv6", BAD_VALUE, {"ip.address": "::ffff:10.0.0.1", "ip.netmask": "96"}),
        ("POST", "another node", UNKNOWN, {"location.home_node.name": "array-02"}),
        ("POST", "an SVM that there is not", "2621462", {"svm.name": "no_such"}),
        ("PATCH", "a name that is taken", "1966140", {"name": "lif2"}),
        ("PATCH", "an address that is taken", "1376963", {"ip.address": "10.10.2.1"}),
        (
            "PATCH",
            "another policy than the management's",
            "53281065",
            {"service_policy.name": "default-data-blocks"},
            3,
        ),
        ("PATCH", "no place when it is at home", BAD_VALUE, {"location.is_home": False}),
        ("PATCH", "a place that there is not", "1967130", {"location.port.name": "e9z"}),
        ("PATCH", "a place in a LAG", IN_USE, {"location.port.name": "e0d"}),
        (
            "PATCH",
            "home and another place",
            EXCLUSIVE,
            {"location.is_home": True, "location.port.name": "e0b"},
        ),
        ("PATCH", "a move of RDMA", IN_USE, {"location.failover": "home_node_only"}),
        ("PATCH", "a port that there is not", "1967130", {"location.home_port.name": "e9z"}),
        ("PATCH", "a port in a LAG", IN_USE, {"location.home_port.name": "e0d"}),
        ("PATCH", "another node", UNKNOWN, {"location.node.name": "array-02"}),
    ),
    *_of(
        "network/ip/routes",
        (
            "POST",
            "another family",
            "1966265",
            {"destination.address": "fd01::", "destination.netmask": "64"},
        ),
        ("POST", "a gateway out of reach", BAD_VALUE, {"gateway": "10.99.0.1"}),
        ("POST", "an own address for a gateway", BAD_VALUE, {"gateway": "10.10.1.1"}),
        ("POST", "an address without a mask", "1967080", {"destination.netmask": None}),
        ("POST", "a mask without an address", "1967080", {"destination.address": None}),
        ("POST", "bits of a host", BAD_VALUE, {"destination.address": "10.30.0.7"}),
        ("POST", "the prefix twice", GIVEN_TWICE, {"destination.address": "10.30.0.0/16"}),
        ("POST", "too long a prefix", BAD_VALUE, {"destination.netmask": "33"}),
    ),
    *_of(
        "protocols/san/iscsi/services",
        ("POST", "a target of another", EXISTS, {"target.name": "iqn.2001-04.com.example:target1"}),
        ("PATCH", "a name while hosts use it", "5373960", {"target.name": "iqn.2001-04.com.x:y"}),
        ("DELETE", "an enabled service", "5373960"),
    ),
    *_of(
        "network/fc/interfaces",
        (
            "POST",
            "a port that serves another",
            IN_USE,
            {"data_protocol": "fc_nvme", "location.port.name": "0000:03:00.2"},
        ),
        ("POST", "a protocol of other ports", BAD_VALUE, {"data_protocol": "fc_nvme"}),
        ("POST", "a port that is not there", "5374396", {"location.port.name": "e0a"}),
        (
            "POST",
            "two ports",
            "5374871",
            {"location.home_port.name": "0000:03:00.0"},
        ),
        ("PATCH", "a port that is not there", "5374396", {"location.port.name": "e0a"}),
    ),
    *_of(
        "protocols/san/fcp/services",
        ("POST", "an SVM that may not", "2621507", {"svm.name": "svm1"}),
        ("DELETE", "an enabled service", "5373960"),
    ),
    *_of(
        "protocols/san/srp/services",
        ("POST", "an SVM that has one", "1", {"svm.name": "svm2"}),
        ("DELETE", "an enabled service", "8"),
    ),
    *_of(
        "protocols/nvme/services",
        ("DELETE", "an enabled service", "72090028"),
        ("DELETE", "subsystems", "72089653", {}, 1),
    ),
    *_of(
        "storage/volumes",
        ("POST", "no size", INVALID, {"size": None}),
        ("POST", "two sizes", EXCLUSIVE, {"space.size": 21 * MIB}),
        ("POST", "two aggregates", "918242", {"aggregates": ["aggr1", "aggr2"]}),
        ("POST", "an aggregate that there is not", "917508", {"aggregates": ["no_such"]}),
        ("POST", "more than there is", "917536", {"guarantee.type": "volume", "size": 1024 * GIB}),
        ("PATCH", "a name that is taken", "917526", {"name": "vol2"}),
        ("PATCH", "more than there is", "917536", {"guarantee.type": "volume", "size": 1024 * GIB}),
        ("PATCH", "less than is in it", "917534", {"size": 20 * MIB}),
        (
            "PATCH",
            "a reserve for which there is no room",
            "917534",
            {"size": 200 * MIB, "space.snapshot.reserve_percent": 90},
        ),
        ("DELETE", "a LUN in it that is mapped", IN_USE),
    ),
    *_of(
        "storage/luns",
        ("POST", "no volume", "5374859", {"name": None}),
        ("POST", "no name", "5374862", {"name": None, "location.volume.name": "vol1"}),
        ("POST", "a volume that there is not", "917927", {"name": "/vol/no_such/lun9"}),
        (
            "POST",
            "a volume of another SVM",
            "917927",
            {"name": "/vol/vol2/lun9", "svm.name": "svm2"},
        ),
        ("POST", "a place that is not the path's", "5374858", {"location.logical_unit": "other"}),
        ("POST", "a volume that is offline", "5374866", {"name": "/vol/offline/lun9"}),
        (
            "POST",
            "more than the volume holds",
            "5374125",
            {"space.guarantee.requested": True, "space.size": 2 * GIB},
        ),
        ("POST", "the path of a namespace", "5374242", {"name": "/vol/vol1/ns1"}),
        ("PATCH", "a path that is taken", "1254196", {"name": "/vol/vol1/lun2"}),
        ("PATCH", "the size that it has", "1254226", {"space.size": 64 * MIB}),
        ("PATCH", "less", "5374892", {"space.size": 32 * MIB}),
        ("PATCH", "more than the volume holds", "5374125", {"space.size": 2 * GIB}),
        ("PATCH", "a volume on another aggregate", BAD_VALUE, {"location.volume.name": "vol2"}),
        ("DELETE", "a map", "1254197"),
    ),
    *_of(
        "storage/namespaces",
        ("POST", "no volume", "72090014", {"name": None}),
        ("POST", "no name", "72090013", {"name": None, "location.volume.name": "vol1"}),
        ("POST", "a volume that there is not", "917927", {"name": "/vol/no_such/ns9"}),
        ("POST", "a place that is not the path's", "72090014", {"location.namespace": "other"}),
        ("POST", "a volume that is offline", "5374866", {"name": "/vol/offline/ns9"}),
        (
            "POST",
            "more than the volume holds",
            "72089724",
            {"space.guarantee.requested": True, "space.size": 2 * GIB},
        ),
        ("POST", "the path of a LUN", "72089725", {"name": "/vol/vol1/lun1"}),
        ("PATCH", "a path that is taken", "72089725", {"name": "/vol/vol1/ns2"}),
        ("PATCH", "less", "72090038", {"space.size": 32 * MIB}),
        ("PATCH", "a volume on another aggregate", BAD_VALUE, {"location.volume.name": "vol2"}),
        ("DELETE", "a map", "72089796"),
    ),
    *_of(
        "protocols/san/igroups",
        ("POST", "the name of a subsystem", "5374023", {"name": "sub1"}),
        ("POST", "an initiator twice", "5374035", {"initiators": [OTHER_IQN, OTHER_IQN]}),
        ("POST", "a WWPN for iSCSI", "5374039", {"protocol": "iscsi", "initiators": [WWPN]}),
        ("POST", "an IQN for FCP", "5374038", {"protocol": "fcp"}),
        ("PATCH", "a name that is taken", "5374023", {"name": "group2"}),
        ("DELETE", "a map", "1254213"),
    ),
    *_of(
        "protocols/san/igroups/{igroup.uuid}/initiators",
        ("POST", "a WWPN for iSCSI", "5374039", {"name": WWPN}),
        ("DELETE", "a map", "1254213"),
    ),
    *_of(
        "protocols/nvme/subsystems",
        ("POST", "the name of an igroup", "72090043", {"name": "group1"}),
        ("POST", "an SVM without the service", "72090029", {"svm.name": "svm3"}),
        ("POST", "a host twice", "72090036", {"hosts": [OTHER_NQN, OTHER_NQN]}),
        ("POST", "other secrets than elsewhere", "72089716", {"hosts": [HOST_NQN]}),
        ("DELETE", "a map", "72090023"),
        ("DELETE", "hosts", "72090024", {}, 0, MAPPED),
    ),
    *_of(
        "protocols/nvme/subsystems/{subsystem.uuid}/hosts",
        (
            "POST",
            "the controller's secret alone",
            "72089716",
            {"dh_hmac_chap.controller_secret_key": KEY},
        ),
        ("POST", "TLS without a key", "262197", {"tls.key_type": "configured"}),
        (
            "PATCH",
            "a key for no TLS",
            "262197",
            {"tls.key_type": "none", "tls.configured_psk": PSK},
        ),
    ),
    *_of(
        "protocols/san/lun-maps",
        ("POST", "a number in use", IN_USE, {"logical_unit_number": 7}),
        ("POST", "a LUN of another SVM", "1254201", {"svm.name": "svm2"}),
        (
            "POST",
            "a path that two SVMs have",
            BAD_VALUE,
            {"svm.name": None, "lun.name": "/vol/vol1/lun1"},
        ),
        (
            "POST",
            "an igroup of another SVM",
            "5374878",
            {"svm.name": None, "igroup.name": "elsewhere"},
        ),
    ),
    *_of(
        "protocols/san/lun-maps/{lun.uuid}/{igroup.uuid}/reporting-nodes",
        ("DELETE", "the last node", "5374608"),
    ),
    *_of(
        "protocols/nvme/subsystem-maps",
        (
            "POST",
            "a namespace that is mapped",
            "72089790",
            {"namespace.name": "/vol/vol1/ns1", "subsystem.name": "sub2"},
        ),
        ("POST", "a subsystem of another SVM", "72090021", {"svm.name": "svm2"}),
        (
            "POST",
            "a subsystem of another SVM than the namespace's",
            "72090020",
            {"svm.name": None, "subsystem.name": "far"},
        ),
    ),
    *_of(
        "protocols/san/iscsi/credentials",
        (
            "POST",
            "CHAP without a password",
            "5374149",
            {"authentication_type": "chap", "chap.inbound.user": "u"},
        ),
        (
            "POST",
            "a password without CHAP",
            "5374900",
            {"chap.inbound.user": "u", "chap.inbound.password": "p"},
        ),
        (
            "PATCH",
            "half of mutual CHAP",
            "5374150",
            {"chap.outbound.user": "", "chap.outbound.password": "p"},
        ),
        ("PATCH", "one password for both", "5374147", {"chap.outbound.password": "secret of host"}),
        ("PATCH", "no user", "5374149", {"chap.inbound.user": ""}),
        ("POST", "the default once more", "5374142", {"initiator": "default"}),
    ),
)
