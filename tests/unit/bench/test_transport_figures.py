"""Every transport's figures stand beside those on the array, and NVMe's beside SCSI's."""

from __future__ import annotations

from bench import report
from bench.fio import Load, Result
from bench.report import Line
from bench.transports import COLUMNS, lines

LOAD = Load("4 KiB random read", "read", "4k", 32, 4, "rand")
RATES = (50_000, 10_000, 8_000, 9_000, 5_000, 12_000, 10_000, 20_000)


def printed_lines() -> list[Line]:
    """Return the lines of one load."""
    results = {
        name: Result(rate, 0, 0, 9_000.0, 40_000.0, 60.0 + number)
        for number, (name, rate) in enumerate(zip(COLUMNS, RATES, strict=True))
    }
    return list(lines(LOAD, results))


def test_each_is_put_beside_the_array_and_nvme_beside_its_peer() -> None:
    against = {line.who: line.against for line in printed_lines() if line.unit == "IOPS"}
    assert against == {
        "on the array": "",
        "iSCSI": "0.20 x local",
        "iSER": "0.16 x local",
        "SRP": "0.18 x local",
        "FCP": "0.10 x local",
        "NVMe/TCP": "0.24 x local, 1.20 x iSCSI",
        "NVMe/RDMA": "0.20 x local, 1.25 x iSER",
        "NVMe/FC": "0.40 x local, 4.00 x FCP",
    }


def test_the_processor_of_a_host_and_its_array_is_put_beside_none() -> None:
    spent = {line.who: line for line in printed_lines() if line.unit == "µs each"}
    assert spent["NVMe/TCP"].against == "1.07 x iSCSI"
    assert (spent["NVMe/FC"].number, spent["NVMe/FC"].against) == ("67.0", "")


def test_the_table_has_a_column_for_each_transport_and_a_row_for_each_figure() -> None:
    head, _, *rows = report.across(printed_lines()).splitlines()
    assert head == f"| what | {' | '.join(COLUMNS)} |"
    assert [row.split(" | ")[0] for row in rows] == [
        "| 4 KiB random read, IOPS",
        "| 4 KiB random read: median latency, ms",
        "| 4 KiB random read: 99th percentile, ms",
        "| 4 KiB random read: array's processor, µs each",
    ]
    assert rows[0].split(" | ")[6] == "12,000 (0.24 x local, 1.20 x iSCSI)"
