"""`df`, `show-space` and `volume size` show space in ONTAP's columns."""

from __future__ import annotations

import pytest
from console import Console

from sanstone.shell.show import NOTHING

GIB = 1 << 20
"""Kilobytes."""
HEADING = "Filesystem kbytes used avail capacity Mounted on Vserver"


def lines(console: Console, line: str) -> list[list[str]]:
    return [each.split() for each in console.run(line).splitlines()]


def test_volumes_and_their_snapshots(console: Console) -> None:
    console.run("volume modify svm1 vol1 -percent-snapshot-space 20")
    console.run("lun modify svm1 /vol/vol1/lun1 -space-reserve enabled")
    assert lines(console, "df vol1") == [
        HEADING.split(),
        ["/vol/vol1/", str(16 * GIB), str(GIB), str(15 * GIB), "6%", "---", "svm1"],
        ["/vol/vol1/.snapshot", str(4 * GIB), "0", str(4 * GIB), "0%", "---", "svm1"],
        ["2", "entries", "were", "displayed."],
    ]
    console.run("volume modify svm1 vol1 -junction-path /one")
    assert console.table("volume show -volume vol1 -fields percent-used") == [["svm1", "vol1", "6"]]
    assert [row[5] for row in lines(console, "df /vol/vol1/")[1:3]] == ["/one", "/one/.snapshot"]


def test_unmeasured_space_has_no_figure(console: Console) -> None:
    console.run("snap create -vserver svm1 -volume vol1 -snapshot s1")
    assert lines(console, "df vol1")[2][1:5] == ["0", "-", "-", "-"]


@pytest.mark.parametrize(
    ("flag", "heading", "size"),
    [
        ("-h", "total", "30GB"),
        ("-g", "total", "30GB"),
        ("-m", "total", "30720MB"),
        ("-t", "total", "0.03TB"),
        ("-k", "kbytes", str(30 * GIB)),
        ("-gigabyte", "total", "30GB"),
    ],
)
def test_units(console: Console, flag: str, heading: str, size: str) -> None:
    rows = lines(console, f"df {flag} -x -vserver svm1 -volume vol2")
    assert [rows[0][1], rows[1][1]] == [heading, size] and len(rows) == 2


def test_two_units_are_refused(console: Console) -> None:
    assert "one unit" in console.refusal("df -m -g")


def test_aggregates(console: Console) -> None:
    heading, row = lines(console, "df -A -h")
    assert heading == ["Aggregate", "total", "used", "avail", "capacity"]
    assert row[0] == "aggr1" and row[4] == "0%"
    assert row[1] == console.table("aggr show -fields size")[0][1]
    assert lines(console, "df -aggregates")[0][1] == "kbytes"


def test_there_are_no_files(console: Console) -> None:
    assert lines(console, "df -i -volume vol1") == [
        ["Filesystem", "iused", "ifree", "%iused", "Mounted", "on", "Vserver"],
        ["/vol/vol1/", "0", "-", "0%", "---", "svm1"],
    ]


def test_scripts_get_values_between_separators(console: Console) -> None:
    console.run('set -showseparator ","')
    words, labels, row = console.run("df -x vol2").splitlines()
    assert words == "filesystem,kbytes,used,avail,capacity,mounted-on,vserver,"
    assert labels == "Filesystem,kbytes,used,avail,capacity,Mounted on,Vserver,"
    assert row == f"/vol/vol2/,{30 * GIB},0,{30 * GIB},0%,---,svm1,"


def test_a_vserver_sees_its_own(console: Console) -> None:
    console.run("vserver context svm2")
    assert console.run("df") == NOTHING


def test_consumers_of_space_are_shown(console: Console) -> None:
    console.run("volume modify svm1 vol1 -percent-snapshot-space 20")
    console.run("lun modify svm1 /vol/vol1/lun1 -space-reserve enabled")
    rows = lines(console, "volume show-space -vserver svm1 -volume vol1")
    assert rows[:2] == [["Vserver", ":", "svm1"], ["Volume", ":", "vol1"]]
    assert rows[3] == ["Feature", "Used", "Used%"]
    assert rows[5:] == [
        ["User", "Data", "1GB", "5%"],
        ["Snapshot", "Reserve", "4GB", "20%"],
        ["Total", "5GB", "25%"],
    ]
    rows = lines(console, "aggr show-space")
    assert rows[0] == ["Aggregate", ":", "aggr1"] and ["Total", "Used", "0B", "0%"] in rows


def test_a_size_is_shown_and_set(console: Console) -> None:
    text = 'vol size: Volume "svm1:vol1" has size 20g.'
    assert console.run("volume size vol1") == text
    assert console.run("vol size -vserver svm1 -volume vol1") == text
    assert console.run("vol size vol1 30g").endswith("size set to 30g.")
    assert console.run("vol size svm1 vol1 +10g").endswith("size set to 40GB.")
    console.run("vserver context svm1")
    assert console.run("vol size vol1").endswith("has size 40g.")


def test_autosize_is_shown_and_set(console: Console) -> None:
    shown = console.run("volume autosize vol1")
    assert shown == (
        'vol autosize: Volume "svm1:vol1" has mode off. It grows to 24g above 90 percent in use, '
        "and shrinks to 20g below 50 percent."
    )
    changed = 'vol autosize: Autosize of volume "svm1:vol1" was changed.'
    limits = "-mode grow_shrink -maximum-size 40g -minimum-size 10g"
    assert console.run(f"volume autosize -vserver svm1 -volume vol1 {limits}") == changed
    console.run("volume autosize svm1 vol1 -grow-threshold-percent 70 -shrink-threshold-percent 30")
    shown = console.run("vol autosize svm1 vol1")
    assert "has mode grow_shrink. It grows to 40g above 70" in shown
    assert shown.endswith("shrinks to 10g below 30 percent.")
    console.run("volume modify svm1 vol1 -autosize-mode grow -max-autosize 50g")
    [row] = console.table("volume show -volume vol1 -fields autosize-mode,max-autosize")
    assert row == ["svm1", "vol1", "grow", "50GB"]
