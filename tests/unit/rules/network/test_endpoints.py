"""The endpoints of LIFs: ids by which hosts know where they reach a transport."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import NODE_UUID, Array
from sqlalchemy import delete, select

from sanstone.core.database.store import reading, writing
from sanstone.model.cluster import Cluster
from sanstone.model.network import IpEndpoint
from sanstone.rules.network import endpoints
from sanstone.rules.network.endpoints import LARGEST_ID

LIFS = "network/ip/interfaces"


@pytest.fixture
@prepared_once
def network(api: Array) -> Array:
    """An array with an SVM and the port e0a."""
    api.svm()
    api.observe("network/ethernet/ports", "e0a", mtu=1500, up=True, carrier=True, kind="")
    return api


def lif(name: str = "lif1", address: str = "10.10.1.7", **more: Any) -> dict[str, Any]:
    """Return the body that makes a LIF on e0a."""
    body = {"name": name, "svm.name": "svm1", "ip.address": address, "ip.netmask": "24"}
    return body | {"location.home_port.name": "e0a"} | more


def ids(array: Array, uuid: str) -> dict[str, int]:
    """Return the ids of a LIF's endpoints by transport."""
    with reading(array.database) as session:
        rows = session.scalars(select(IpEndpoint).filter_by(interface_uuid=uuid)).all()
        assert all(row.node_uuid == NODE_UUID for row in rows)
        return {row.protocol: row.id for row in rows}


def policy(array: Array, uuid: str, name: str) -> None:
    """Give a LIF another service policy."""
    array.patch(f"{LIFS}/{uuid}", {"service_policy.name": name})


def test_a_lif_has_one_for_each_transport_that_its_policy_offers(network: Array) -> None:
    every = network.make(LIFS, lif())["uuid"]
    one = lif("lif2", "10.10.1.8", **{"service_policy.name": "default-data-iscsi"})
    assert list(ids(network, every)) == ["iscsi", "nvme_tcp"]
    assert list(ids(network, network.make(LIFS, one)["uuid"])) == ["iscsi"]


def test_an_interface_for_management_has_none(network: Array) -> None:
    body = lif() | {"svm.name": None, "scope": "cluster"}
    del body["svm.name"]
    assert ids(network, network.make(LIFS, body)["uuid"]) == {}


def test_another_policy_adds_what_it_offers(network: Array) -> None:
    uuid = network.make(LIFS, lif(**{"service_policy.name": "default-data-iscsi"}))["uuid"]
    before = ids(network, uuid)
    policy(network, uuid, "default-data-blocks")
    assert ids(network, uuid)["iscsi"] == before["iscsi"]
    assert ids(network, uuid)["nvme_tcp"] > before["iscsi"]


def test_hosts_find_the_same_id_where_a_policy_comes_back(network: Array) -> None:
    uuid = network.make(LIFS, lif())["uuid"]
    before = ids(network, uuid)
    policy(network, uuid, "default-data-nvme-tcp")
    policy(network, uuid, "default-data-blocks")
    assert ids(network, uuid) == before


def test_ids_are_never_given_twice(network: Array) -> None:
    first = network.make(LIFS, lif())["uuid"]
    before = ids(network, first)
    network.delete(f"{LIFS}/{first}")
    assert ids(network, first) == {}
    after = ids(network, network.make(LIFS, lif())["uuid"])
    assert max(before.values()) < min(after.values())


def test_a_lif_that_cannot_be_goes_with_its_endpoints(network: Array) -> None:
    network.failures = {LIFS: ("1", "the port refuses")}
    network.call("POST", LIFS, lif())
    with reading(network.database) as session:
        assert session.scalars(select(IpEndpoint)).all() == []


def test_ids_end_where_the_kernel_has_no_more(network: Array) -> None:
    with writing(network.database) as session:
        session.scalars(select(Cluster)).one().next_number = LARGEST_ID
    body = lif(**{"service_policy.name": "default-data-iscsi"})
    assert ids(network, network.make(LIFS, body)["uuid"]) == {"iscsi": LARGEST_ID}
    network.refuse("POST", LIFS, "8", lif("lif2", "10.10.1.8"))


def test_a_release_that_knows_more_transports_gives_lifs_theirs(network: Array) -> None:
    uuid = network.make(LIFS, lif())["uuid"]
    before = ids(network, uuid)
    with writing(network.database) as session:
        session.execute(delete(IpEndpoint).where(IpEndpoint.protocol == "nvme_tcp"))
    for _ in range(2):
        with writing(network.database) as session:
            endpoints.ensure_all(session)
    after = ids(network, uuid)
    assert after == {"iscsi": before["iscsi"], "nvme_tcp": before["nvme_tcp"] + 1}
