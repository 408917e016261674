"""LUNs and namespaces are cloned as the files that they are on ONTAP."""

from __future__ import annotations

import pytest
from console import Console

CLONE = "volume file clone create -vserver svm1 -volume vol1"
SHOW = "lun show -volume vol1 -fields size"


@pytest.mark.parametrize("path", ["lun2", "/lun2", "/vol/vol1/lun2"])
def test_a_lun(console: Console, path: str) -> None:
    to = path.replace("lun2", "x")
    console.run(f"{CLONE} -source-path {path} -destination-path {to} -foreground true")
    assert console.table(SHOW)[-1] == ["svm1", "/vol/vol1/x", "1.50GB"]


def test_a_namespace(console: Console) -> None:
    console.run("vserver nvme namespace create svm1 /vol/vol1/n -size 2g -ostype linux")
    console.run(f"{CLONE} -source-path n -destination-path m")
    rows = console.table("vserver nvme namespace show -fields size")
    assert [row[1:] for row in rows] == [["/vol/vol1/m", "2GB"], ["/vol/vol1/n", "2GB"]]


def test_a_lun_in_a_snapshot(console: Console) -> None:
    console.run("snap create -vserver svm1 -volume vol1 -snapshot s1")
    console.run("lun resize svm1 /vol/vol1/lun1 -size 2g")
    console.run(f"{CLONE} -source-path lun1 -destination-path x -snapshot-name s1")
    assert console.table(SHOW)[-1] == ["svm1", "/vol/vol1/x", "1GB"]


@pytest.mark.parametrize("more", ["", "-snapshot-name s9"])
def test_a_missing_source_is_refused(console: Console, more: str) -> None:
    message = console.refusal(f"{CLONE} -source-path y -destination-path x {more}")
    assert message.endswith('y" does not exist.')
