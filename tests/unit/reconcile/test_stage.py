"""The order of the stages follows from what they need."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scenarios import HOST_IQN, HOST_NQN, MIB, aggregate, chain, iscsi, lifs, nvme, svm, volume
from simulator import Simulator, simulated

from sanstone.reconcile import loop
from sanstone.reconcile.results import Everything, Result
from sanstone.reconcile.stage import Results, Stage, in_order, stage
from sanstone.reconcile.turn import Turn


class First(Result):
    """The result of the first stage."""


class Second(Result):
    """The result of the second stage."""


class Third(Result):
    """The result of the third stage."""


def first(_turn: Turn) -> First:
    return First()


def second(_turn: Turn, _first: First) -> Second:
    return Second()


def third(_turn: Turn, _all: Everything) -> Third:
    return Third()


def needs_itself(_turn: Turn, _first: First) -> First:
    return First()


def test_a_stage_comes_after_those_that_it_needs() -> None:
    stages = [stage("third", third), stage("second", second), stage("first", first)]
    assert [each.name for each in in_order(stages)] == ["first", "second", "third"]


def test_stages_that_need_nothing_of_each_other_stay_as_they_stand() -> None:
    stages = [stage("a", first), stage("c", second), stage("b", third)]
    assert [each.name for each in in_order(stages)] == ["a", "c", "b"]


@pytest.mark.parametrize("stages", [[stage("second", second)], [stage("itself", needs_itself)]])
def test_an_impossible_order_of_stages_is_refused(stages: list[Stage]) -> None:
    with pytest.raises(ValueError, match="no stage can come next"):
        in_order(stages)


def test_a_stage_that_did_not_run_has_done_nothing() -> None:
    results = Results()
    assert results.of(First).outcomes.by_owner() == {}
    result = First()
    results.add(result)
    assert results.of(First) is result


def names_of_a_whole_turn(array: Simulator, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the stages of a whole turn, in the order in which they begin."""
    names: list[str] = []
    begin = Turn.begin

    def note(turn: Turn, name: str) -> None:
        names.append(name)
        begin(turn, name)

    monkeypatch.setattr(Turn, "begin", note)
    array.reconciler.verify_all()
    array.reconciler.run()
    return names


def test_the_order_that_follows_is_the_one_that_runs(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = names_of_a_whole_turn(array, monkeypatch)
    assert names == [each.name for each in in_order(loop.STAGES)]
    place = {each.gives: names.index(each.name) for each in loop.STAGES}
    assert len(place) == len(names)
    for each in loop.STAGES:
        for needed in each.needs:
            others = place.keys() - {each.gives} if needed is Everything else {needed}
            assert all(place[other] < place[each.gives] for other in others), each.name


def test_nothing_else_matters_of_the_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An array with its stages in the reverse order serves the same."""
    dumps = []
    for number, stages in enumerate((loop.STAGES, in_order(loop.STAGES[::-1]))):
        monkeypatch.setattr(loop, "STAGES", stages)
        folder = tmp_path / str(number)
        folder.mkdir()
        with simulated(folder) as array:
            chain(aggregate, svm, lifs, volume, iscsi, nvme)(array)
            _map(array)
            array.reboot()
            array.settle()
            tree = array.kernel.configfs.dump()
            array.reconciler.verify_all()
            array.settle()
            assert array.kernel.configfs.dump() == tree
            dumps.append(sorted(map(_named_alike, tree.splitlines())))
    assert dumps[0] == dumps[1]


def _named_alike(line: str) -> str:
    """Return the path in a line of a tree, without the random parts of each array."""
    return re.sub(r"[0-9a-f]{4,}(-[0-9a-f]{4,})*", "…", line.partition(" = ")[0])


def _map(array: Simulator) -> None:
    of_svm = {"svm.name": "svm1"}
    sized = of_svm | {"os_type": "linux", "space.size": 64 * MIB}
    of_linux = of_svm | {"os_type": "linux"}
    array.do("POST", "protocols/san/igroups", of_linux | {"name": "ig1", "initiators": [HOST_IQN]})
    array.do("POST", "protocols/nvme/subsystems", of_linux | {"name": "sub1", "hosts": [HOST_NQN]})
    array.do("POST", "storage/luns", sized | {"name": "/vol/vol1/lun"})
    body = of_svm | {"lun.name": "/vol/vol1/lun", "igroup.name": "ig1"}
    array.do("POST", "protocols/san/lun-maps", body)
    array.do("POST", "storage/namespaces", sized | {"name": "/vol/vol1/ns"})
    body = of_svm | {"namespace.name": "/vol/vol1/ns", "subsystem.name": "sub1"}
    array.do("POST", "protocols/nvme/subsystem-maps", body)
