"""NetApp's Python client, `netapp-ontap`, creates, reads, changes and deletes block storage.

The client checks answers against NetApp's own description: a serial number of a wrong
length or a word that is not in a list makes a call fail here that a looser client would accept.
"""

from __future__ import annotations

from typing import Any

import pytest
from conftest import USER
from netapp_ontap import resources
from python_client import (
    GIB,
    HOST_IQN,
    HOST_NQN,
    MIB,
    PSK,
    SVM,
    changed,
    created,
    listed,
    refusal,
    shown,
)

pytestmark = pytest.mark.usefixtures("connection")


def test_observed_objects() -> None:
    [node] = listed(resources.Node)
    assert node["state"] == "up"
    assert {disk["container_type"] for disk in listed(resources.Disk)} >= {"spare"}
    assert {port["name"] for port in listed(resources.Port)} >= {"e0a", "e0b"}
    assert resources.Disk.count_collection() == 9


def test_aggregate(aggregate: Any) -> None:
    assert shown(aggregate)["state"] == "online"
    assert changed(aggregate, name="renamed")["name"] == "renamed"
    assert changed(aggregate, name="aggr1")["name"] == "aggr1"


def test_an_aggregate_is_simulated(aggregate: Any) -> None:
    new = resources.Aggregate(name="aggr2")
    new.block_storage = {"primary": {"disk_count": 2, "raid_type": "raid1"}}
    answer = new.post(simulate=True).http_response.json()
    [record] = answer["records"]
    assert record["block_storage"]["primary"]["disk_count"] == 2
    assert record["space"]["block_storage"]["size"] > 0
    assert [warning["name"] for warning in answer["warnings"]] == ["aggr2"]
    assert resources.Aggregate.find(name="aggr2") is None
    before = shown(aggregate)
    grown = resources.Aggregate(uuid=aggregate.uuid)
    grown.name = "renamed"
    answer = grown.patch(simulate=True).http_response.json()
    assert [each["name"] for each in answer["records"]] == ["renamed"]
    grown.block_storage = {"primary": {"disk_count": 99}}
    assert refusal(grown.patch, simulate=True) == "19726341"
    assert shown(aggregate)["block_storage"] == before["block_storage"]
    assert shown(aggregate)["name"] == before["name"]
    assert list(resources.Aggregate.get_collection(show_spares=True)) == []
    [recommended] = resources.Aggregate.get_collection(recommend=True, fields="**")
    assert recommended.block_storage.primary.simulated_raid_groups[0].name.endswith("/rg0")


def test_svm(svm: Any) -> None:
    record = shown(svm)
    assert (record["state"], record["iscsi"]["enabled"]) == ("running", True)
    assert changed(svm, comment="a tenant")["comment"] == "a tenant"
    other = created(resources.Svm, name="svm2")
    assert changed(other, state="stopped")["state"] == "stopped"
    other.delete(poll_timeout=3600)
    assert resources.Svm.find(name="svm2") is None
    assert refusal(resources.Svm(name="svm1").post) == "13434908"


def test_volume(volume: Any) -> None:
    assert shown(volume)["state"] == "online"
    grown = changed(volume, size=3 * GIB, comment="grown")
    assert (grown["size"], grown["comment"]) == (3 * GIB, "grown")
    match = resources.Volume.find(name="vol1", **{"svm.name": "svm1"})
    assert match.uuid == volume.uuid


def test_lun(lun: Any) -> None:
    values = shown(lun)
    assert len(values["serial_number"]) == 12
    assert not values["status"]["mapped"]
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


def test_a_lun_is_converted_to_a_namespace_and_back(lun: Any) -> None:
    before = shown(lun)
    namespace = created(resources.NvmeNamespace, svm=SVM, convert={"lun": {"name": lun.name}})
    record = shown(namespace)
    assert (record["name"], record["space"]["block_size"]) == (before["name"], 512)
    assert resources.Lun.count_collection() == 0
    again = created(resources.Lun, svm=SVM, convert={"namespace": {"uuid": namespace.uuid}})
    record = shown(again)
    for name in ("name", "os_type", "comment"):
        assert record.get(name) == before.get(name)
    assert record["space"]["size"] == before["space"]["size"]
    assert resources.NvmeNamespace.count_collection() == 0
    large = created(
        resources.NvmeNamespace,
        svm=SVM,
        name="/vol/vol1/large",
        os_type="linux",
        space={"size": 64 * MIB, "block_size": 4096},
    )
    refused = resources.Lun(svm=SVM, convert={"namespace": {"name": large.name}})
    assert refusal(refused.post) == "8"
    large.delete()


