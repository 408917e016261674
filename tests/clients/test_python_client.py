"""NetApp's Python client, `netapp-ontap`, makes, reads, changes and deletes every kind of object.

The client checks what it receives against NetApp's own description: a serial number of a wrong
length or a word that is not in a list makes a call fail here that a looser client would accept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from conftest import PASSWORD, USER, Served
from netapp_ontap import config, resources
from netapp_ontap.error import NetAppRestError
from netapp_ontap.host_connection import HostConnection
from netapp_ontap.resource import Resource

GIB, MIB = 1024**3, 1024**2
SVM = {"name": "svm1"}
SSH_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
HOST_IQN, HOST_NQN = "iqn.1994-05.com.redhat:host1", "nqn.2014-08.org.nvmexpress:uuid:host1"


@pytest.fixture(scope="module", autouse=True)
def connection(array: Served) -> Iterator[HostConnection]:
    """The client's connection to the array."""
    options = {"username": USER, "password": PASSWORD, "verify": False, "poll_interval": 1}
    with HostConnection(array.host, port=array.port, **options) as made:
        config.CONNECTION = made
        yield made
    config.CONNECTION = None


def created(kind: type[Resource], *parents: str, **values: Any) -> Any:
    """Create an object, and return it as the array shows it."""
    made = kind(*parents, **values)
    made.post(hydrate=True, poll_timeout=60)
    return made


def shown(made: Any, *, fields: str = "**") -> dict[str, Any]:
    """Return what a fresh GET of the object tells, as plain values."""
    made.get(fields=fields)
    found: dict[str, Any] = made.to_dict()
    return found


def changed(made: Any, **values: Any) -> dict[str, Any]:
    """Change an object and return what it is then."""
    for name, value in values.items():
        setattr(made, name, value)
    made.patch(poll_timeout=60)
    return shown(made)


def listed(kind: type[Resource], *parents: Any, **query: Any) -> list[dict[str, Any]]:
    """Return what a collection shows, with every field."""
    return [found.to_dict() for found in kind.get_collection(*parents, fields="**", **query)]


def refusal(action: Any, *arguments: Any, **options: Any) -> str:
    """Return ONTAP's code with which a call is refused."""
    with pytest.raises(NetAppRestError) as caught:
        action(*arguments, **options)
    return str(caught.value.response_body["error"]["code"])


@pytest.fixture(scope="module")
def aggregate() -> Any:
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
    made = created(resources.Lun, name="/vol/vol1/lun1", svm=SVM, os_type="linux", space=space)
    yield made
    made.delete(allow_delete_while_mapped=True)


@pytest.fixture
def igroup(svm: Any) -> Iterator[Any]:
    """An igroup of the test's own."""
    members = [{"name": HOST_IQN}]
    made = created(
        resources.Igroup,
        name="group1",
        svm=SVM,
        os_type="linux",
        protocol="iscsi",
        initiators=members,
    )
    yield made
    made.delete(allow_delete_while_mapped=True)


def test_cluster() -> None:
    cluster = resources.Cluster()
    assert shown(cluster)["name"]
    assert cluster.version.generation == 9
    assert changed(cluster, contact="storage@example.org")["contact"] == "storage@example.org"


def test_what_is_only_observed() -> None:
    [node] = listed(resources.Node)
    assert node["state"] == "up"
    assert {disk["container_type"] for disk in listed(resources.Disk)} >= {"spare"}
    assert {port["name"] for port in listed(resources.Port)} >= {"e0a", "e0b"}
    assert resources.Disk.count_collection() == 9


def test_aggregate(aggregate: Any) -> None:
    assert shown(aggregate)["state"] == "online"
    assert changed(aggregate, name="renamed")["name"] == "renamed"
    assert changed(aggregate, name="aggr1")["name"] == "aggr1"


def test_svm(svm: Any) -> None:
    found = shown(svm)
    assert (found["state"], found["iscsi"]["enabled"]) == ("running", True)
    assert changed(svm, comment="a tenant")["comment"] == "a tenant"
    other = created(resources.Svm, name="svm2")
    assert changed(other, state="stopped")["state"] == "stopped"
    other.delete(poll_timeout=60)
    assert resources.Svm.find(name="svm2") is None
    assert refusal(resources.Svm(name="svm1").post) == "13434908"


