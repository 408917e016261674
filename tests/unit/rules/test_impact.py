"""The hosts that a change concerns: those that see the devices of what changes."""

from __future__ import annotations

import pytest
from beginnings import prepared_once
from exports import KINDS, NVME, SCSI, Kind, prepare
from in_process import Array

from sanstone.core.database.store import reading
from sanstone.model.observations import ISCSI_SESSIONS, NVME_CONTROLLERS
from sanstone.rules.impact import ConnectedHost, connected_hosts


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with a host of each kind connected, and one device of two mapped to it."""
    prepare(api, 2)
    [svm] = api.records("svm/svms")
    for kind in KINDS:
        kind.make_group(api, kind.group)
        api.make(kind.maps, kind.entry(0, kind.group))
    session = {"svm": svm["uuid"], "initiator": SCSI.host, "tag": 1}
    api.observe(ISCSI_SESSIONS, f"{svm['uuid']}/1/1", **session)
    [subsystem] = api.records(NVME.groups)
    controller = {"subsystem": subsystem["uuid"], "host_nqn": NVME.host, "port": 1}
    api.observe(NVME_CONTROLLERS, f"{subsystem['uuid']}/1", **controller)
    return api


@pytest.mark.parametrize(("kind", "protocol"), [(SCSI, "iscsi"), (NVME, "nvme")])
def test_hosts_of_a_map_and_of_what_it_connects(array: Array, kind: Kind, protocol: str) -> None:
    [entry] = array.records(kind.maps)
    [other] = array.records(f"{kind.devices}?name={kind.path(1)}")
    device, group = entry[kind.device]["uuid"], entry[kind.group]["uuid"]
    key = entry["_links"]["self"]["href"].rpartition(f"{kind.maps}/")[2]
    concerned = [
        f"{kind.maps}:{key}",
        f"{kind.devices}:{device}",
        f"{kind.groups}:{group}",
        f"storage/volumes:{array.records('storage/volumes')[0]['uuid']}",
    ]
    with reading(array.database) as session:
        for owner in concerned:
            hosts = connected_hosts(session, [owner])
            assert ConnectedHost(protocol, kind.host) in hosts, owner
        assert connected_hosts(session, [f"{kind.devices}:{other['uuid']}"]) == []
