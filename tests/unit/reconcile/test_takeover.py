"""An array of the release before is taken over: hosts and clients do not notice.

Once while it serves, after its reconciler was killed; once after a reboot into this release. The
differences are listed here, each with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from machine_state import comparable, pools
from release_before import answers, taken_over
from scenarios import LUNS, NAMESPACES
from simulator import Simulator
from sqlalchemy import select

from sanstone.core.database.change import Removal
from sanstone.core.database.store import reading
from sanstone.kernel import names
from sanstone.kernel.target.nvmet import MAX_BLOCK_SIZE

GROUPS, JOBS = "application/consistency-groups", "cluster/jobs"
AGGR1_GROUP = "sanstone_00000012000040008000000000000012"
AGGR2_GROUP = "sanstone_00000014000040008000000000000014"
DELETED = "00000047-0000-4000-8000-000000000047"
"""The LUN with a request for its deletion."""
DELETED_DATA = [(f"{AGGR2_GROUP}-pool", 8)]
TAKEN_BY_JOBS = "space of aggr2, whose second RAID group came to its end"
ANSWERED_OTHERWISE = {
    rf"{JOBS} \[\d+\]\.?(objects.*|cancelable|progress\.percent|confirm_.*)": "new fields",
    r"support/ems/events \[\d+\]\.(active|object.*|acknowledged.*|corrective_action)": "new fields",
    r"support/ems/events \[\d+\]\.manual": "a new field",
    r"support/ems/events ( length|\[1\].*)": "the kernel of then sets no space aside",
    rf"{GROUPS} \[\d+\]\.(snapshot_policy|luns|namespaces|volumes\[\d+\]\.space)\b.*": "new fields",
    rf"{GROUPS}/.*/snapshots \[\d+\]\.(is_partial|write_fence)": "new fields",
    rf"{GROUPS}/.*/snapshots \[\d+\]\.(missing_volumes|snapshot_volumes)\b.*": "new fields",
    rf"{GROUPS}/.*/snapshots \[\d+\]\.(luns|namespaces)\b.*": "new fields",
    r"storage/disks \[\d+\]\.(raid_group|discards|sanitize|outage)\b.*": "new fields",
    r"storage/aggregates \[\d+\]\.block_storage\.primary\.bytes_per_sector": "a new field",
    r"storage/aggregates \[\d+\]\.block_storage\.(raid_groups\[\d\]\.)?tolerated_.*": "new fields",
    r"storage/aggregates \[\d+\]\.block_storage\.(raid_groups\[\d\]\.)?degraded_.*": "new fields",
    r"storage/aggregates \[\d+\]\.block_storage\.fitting_spares": "a new field",
    r"storage/aggregates \[\d+\]\.scrub\..*": "new fields",
    r"protocols/nvme/services \[\d+\]\.mdns_service_discovery_enabled": "a new field",
    rf"{JOBS} \[(7[4-7])\].(state|message|end_time)": "these jobs have ended",
    r"storage/aggregates \[1\].block_storage.raid_groups(\[1\]| length).*": TAKEN_BY_JOBS,
    r"storage/aggregates \[1\].space.block_storage.(size|available)": TAKEN_BY_JOBS,
    r"network/ip/interfaces \[\d+\]\.rdma_protocols.*": "a new field",
    r"network/ip/interfaces \[5\]\.location\.failover": "those of management leave a dead port",
    r"svm/svms \[\d+\]\.srp.*": "new fields",
    r"storage/volumes \[\d+\]\.(space\.(afs_total|percent_used)|guarantee\.honored)": "new fields",
    r"storage/volumes \[\d+\]\.space\.(snapshot\.autodelete\..*|mgmt_try_first)": "defaults",
    r"storage/volumes \[\d+\]\.autosize\.((max|min)imum|(grow|shrink)_threshold)": "defaults",
    r"storage/volumes \[\d+\]\.efficiency\.volume_path": "a new field",
    r"storage/volumes \[\d+\]\.(is_constituent|is_object_store)": "new fields",
    r"storage/volumes \[\d+\]\.(anti_ransomware|snapmirror)\..*": "new fields",
    r"storage/shelves \[\d+\]\.local": "a new field",
    r"network/ip/service-policies ( length|\[(8|9|1\d)\].*)": "SRP's, before that of management",
    r"network/ip/interfaces \[\d+\]\.services( length|\[3\])": "management has SNMP's",
    r"cluster(/nodes)? \[0\]\.version\.(build\..*|full|kernel|release)": "which build runs",
    r"cluster/nodes \[0\].date": "the clock",
    r"cluster(/nodes)? \[0\]\.management_interfaces( length|\[1\].*)": "DHCP's address is shown",
    r".*\.metric\.timestamp": "the clock",
}
"""By collection, record and field: why today's answer may be another."""
FOR_SNMP = r"own_datagrams|^\t\ttype inet_service$"
FOR_ROCE = "datagrams_[46]"
FOR_HOSTS = "hosts_[46]"
"""Sets and rules of the firewall that the release before had not."""
NEGOTIATED = (
    r"/tpgt_\d+/param/(InitialR2T|FirstBurstLength|Max(BurstLength|OutstandingR2T"
    r"|RecvDataSegmentLength)) = |/tpgt_\d+/attrib/login_timeout = "
)
"""Bursts of iSCSI, which are larger in sessions that begin from now on, and how long that takes."""