def test_volume(volume: Any) -> None:
    assert shown(volume)["state"] == "online"
    grown = changed(volume, size=3 * GIB, comment="grown")
    assert (grown["size"], grown["comment"]) == (3 * GIB, "grown")
    found = resources.Volume.find(name="vol1", **{"svm.name": "svm1"})
    assert found.uuid == volume.uuid


def test_lun(lun: Any) -> None:
    found = shown(lun)
    assert len(found["serial_number"]) == 12
    assert not found["status"]["mapped"]
    assert changed(lun, space={"size": 96 * MIB})["space"]["size"] == 96 * MIB
    assert changed(lun, name="/vol/vol1/renamed")["location"]["logical_unit"] == "renamed"
    resources.Lun.patch_collection({"comment": "by query"}, name=lun.name)
    assert shown(lun)["comment"] == "by query"
    record = resources.Lun(uuid=lun.uuid)
    record.comment = "by record"
    resources.Lun.patch_collection({}, records=[record])
    assert shown(lun)["comment"] == "by record"
    again = resources.Lun(name=lun.name, svm=SVM, os_type="linux", space={"size": MIB})
    assert refusal(again.post) == "5374242"


def test_igroup_and_map(lun: Any, igroup: Any) -> None:
    second = created(resources.IgroupInitiator, igroup.uuid, name=f"{HOST_IQN}-2", comment="x")
    assert len(shown(igroup)["initiators"]) == 2
    assert changed(second, comment="changed")["comment"] == "changed"
    second.delete(allow_delete_while_mapped=True)
    made = created(resources.LunMap, svm=SVM, lun={"name": lun.name}, igroup={"name": igroup.name})
    assert shown(made)["logical_unit_number"] == 0
    assert shown(lun)["lun_maps"][0]["igroup"]["name"] == "group1"
    assert refusal(lun.delete) == "1254197"
    [node] = listed(resources.LunMapReportingNode, lun.uuid, igroup.uuid)
    assert node["uuid"]
    made.delete()
    assert resources.LunMap.count_collection() == 0


def test_namespace_and_subsystem(volume: Any) -> None:
    space = {"size": 64 * MIB}
    namespace = created(
        resources.NvmeNamespace, name="/vol/vol1/ns1", svm=SVM, os_type="linux", space=space
    )
    assert changed(namespace, comment='{"a": 1}')["comment"] == '{"a": 1}'
    subsystem = created(resources.NvmeSubsystem, name="sub1", svm=SVM, os_type="linux")
    assert len(shown(subsystem)["serial_number"]) == 20
    host = created(resources.NvmeSubsystemHost, subsystem.uuid, nqn=HOST_NQN)
    assert shown(host)["nqn"] == HOST_NQN
    made = created(
        resources.NvmeSubsystemMap,
        svm=SVM,
        namespace={"uuid": namespace.uuid},
        subsystem={"uuid": subsystem.uuid},
    )
    assert shown(made)["nsid"] == "00000001h"
    assert shown(namespace)["subsystem_map"]["subsystem"]["name"] == "sub1"
    assert refusal(subsystem.delete) == "72090023"
    made.delete()
    host.delete()
    subsystem.delete()
    namespace.delete()
    assert resources.NvmeNamespace.count_collection() == 0


def test_services(svm: Any) -> None:
    for kind in (resources.IscsiService, resources.NvmeService):
        service = kind(svm={"uuid": svm.uuid})
        assert shown(service)["enabled"]
        assert not changed(service, enabled=False)["enabled"]
        assert changed(service, enabled=True)["enabled"]


def test_ports() -> None:
    node, domain = {"name": "array-01"}, {"name": "Default", "ipspace": {"name": "Default"}}
    lag = created(
        resources.Port,
        type="lag",
        node=node,
        broadcast_domain=domain,
        lag={
            "mode": "multimode_lacp",
            "distribution_policy": "ip",
            "member_ports": [{"name": "e0c", "node": node}],
        },
    )
    assert shown(lag)["state"] == "up"
    vlan = created(
        resources.Port, vlan={"base_port": {"name": lag.name, "node": node}, "tag": 1092}, node=node
    )
    assert (shown(vlan)["name"], shown(vlan)["type"]) == ("a0a-1092", "vlan")
    members = [{"name": name, "node": node} for name in ("e0c", "e0d")]
    found = changed(lag, lag={"member_ports": members})["lag"]
    assert [port["name"] for port in found["active_ports"]] == ["e0c", "e0d"]
    assert changed(vlan, enabled=False)["state"] == "down"
    assert refusal(lag.delete) == "1966302"
    vlan.delete()
    lag.delete()
    assert {port["type"] for port in listed(resources.Port)} == {"physical"}


