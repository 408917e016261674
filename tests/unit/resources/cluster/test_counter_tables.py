"""Tables of counters show the node's load, in the forms that Cinder's driver needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from simulator import NODE_UUID, Simulator, simulated

from fakes.files import Text
from sanstone.reconcile.tasks.sampler import Sampler

TABLES = "cluster/counter/tables"
NOW = 1_800_014_400.0


@pytest.fixture(scope="module")
def array(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    """An array whose processors worked for 10 of 25 seconds."""
    with simulated(tmp_path_factory.mktemp("array")) as it:
        assert it.get(f"{TABLES}/wafl/rows")["records"] == [], "the node was never sampled"
        sampler = Sampler(it.kernel.host, it.database)
        sampler.sample(NOW)
        it.kernel.files.place("/proc/stat", Text("cpu  1000 100 400 2500 500 0 0 0 900 0\n"))
        sampler.sample(NOW + 15)
        yield it


def counters(array: Simulator, table: str, query: str) -> list[dict[str, Any]]:
    """Return the counters of the one row of the node, found as the driver finds it."""
    rows = f"{TABLES}/{table}/rows"
    [record] = array.get(f"{rows}?id=array-01:*")["records"]
    assert record["id"] == f"array-01:{NODE_UUID}"
    fields = "fields=id,counter_table.name,counters.*"
    [row] = array.get(f"{rows}?id={record['id']}&counters.name={query}&{fields}")["records"]
    assert row["counter_table"]["name"] == table
    values: list[dict[str, Any]] = row["counters"]
    return values


def test_processor_load_is_that_of_the_node(array: Simulator) -> None:
    statistics = array.get(f"cluster/nodes/{NODE_UUID}?fields=statistics")["statistics"]
    for table, busy, passed in (
        ("system:constituent", "average_processor_busy_percent", "cpu_elapsed_time"),
        ("processor", "busy_percent", "elapsed_time"),
    ):
        query = f"counter_schemas.name={busy}&fields=counter_schemas.*"
        schema = array.get(f"{TABLES}/{table}?{query}")["counter_schemas"][0]
        assert (schema["name"], schema["denominator"]["name"]) == (busy, passed)
        work, time = counters(array, table, f"{busy}|{passed}")
        assert (work["name"], work["value"], work["values"]) == (busy, 10_000_000, [10_000_000])
        assert (time["name"], time["value"]) == (passed, 25_000_000)
        assert work["value"] == statistics["processor_utilization_raw"] * 10_000
        assert time["value"] == statistics["processor_utilization_base"] * 10_000


def test_there_are_no_consistency_points(array: Simulator) -> None:
    query = "counter_schemas.name=cp_phase_times&fields=counter_schemas.*"
    schema = array.get(f"{TABLES}/wafl?{query}")["counter_schemas"][0]
    assert schema["denominator"]["name"] == "total_cp_msecs"
    phases, total = counters(array, "wafl", "total_cp_msecs|cp_phase_times")
    assert phases == {"name": "cp_phase_times", "labels": ["cp_p2_flush"], "values": [0]}
    assert total == {"name": "total_cp_msecs", "value": 0, "values": [0]}


def test_tables_and_rows_are_found_by_name(array: Simulator) -> None:
    names = [record["name"] for record in array.get(TABLES)["records"]]
    assert names == ["processor", "system:constituent", "wafl"]
    assert len(array.get(f"{TABLES}/*/rows")["records"]) == len(names)
    row = array.get(f"{TABLES}/wafl/rows/array-01:{NODE_UUID}")
    assert row["properties"][0] == {"name": "node.name", "value": "array-01"}
    for path in ("lun", "lun/rows", "wafl/rows/array-01:1"):
        assert array.call("GET", f"{TABLES}/{path}").status_code == 404
