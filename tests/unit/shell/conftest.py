"""A shell on an array in this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console import Console
from served import served


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Console]:
    """A shell on an array with nothing but disks."""
    with served(tmp_path) as (simulator, array):
        yield Console(simulator, array)


@pytest.fixture
def furnished(console: Console) -> Console:
    """A shell on an array with an SVM, a volume and two LUNs."""
    for line in (
        "storage aggregate create -aggregate aggr1 -diskcount 4",
        "vserver create -vserver svm1",
        "volume create -vserver svm1 -volume vol1 -size 20g",
        "lun create -vserver svm1 -path /vol/vol1/lun1 -size 1g -ostype linux",
        "lun create -vserver svm1 -path /vol/vol1/lun2 -size 1536m -ostype windows -comment two",
        "lun igroup create -vserver svm1 -igroup group1 -ostype linux -protocol iscsi "
        "-initiator iqn.1994-05.com.redhat:host1",
    ):
        console.run(line)
    return console