def test_network(svm: Any) -> None:
    lif = created(
        resources.IpInterface,
        name="lif1",
        svm=SVM,
        ip={"address": "10.10.1.1", "netmask": "24"},
        location={"home_port": {"name": "e0a", "node": {"name": "array-01"}}},
        service_policy={"name": "default-data-iscsi"},
    )
    assert shown(lif)["state"] == "up"
    assert changed(lif, enabled=False)["state"] == "down"
    assert changed(lif, enabled=True)["state"] == "up"
    route = created(
        resources.NetworkRoute,
        svm=SVM,
        destination={"address": "0.0.0.0", "netmask": "0"},
        gateway="10.10.1.254",
    )
    assert shown(route)["gateway"] == "10.10.1.254"
    route.delete()
    lif.delete()
    assert {p["name"] for p in listed(resources.IpServicePolicy)} >= {"default-data-iscsi"}


def test_credentials(svm: Any) -> None:
    chap = {"inbound": {"user": "host1", "password": "secret-of-host"}}
    made = created(
        resources.IscsiCredentials,
        svm=SVM,
        initiator=HOST_IQN,
        authentication_type="chap",
        chap=chap,
    )
    found = shown(made)
    assert found["chap"]["inbound"] == {"user": "host1"}
    assert changed(made, authentication_type="none")["authentication_type"] == "none"
    made.delete()
    [default] = listed(resources.IscsiCredentials, initiator="default")
    assert default["authentication_type"] == "none"


def test_snapshots_and_clones(volume: Any, lun: Any) -> None:
    snapshot = created(resources.Snapshot, volume.uuid, name="snap1", comment="first")
    assert shown(snapshot)["state"] == "valid"
    assert changed(snapshot, comment="changed")["comment"] == "changed"
    volume.patch(poll_timeout=60, **{"restore_to.snapshot.name": "snap1"})
    parents = {"parent_volume": {"name": "vol1"}, "parent_snapshot": {"name": "snap1"}}
    clone = created(
        resources.Volume, name="clone1", svm=SVM, clone={"is_flexclone": True, **parents}
    )
    assert shown(clone)["clone"]["parent_snapshot"]["name"] == "snap1"
    assert resources.Lun.find(name="/vol/clone1/lun1").uuid != lun.uuid
    assert refusal(snapshot.delete) == "1638555"
    clone.delete(poll_timeout=60)
    copy = created(
        resources.Lun, name="/vol/vol1/copy", svm=SVM, clone={"source": {"name": lun.name}}
    )
    assert shown(copy)["space"]["size"] == 64 * MIB
    copy.delete()
    snapshot.delete(poll_timeout=60)


def test_policies_and_schedules(svm: Any) -> None:
    schedule = created(resources.Schedule, name="nightly", cron={"hours": [3], "minutes": [0]})
    assert shown(schedule)["type"] == "cron"
    assert changed(schedule, cron={"minutes": [30]})["cron"]["minutes"] == [30]
    copies = [{"schedule": {"name": "nightly"}, "count": 3}]
    policy = created(resources.SnapshotPolicy, name="policy1", svm=SVM, copies=copies)
    assert not changed(policy, enabled=False)["enabled"]
    [copy] = listed(resources.SnapshotPolicySchedule, policy.uuid)
    assert (copy["count"], copy["schedule"]["name"]) == (3, "nightly")
    policy.delete()
    schedule.delete()
    limit = created(resources.QosPolicy, name="limit1", svm=SVM, fixed={"max_throughput_iops": 9})
    assert shown(limit)["fixed"]["max_throughput_iops"] == 9
    limit.delete()