ANNOUNCED = (
    r"^\t\t(iifname @announced .*|type ifname|elements = \{ \"a0a-1092\", \"e0a\", \"e0b\" \})$"
    r"|^\tset announced \{$"
)
"""New in the firewall: multicast DNS, on the links that serve NVMe."""

RELEASE = r"/attr_firmware = |/wwn/revision = "
"""The release, which hosts read as a device's firmware or revision."""

Contents = dict[tuple[str, int], dict[int, int]]


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array of the release before, to which this release has just come."""
    folder = tmp_path / "array"
    folder.mkdir()
    with taken_over(folder) as simulator:
        yield simulator


def uuid_of(array: Simulator, path: str, name: str) -> str:
    """Return the UUID of an object of svm1."""
    (record,) = array.get(f"{path}?svm.name=svm1&name={name}")["records"]
    return str(record["uuid"])


def steps(array: Simulator) -> list[str]:
    """Let the reconciler look at everything; return its changes.

    Each start has targets read sizes anew: that counts as none.
    """
    before = len(array.kernel.interrupt.log)
    array.settle()
    return [s for s in array.kernel.interrupt.log[before:] if "revalidate_size" not in s]


def flat(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Return the leaves of an answer with their places in it."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from flat(each, f"{place}.{name}")
    elif isinstance(value, list):
        yield f"{place} length", len(value)
        for number, each in enumerate(value):
            yield from flat(each, f"{place}[{number}]")
    else:
        yield place, value


def contents(array: Simulator) -> Contents:
    """Return by pool and thin id which blocks each volume maps."""
    return {
        (name, thin_id): dict(blocks)
        for name, pool in pools(array.kernel).items()
        for thin_id, blocks in pool.volumes.items()
    }


def volumes_with_lost_data(before: Contents, now: Contents) -> list[tuple[str, int]]:
    """Return the volumes that do not hold what they held before."""
    return [volume for volume, blocks in before.items() if now.get(volume) != blocks]


def exports(array: Simulator) -> list[str]:
    """Return the lines of the targets' configuration, but for the release and negotiations."""
    lines = array.kernel.configfs.dump().splitlines()
    return [line for line in lines if not re.search(f"{NEGOTIATED}|{RELEASE}", line)]


def test_hosts_see_the_same_devices(array: Simulator) -> None:
    targets, addresses = exports(array), array.kernel.network.dump()
    firewall = array.kernel.nftables.dump()
    array.settle()
    assert exports(array) == targets
    assert array.kernel.network.dump() == addresses
    changed = set(array.kernel.nftables.dump().splitlines()) ^ set(firewall.splitlines())
    expected = f"{FOR_SNMP}|{FOR_ROCE}|{FOR_HOSTS}|{ANNOUNCED}"
    assert {line for line in changed if not re.search(expected, line)} == set()


def test_only_the_unfinished_jobs_change_devices(array: Simulator) -> None:
    created = uuid_of(array, LUNS, "/vol/vol2/late")
    in_snapshot = {
        uuid_of(array, LUNS, "/vol/vol2/lun1"),
        uuid_of(array, NAMESPACES, "/vol/vol2/ns1"),
        created,
    }
    with reading(array.database) as session:
        # A hidden device reports how much the volume to destroy maps.
        [probe] = session.scalars(select(Removal.uuid).where(Removal.kind == "thin"))
    before = contents(array)
    log = steps(array)
    touched = {
        verb: {m[1] for s in log if (m := re.match(rf"dm {verb} sanstone-([\da-f-]{{36}})", s))}
        for verb in ("create", "load", "suspend", "remove")
    }
    assert touched == {
        "create": {created, probe},
        "load": {created, probe},
        "suspend": in_snapshot,
        "remove": {DELETED, probe},
    }
    assert volumes_with_lost_data(before, contents(array)) == DELETED_DATA