def test_igroup_and_map(lun: Any, igroup: Any) -> None:
    second = created(resources.IgroupInitiator, igroup.uuid, name=f"{HOST_IQN}-2", comment="x")
    assert len(shown(igroup)["initiators"]) == 2
    assert changed(second, comment="changed")["comment"] == "changed"
    second.delete(allow_delete_while_mapped=True)
    lun_map = created(
        resources.LunMap, svm=SVM, lun={"name": lun.name}, igroup={"name": igroup.name}
    )
    assert shown(lun_map)["logical_unit_number"] == 0
    assert shown(lun)["lun_maps"][0]["igroup"]["name"] == "group1"
    assert refusal(lun.delete) == "1254197"
    [node] = listed(resources.LunMapReportingNode, lun.uuid, igroup.uuid)
    assert node["uuid"]
    lun_map.delete()
    assert resources.LunMap.count_collection() == 0


def test_namespace_and_subsystem(volume: Any) -> None:
    space = {"size": 64 * MIB}
    namespace = created(
        resources.NvmeNamespace, name="/vol/vol1/ns1", svm=SVM, os_type="linux", space=space
    )
    assert changed(namespace, comment='{"a": 1}')["comment"] == '{"a": 1}'
    subsystem = created(resources.NvmeSubsystem, name="sub1", svm=SVM, os_type="linux")
    assert len(shown(subsystem)["serial_number"]) == 20
    tls = {"key_type": "configured", "configured_psk": PSK}
    host = created(resources.NvmeSubsystemHost, subsystem.uuid, nqn=HOST_NQN, tls=tls)
    assert shown(host)["nqn"] == HOST_NQN
    assert shown(host)["tls"] == {"key_type": "configured"}
    subsystem_map = created(
        resources.NvmeSubsystemMap,
        svm=SVM,
        namespace={"uuid": namespace.uuid},
        subsystem={"uuid": subsystem.uuid},
    )
    assert shown(subsystem_map)["nsid"] == "00000001h"
    assert shown(namespace)["subsystem_map"]["subsystem"]["name"] == "sub1"
    assert refusal(subsystem.delete) == "72090023"
    subsystem_map.delete()
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
    members_state = changed(lag, lag={"member_ports": members})["lag"]
    assert [port["name"] for port in members_state["active_ports"]] == ["e0c", "e0d"]
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
    credentials = created(
        resources.IscsiCredentials,
        svm=SVM,
        initiator=HOST_IQN,
        authentication_type="chap",
        chap=chap,
    )
    record = shown(credentials)
    assert record["chap"]["inbound"] == {"user": "host1"}
    assert changed(credentials, authentication_type="none")["authentication_type"] == "none"
    credentials.delete()
    [default] = listed(resources.IscsiCredentials, initiator="default")
    assert default["authentication_type"] == "none"


def test_snapshots_and_clones(volume: Any, lun: Any) -> None:
    snapshot = created(resources.Snapshot, volume.uuid, name="snap1", comment="first")
    assert shown(snapshot)["state"] == "valid"
    assert changed(snapshot, comment="changed")["comment"] == "changed"
    volume.patch(poll_timeout=3600, **{"restore_to.snapshot.name": "snap1"})
    parents = {"parent_volume": {"name": "vol1"}, "parent_snapshot": {"name": "snap1"}}
    clone = created(
        resources.Volume, name="clone1", svm=SVM, clone={"is_flexclone": True, **parents}
    )
    assert shown(clone)["clone"]["parent_snapshot"]["name"] == "snap1"
    assert resources.Lun.find(name="/vol/clone1/lun1").uuid != lun.uuid
    assert refusal(snapshot.delete) == "1638555"
    clone.delete(poll_timeout=3600)
    copy = created(
        resources.Lun, name="/vol/vol1/copy", svm=SVM, clone={"source": {"name": lun.name}}
    )
    assert shown(copy)["space"]["size"] == 64 * MIB
    copy.delete()
    snapshot.delete(poll_timeout=3600)


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
    snapshot.delete(poll_timeout=3600)
    group.delete(poll_timeout=3600)
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


def test_events_jobs_and_metrics(svm: Any, lun: Any) -> None:
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
    assert refusal(svm.delete, poll_timeout=3600)
    volume.delete(poll_timeout=3600)
    for kind in (resources.IscsiService, resources.NvmeService):
        service = kind(svm={"uuid": svm.uuid})
        service.enabled = False
        service.patch()
        service.delete()
    svm.delete(poll_timeout=3600)
    aggregate.delete(poll_timeout=3600)
    assert resources.Aggregate.count_collection() == 0