def test_consistency_groups(volume: Any) -> None:
    group = created(resources.ConsistencyGroup, name="group1", svm=SVM, volumes=[{"name": "vol1"}])
    assert shown(group)["volumes"][0]["name"] == "vol1"
    snapshot = created(resources.ConsistencyGroupSnapshot, group.uuid, name="together")
    assert shown(snapshot)["name"] == "together"
    assert resources.Snapshot.find(volume.uuid, name="together")
    snapshot.delete(poll_timeout=60)
    group.delete(poll_timeout=60)
    assert resources.Snapshot.find(volume.uuid, name="together") is None


def test_portsets_attributes_and_nested_igroups(lun: Any, igroup: Any) -> None:
    portset = created(resources.Portset, name="ports1", svm=SVM, protocol="iscsi")
    assert shown(portset)["protocol"] == "iscsi"
    portset.delete()
    attribute = created(resources.LunAttribute, lun.uuid, name="a", value="b")
    assert changed(attribute, value="c")["value"] == "c"
    outer = created(
        resources.Igroup,
        name="outer",
        svm=SVM,
        os_type="linux",
        protocol="iscsi",
        igroups=[{"name": "group1"}],
    )
    assert shown(outer)["initiators"][0]["name"] == HOST_IQN
    [child] = listed(resources.IgroupNested, outer.uuid)
    assert child["name"] == "group1"
    outer.delete()


def test_what_there_is_one_of(aggregate: Any) -> None:
    [space] = listed(resources.Ipspace)
    [domain] = listed(resources.BroadcastDomain)
    assert (space["name"], domain["ipspace"]) == ("Default", _named(space))
    assert {port["name"] for port in domain["ports"]} >= {"e0a", "e0b"}
    [plex] = listed(resources.Plex, aggregate.uuid)
    assert [group["name"] for group in plex["raid_groups"]] == ["/aggr1/plex0/rg0"]
    release = shown(resources.Software())["version"]
    assert shown(resources.Cluster())["version"]["full"].startswith(f"Sanstone {release}")
    assert refusal(resources.Ipspace(name="other").post) == "3"


def _named(record: dict[str, Any]) -> dict[str, Any]:
    """Return what a reference to an object shows."""
    return {"name": record["name"], "uuid": record["uuid"]}


def test_what_there_is_none_of(aggregate: Any) -> None:
    for kind in (
        resources.ClusterPeer,
        resources.CounterTable,
        resources.FcInterface,
        resources.FcLogin,
        resources.FcPort,
        resources.LicensePackage,
        resources.SnapmirrorPolicy,
        resources.SnapmirrorRelationship,
        resources.SvmPeer,
        resources.SvmPeerPermission,
    ):
        assert listed(kind) == [], kind
        assert kind.count_collection() == 0
    assert listed(resources.CloudStore, aggregate.uuid) == []
    assert resources.SnapmirrorRelationship.find(name="any") is None


def test_roles_accounts_and_keys(svm: Any) -> None:
    privileges = [{"path": "/api/storage", "access": "readonly"}]
    role = created(resources.Role, name="watcher", privileges=privileges)
    owner = role.owner.uuid
    more = created(
        resources.RolePrivilege, owner, "watcher", path="/api/protocols", access="readonly"
    )
    assert changed(more, access="all")["access"] == "all"
    assert {each["path"] for each in shown(role)["privileges"]} >= {"/api/protocols"}
    http = {"application": "http", "authentication_methods": ["password"]}
    account = created(
        resources.Account,
        name="operator",
        password="A long pass phrase 1",
        role={"name": "watcher"},
        applications=[http],
    )
    assert shown(account)["applications"][0]["second_authentication_method"] == "none"
    assert changed(account, locked=True)["locked"]
    key = created(
        resources.Publickey,
        owner={"uuid": owner},
        account={"name": "operator"},
        index=0,
        public_key=SSH_KEY,
    )
    assert changed(key, comment="from a desk")["comment"] == "from a desk"
    key.delete()
    assert refusal(role.delete)
    account.delete()
    more.delete()
    role.delete()
    assert resources.Account.find(name="operator") is None


def test_messages_and_certificates() -> None:
    [messages] = list(resources.LoginMessages.get_collection(scope="cluster"))
    assert changed(messages, banner="Keep out.")["banner"].strip() == "Keep out."
    made = created(
        resources.SecurityCertificate,
        name="root",
        common_name="root.example.org",
        type="root_ca",
    )
    assert shown(made)["common_name"] == "root.example.org"
    made.delete()
    assert resources.SecurityCertificate.find(name="root") is None


