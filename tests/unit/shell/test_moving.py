"""Moving and copying LUNs with ONTAP's commands."""

from __future__ import annotations

import pytest
from console import Console

from sanstone.shell.show import NOTHING

INTO = "-vserver svm1 -source-path /vol/vol1/lun2 -destination-path /vol/vol2/x"
SHOW = "lun show -fields size,mapped"


def test_a_lun_moves_with_its_map(console: Console) -> None:
    console.run("lun map svm1 /vol/vol1/lun2 group1")
    output = console.run(f"lun move start {INTO} -max-throughput 10MB/s -promote-late")
    assert output == "Moved svm1:/vol/vol1/lun2 to svm1:/vol/vol2/x."
    assert console.table(SHOW) == [
        ["svm1", "/vol/vol1/lun1", "1GB", "unmapped"],
        ["svm1", "/vol/vol2/x", "1.50GB", "mapped"],
    ]


def test_a_lun_is_copied(console: Console) -> None:
    output = console.run(f"lun copy start {INTO} -promote-late true")
    assert output == "Copied /vol/vol1/lun2 to svm1:/vol/vol2/x."
    assert [row[1:3] for row in console.table(SHOW)][1:] == [
        ["/vol/vol1/lun2", "1.50GB"],
        ["/vol/vol2/x", "1.50GB"],
    ]


def test_a_lun_of_another_vserver_is_copied(console: Console) -> None:
    console.run("volume create -vserver svm2 -volume vol1 -size 5g")
    console.run(
        "lun copy start -vserver svm2 -source-vserver svm1 -source-path /vol/vol1/lun2 "
        "-destination-path /vol/vol1/x"
    )
    assert ["svm2", "/vol/vol1/x", "1.50GB", "unmapped"] in console.table(SHOW)


@pytest.mark.parametrize("verb", ["move", "copy"])
def test_a_move_to_another_aggregate_is_refused_with_the_way(console: Console, verb: str) -> None:
    console.run("storage aggregate create -aggregate aggr2 -diskcount 4")
    console.run("volume create -vserver svm1 -volume far -aggregate aggr2 -size 5g")
    message = console.refusal(f"lun {verb} start {INTO.replace('vol2', 'far')}")
    assert message.endswith("by way of a host: create a device there and copy to it.")
    assert len(console.table(SHOW)) == 2


@pytest.mark.parametrize("verb", ["move", "copy"])
def test_none_is_under_way(console: Console, verb: str) -> None:
    console.run(f"lun {verb} start {INTO}")
    assert console.run(f"lun {verb} show -vserver svm1") == NOTHING
    for what in ("modify", "pause", "resume", "cancel"):
        line = f"lun {verb} {what} -vserver svm1 -destination-path /vol/vol2/x"
        assert console.refusal(line).endswith(f"there is none to {what}.")
