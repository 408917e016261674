"""iSCSI sessions as they were observed."""

from __future__ import annotations

import pytest
from beginnings import prepared_once
from in_process import Array
from sqlalchemy import select

from sanstone.core.database.store import reading
from sanstone.model.network import IpEndpoint

SESSIONS = "protocols/san/iscsi/sessions"
HOST = "iqn.1994-05.com.redhat:host1"


@pytest.fixture
@prepared_once
def svm(api: Array) -> str:
    """The UUID of an SVM with the LIF lif1, the igroup `hosts` and a session of HOST."""
    uuid = str(api.svm()["uuid"])
    api.observe("network/ethernet/ports", "e0a", mtu=1500, up=True, carrier=True, kind="")
    lif = {
        "name": "lif1",
        "svm.name": "svm1",
        "ip.address": "10.10.1.7",
        "ip.netmask": 24,
    }
    api.make("network/ip/interfaces", lif | {"location.home_port.name": "e0a"})
    body = {
        "svm.name": "svm1",
        "name": "hosts",
        "os_type": "linux",
        "initiators": [HOST],
    }
    api.make("protocols/san/igroups", body)
    with reading(api.database) as session:
        tag = session.scalars(select(IpEndpoint.id).filter_by(family="scsi")).one()
    for tsih, group in ((1, tag), (2, 999)):
        api.observe(
            SESSIONS,
            f"{uuid}/{group}/{tsih}",
            svm=uuid,
            tag=group,
            tsih=tsih,
            initiator=HOST,
            isid="00023d000001",
            alias="host1",
            connections=[
                {
                    "cid": 0,
                    "port": 3260,
                    "initiator_address": "10.10.1.100",
                    "state": "logged_in",
                }
            ],
        )
    return uuid


def test_a_session_is_shown_with_its_path(api: Array, svm: str) -> None:
    record = api.get(f"{SESSIONS}/{svm}/lif1/1")
    assert record["svm"]["name"] == "svm1"
    assert (record["target_portal_group"], record["tsih"]) == ("lif1", 1)
    assert record["initiator"] == {"name": HOST, "alias": "host1"}
    assert record["isid"] == "00023d000001"
    assert [igroup["name"] for igroup in record["igroups"]] == ["hosts"]
    assert record["connections"] == [
        {
            "cid": 0,
            "interface": {"name": "lif1", "ip": {"address": "10.10.1.7", "port": 3260}},
            "initiator_address": {"address": "10.10.1.100"},
        }
    ]


def test_sessions_are_found_by_initiator_and_igroup(api: Array, svm: str) -> None:
    assert len(api.records(f"{SESSIONS}?initiator.name={HOST}")) == 2
    assert len(api.records(f"{SESSIONS}?igroups.name=hosts&target_portal_group=lif1")) == 1


def test_a_session_outlives_its_lif(api: Array, svm: str) -> None:
    record = api.get(f"{SESSIONS}/{svm}/999/2")
    assert record["connections"] == [
        {
            "cid": 0,
            "interface": {"ip": {"port": 3260}},
            "initiator_address": {"address": "10.10.1.100"},
        }
    ]


def test_a_session_of_a_vanished_svm_is_left_out(api: Array, svm: str) -> None:
    unknown = "00000000-0000-4000-8000-000000000000"
    api.observe(
        SESSIONS, f"{unknown}/1/1", svm=unknown, tag=1, tsih=1, initiator=HOST, connections=[]
    )
    assert len(api.records(SESSIONS)) == 2