def test_who_is_told_of_events() -> None:
    rules = [{"index": 1, "type": "include", "message_criteria": {"severities": "alert"}}]
    chosen = created(resources.EmsFilter, name="grave", rules=rules)
    assert [rule["type"] for rule in shown(chosen)["rules"]] == ["include", "exclude"]
    rule = resources.EmsFilterRule(chosen.name)
    rule.type, rule.message_criteria = "include", {"name_pattern": "disk.*"}
    rule.post(hydrate=True)
    assert rule.index == 2
    rule.message_criteria = {"severities": "error"}
    rule.patch()
    criteria = listed(resources.EmsFilterRule, chosen.name)[1]["message_criteria"]
    assert (criteria["name_pattern"], criteria["severities"]) == ("disk.*", "error")
    made = created(
        resources.EmsDestination,
        name="logs",
        type="syslog",
        destination="192.0.2.7",
        filters=[{"name": "grave"}],
        syslog={"port": 1514, "transport": "tcp_unencrypted"},
    )
    assert changed(made, destination="192.0.2.8")["syslog"]["port"] == 1514
    assert refusal(chosen.delete) == "8"
    made.delete()
    rule.delete()
    chosen.delete()
    assert resources.EmsDestination.count_collection() == 0
    mail = resources.EmsDestination(name="mail", type="email", destination="a@example.org")
    assert refusal(mail.post) == "262197"


def test_software() -> None:
    url = "https://mirror.example.org/sanstone-2.0.raucb"
    download = resources.SoftwarePackageDownload(url=url)
    download.post(poll_timeout=60)
    assert shown(download)["state"] == "success"
    again = resources.SoftwarePackageDownload(url=url)
    assert refusal(again.post, poll_timeout=60) == "18408"
    assert [p["version"] for p in listed(resources.SoftwarePackage)] == ["2.0"]
    software = resources.Software()
    software.get()
    before = software.to_dict()["version"]
    software.version = "2.0"
    software.patch(poll_timeout=60, validate_only=True)
    assert shown(software)["validation_results"][0]["status"] == "ok"
    software = resources.Software()
    software.version = "2.0"
    software.patch(poll_timeout=60, skip_warnings=True)
    assert shown(software)["state"] == "completed"
    (update,) = listed(resources.SoftwareHistory)
    told = (update["from_version"], update["to_version"], update["state"])
    assert told == (before, "2.0", "successful")
    software = resources.Software()
    software.action = "cancel"
    assert refusal(software.patch, poll_timeout=60) == "8"
    resources.SoftwarePackage(version="2.0").delete(poll_timeout=60)
    assert listed(resources.SoftwarePackage) == []


def test_what_happened(svm: Any, lun: Any) -> None:
    note = {"severity": "notice", "autosupport_required": False, "event_id": 1}
    words = {"category": "note", "event_source": "tests", "event_description": "a note"}
    who = {"computer_name": "host1", "app_version": "1"}
    resources.EmsApplicationLog(**note, **words, **who).post()
    events = listed(resources.EmsEvent)
    assert any("a note" in event["log_message"] for event in events)
    assert any(message["user"] == USER for message in listed(resources.SecurityAuditLog))
    assert {job["state"] for job in listed(resources.Job)} == {"success"}
    for kind, parents in (
        (resources.ClusterMetrics, ()),
        (resources.PerformanceLunMetric, (lun.uuid,)),
        (resources.PerformanceIscsiMetric, (svm.uuid,)),
        (resources.PerformanceNvmeMetric, (svm.uuid,)),
    ):
        # Nothing counts in this array; the client must take the answer all the same.
        assert listed(kind, *parents, interval="1h") == []


def test_the_end_of_everything(volume: Any, svm: Any, aggregate: Any) -> None:
    assert refusal(svm.delete, poll_timeout=60)
    volume.delete(poll_timeout=60)
    for kind in (resources.IscsiService, resources.NvmeService):
        service = kind(svm={"uuid": svm.uuid})
        service.enabled = False
        service.patch()
        service.delete()
    svm.delete(poll_timeout=60)
    aggregate.delete(poll_timeout=60)
    assert resources.Aggregate.count_collection() == 0