def test_4_kib_blocks_are_shown_by_what_showed_them_before(array: Simulator) -> None:
    """That changes at the next activation, when no host uses them."""
    devices = {
        names.device(uuid_of(array, NAMESPACES, f"/vol/{volume}/ns1"))
        for volume in ("vol1", "vol2")
    }
    before = {name: array.kernel.mapper.table(name) for name in devices}
    assert {table.kind for [table] in before.values()} == {"crypt"}
    array.settle()
    assert {name: array.kernel.mapper.table(name) for name in devices} == before


def test_clients_are_answered_the_same(array: Simulator) -> None:
    array.settle()
    differences = set()
    for path, records in answers().items():
        now = array.get(f"{path}?fields=**")
        was, now_shown = dict(flat(records)), dict(flat(now.get("records", [now])))
        for place in was.keys() | now_shown.keys():
            if was.get(place) != now_shown.get(place):
                differences.add(f"{path} {place}")
    unexplained = {
        each
        for each in differences
        if not any(re.fullmatch(pattern, each) for pattern in ANSWERED_OTHERWISE)
    }
    assert unexplained == set()


def test_a_second_look_finds_nothing_to_do(array: Simulator) -> None:
    array.settle()
    array.start()
    assert steps(array) == []


def test_the_jobs_that_were_not_finished_end(array: Simulator) -> None:
    array.settle()
    unfinished = "state=!success&fields=description,state,message"
    assert array.get(f"{JOBS}?{unfinished}")["records"] == []
    aggregate = array.get("storage/aggregates?name=aggr2&fields=block_storage")["records"][0]
    raid_groups = aggregate["block_storage"]["raid_groups"]
    assert [group["state"] for group in raid_groups] == ["clean", "clean"]
    late = array.get(f"{LUNS}/{uuid_of(array, LUNS, '/vol/vol2/late')}?fields=status.state")
    assert late["status"]["state"] == "online"


def test_accounts_can_still_log_in(array: Simulator) -> None:
    array.settle()
    for name, path, status in (
        ("ann", "storage/volumes", 200),
        ("joe", LUNS, 200),
        ("joe", "storage/volumes", 403),
        ("vsadmin", "svm/svms", 200),
    ):
        login = (name, "made up 1")
        assert array.client.get(f"/api/{path}", auth=login).status_code == status, (name, path)


@pytest.mark.parametrize("kind", ["thin", "crypt"])
def test_all_exports_are_back_after_a_reboot(array: Simulator, kind: str) -> None:
    of_4_kib = [uuid_of(array, NAMESPACES, f"/vol/{name}/ns1") for name in ("vol1", "vol2", "vol4")]
    created = uuid_of(array, LUNS, "/vol/vol2/late")
    explained = {
        DELETED: "it is deleted",
        created: "it is created",
        f"^{AGGR1_GROUP} ": "the new snapshot is in its pool",
        f"^{AGGR2_GROUP}|^md_sanstone-00000014-1 ": TAKEN_BY_JOBS,
        "md_sanstone-00000012-0": "the disk that had failed was assembled again",
        NEGOTIATED: "hosts log in anew",
        RELEASE: "it is another one",
        "/param_(inline_data_size|mdts) = ": "hosts connect anew",
        FOR_SNMP: "the firewall knows SNMP",
        FOR_ROCE: "the firewall knows RoCE",
        FOR_HOSTS: "the firewall bounds connections of hosts",
        ANNOUNCED: "hosts may ask",
    }
    if kind == "thin":
        explained[f"^sanstone-({'|'.join(of_4_kib)})(-thin)? "] = "nvmet shows larger blocks"
        explained["^/sys/module|/block_size = "] = "by this"
    else:
        array.kernel.known_files.pop(MAX_BLOCK_SIZE)
    before, content = comparable(array.kernel), contents(array)
    array.reboot()
    array.settle()
    changed = set(before) ^ set(comparable(array.kernel))
    assert {
        line for line in changed if not any(re.search(each, line) for each in explained)
    } == set()
    for uuid in of_4_kib:
        assert array.kernel.mapper.table(names.device(uuid))[0].kind == kind
    assert volumes_with_lost_data(content, contents(array)) == DELETED_DATA
    array.start()
    assert steps(array) == []
