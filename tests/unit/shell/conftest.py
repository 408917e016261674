"""Shells: on an array in this process, and on none where a command must not need one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console import Console, Unplugged
from served import served
from simulator import Simulator, Snapshot

from sanstone.client.rest import Array

FURNITURE = (
    "storage aggregate create -aggregate aggr1 -diskcount 4",
    "vserver create -vserver svm1",
    "vserver create -vserver svm2",
    "volume create -vserver svm1 -volume vol1 -size 20g",
    "volume create -vserver svm1 -volume vol2 -size 30g",
    "lun create -vserver svm1 -path /vol/vol1/lun1 -size 1g -ostype linux",
    "lun create -vserver svm1 -path /vol/vol1/lun2 -size 1536m -ostype windows -comment two",
    "lun igroup create -vserver svm1 -igroup group1 -ostype linux -protocol iscsi "
    "-initiator iqn.1994-05.com.redhat:host1",
)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Console]:
    """A shell on an array with nothing but disks and an aggregate."""
    with served(tmp_path) as (_, array):
        console = Console(array)
        console.run(FURNITURE[0])
        yield console


@pytest.fixture(scope="module")
def furnished(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Simulator, Array, Snapshot]]:
    """An array with an aggregate, SVMs, volumes, LUNs and an igroup, and how it began."""
    folder = tmp_path_factory.mktemp("array")
    with served(folder) as (simulator, array):
        console = Console(array)
        for line in FURNITURE:
            console.run(line)
        yield simulator, array, simulator.snapshot(folder / "beginning", running=True)


@pytest.fixture
def console(furnished: tuple[Simulator, Array, Snapshot]) -> Iterator[Console]:
    """A new shell on the furnished array, which is restored after each test."""
    simulator, array, beginning = furnished
    yield Console(array)
    array.headers.pop("X-Dot-SVM-Name", None)
    simulator.load(beginning)


@pytest.fixture
def unplugged() -> Console:
    """A shell whose array must get no request."""
    return Console(Unplugged())  # type: ignore[arg-type]
