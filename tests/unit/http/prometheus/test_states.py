"""The array's state in a scrape."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scenarios import aggregate, chain, igroup, iscsi, lifs, lun, lun_map, svm, volume
from simulator import LOGIN, Simulator, simulated
from standing_clock import now

from sanstone import __version__
from sanstone.core import build, events, jobs
from sanstone.core.database.store import writing
from sanstone.core.events import Event
from sanstone.core.history import space_history
from sanstone.core.history.metrics_file import DAY
from sanstone.core.history.space_history import Space
from sanstone.core.jobs import Job
from sanstone.core.observed import Observed

HOSTS = chain(aggregate, svm, lifs, volume, lun, iscsi, igroup, lun_map)


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array with a host that may reach a LUN."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder) as simulator:
        HOSTS(simulator)
        yield simulator


def scraped(array: Simulator) -> dict[str, float]:
    """Return the figures by name with labels."""
    response = array.client.get("/api/metrics", auth=LOGIN)
    assert response.status_code == 200
    lines = [line for line in response.text.splitlines() if not line.startswith("#")]
    values = {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}
    assert len(values) == len(lines), "no line comes twice"
    return values


def test_which_array_it_is(array: Simulator) -> None:
    info = f'array="array",serial_number="{"5a" * 16}",release="{__version__}"'
    info += f',build="{build.running().commit}",kernel="{build.kernel()}"'
    assert scraped(array)[f"sanstone_array_info{{{info}}}"] == 1


def test_each_metric_has_one_type_and_help(array: Simulator) -> None:
    text = array.client.get("/api/metrics", auth=LOGIN).text
    described = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")]
    assert len(described) == len(set(described))
    names = {line.partition("{")[0].split()[0] for line in text.splitlines() if line[0] != "#"}
    ends = ("_bucket", "_sum", "_count")
    assert {name for name in names if name not in described and not name.endswith(ends)} == set()


def test_capacity_of_aggregates_and_volumes(array: Simulator) -> None:
    values = scraped(array)
    [record] = array.get("storage/aggregates?fields=space.block_storage")["records"]
    space = record["space"]["block_storage"]
    labels = '{aggregate="aggr1"}'
    assert values[f"sanstone_aggregate_size_bytes{labels}"] == space["size"]
    assert values[f"sanstone_aggregate_used_bytes{labels}"] == space["used"]
    assert values[f"sanstone_aggregate_online{labels}"] == 1
    [record] = array.get("storage/volumes?fields=size")["records"]
    assert values['sanstone_volume_size_bytes{svm="svm1",volume="vol1"}'] == record["size"]
    assert 'sanstone_volume_used_bytes{svm="svm1",volume="vol1"}' in values


def test_when_an_aggregate_will_be_full(array: Simulator) -> None:
    name = 'sanstone_aggregate_full_timestamp_seconds{aggregate="aggr1"}'
    assert name not in scraped(array)
    moment = now()
    [uuid] = [each["uuid"] for each in array.get("storage/aggregates")["records"]]
    for age in range(10, -1, -1):
        space = {("storage/aggregates", uuid): Space(size=2000, used=1000 - 10 * age)}
        space_history.record(moment - age * DAY, space)
    assert scraped(array)[name] == pytest.approx(moment + 100 * DAY, abs=DAY)


def test_disks_that_raid_groups_lack(array: Simulator) -> None:
    name = 'sanstone_raid_group_missing_disks{aggregate="aggr1",raid_group="0"}'
    before = scraped(array)
    assert before[name] == 0
    [disk] = array.get("storage/disks?aggregates.name=aggr1&max_records=1&fields=uid")["records"]
    with writing(array.database) as session:
        aggregate_row = session.query(Observed).filter_by(kind="storage/aggregates").one()
        [group] = aggregate_row.data["raid"]
        aggregate_row.data = aggregate_row.data | {"raid": [group | {"degraded": 2}]}
        disk_row = session.get_one(
            Observed, ("storage/disks", disk["uid"], aggregate_row.node_uuid)
        )
        health = {"passed": False, "life_used": 95}
        disk_row.data = disk_row.data | {"present": False, "health": health}
        disk_row.data |= {"readings": {"temperature": 41}}
    values, labels = scraped(array), f'disk="{disk["name"]}"'
    assert values[name] == 2
    assert before[f'sanstone_disk_state{{{labels},state="present"}}'] == 1
    assert values[f'sanstone_disk_state{{{labels},state="removed"}}'] == 1
    assert values[f"sanstone_disk_healthy{{{labels}}}"] == 0
    assert values[f"sanstone_disk_life_used_ratio{{{labels}}}"] == 0.95
    assert values[f"sanstone_disk_temperature_celsius{{{labels}}}"] == 41
    assert f"sanstone_disk_healthy{{{labels}}}" not in before, "its health is unknown yet"


def test_paths_and_logins_of_hosts(array: Simulator) -> None:
    values = scraped(array)
    listed = array.get("protocols/san/paths?fields=state")["records"]
    paths = {name: value for name, value in values.items() if name.startswith("sanstone_paths")}
    assert sum(paths.values()) == len(listed) > 0
    assert paths == {'sanstone_paths{svm="svm1",state="never"}': len(listed)}
    for transport in ("iscsi", "nvme", "fcp", "srp"):
        assert values[f'sanstone_sessions{{transport="{transport}"}}'] == 0


def test_faults_that_last_and_jobs_that_failed(array: Simulator) -> None:
    last = "sanstone_job_last_failure_timestamp_seconds"
    before = scraped(array)
    assert last not in before
    with writing(array.database) as session:
        for name in ("lif.down", "lif.down", "disk.wear"):
            columns = {"severity": events.ALERT, "message": "…", "open": True}
            session.add(Event(name=name, **columns))
        for end in (7.0, 1000.5):
            session.add(Job(description="POST /api", state=jobs.FAILURE, end_time=end))
    values = scraped(array)
    assert values['sanstone_open_conditions{severity="alert"}'] == 3
    assert values['sanstone_open_conditions_by_name{severity="alert",name="lif.down"}'] == 2
    assert values['sanstone_jobs{state="failure"}'] == 2
    assert values[last] == 1000.5


def test_memory_of_the_node_and_certificates(array: Simulator) -> None:
    [node] = array.get("cluster/nodes?fields=controller.memory_size,uptime")["records"]
    array.make("security/certificates", {"type": "root_ca", "name": "ca", "common_name": "ca"})
    values = scraped(array)
    labels = '{node="array-01"}'
    assert values[f"sanstone_node_memory_bytes{labels}"] == node["controller"]["memory_size"]
    assert values[f"sanstone_node_memory_available_bytes{labels}"] > 0
    assert values[f"sanstone_node_uptime_seconds{labels}"] == node["uptime"]
    expiry = 'sanstone_certificate_expiry_timestamp_seconds{certificate="ca",type="root_ca"}'
    assert values[expiry] > now()
