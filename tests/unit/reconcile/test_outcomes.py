"""The outcome of a stage for an owner."""

from __future__ import annotations

import pytest
from scenarios import aggregate
from simulator import Begin, Simulator

from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import HostError
from sanstone.reconcile.outcomes import Outcome, Outcomes
from sanstone.reconcile.results import NetworkUp, PoolsActive, Result
from sanstone.reconcile.stage import Results

OWNER = "storage/luns:1"


@pytest.mark.parametrize(
    ("reports", "outcome"),
    [
        ((), Outcome.UNCHANGED),
        ((Outcome.CHANGED, Ensured.UNCHANGED), Outcome.CHANGED),
        ((Ensured.CREATED, Outcome.CHANGED), Outcome.CREATED),
        ((Outcome.BLOCKED, Outcome.CHANGED), Outcome.BLOCKED),
        ((Outcome.FAILED, Outcome.BLOCKED, Ensured.CREATED), Outcome.FAILED),
    ],
)
def test_the_most_telling_outcome_is_kept(
    reports: tuple[Outcome | Ensured, ...], outcome: Outcome
) -> None:
    outcomes = Outcomes()
    for each in reports:
        outcomes.note(OWNER, each)
    assert outcomes.of(OWNER) is outcome


def test_owners_are_listed_by_kind_and_outcome() -> None:
    outcomes = Outcomes()
    outcomes.note(OWNER, Outcome.CHANGED)
    outcomes.note("storage/luns:2", Outcome.FAILED)
    outcomes.note("storage/luns-too:3", Outcome.CHANGED)
    outcomes.note("", Outcome.FAILED)
    assert outcomes.keys("storage/luns", Outcome.CHANGED) == {"1"}
    assert len(outcomes.by_owner()) == 3


@pytest.fixture
def begin() -> Begin:
    return aggregate


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    """The results of the stages of all turns, one after the other."""
    returned: list[Result] = []
    add = Results.add

    def note(self: Results, result: Result) -> None:
        returned.append(result)
        add(self, result)

    monkeypatch.setattr(Results, "add", note)
    return returned


def outcomes_of(results: list[Result], kind: type[Result], owner_kind: str) -> list[Outcome]:
    """Return how owners of a kind fared in a stage, by the turns in which anything was done."""
    of_stage = (each.outcomes.by_owner() for each in results if type(each) is kind)
    return [
        outcome
        for outcomes in of_stage
        for owner, outcome in outcomes.items()
        if owner.startswith(f"{owner_kind}:")
    ]


def test_a_turn_returns_the_outcomes_of_its_stages(array: Simulator, results: list[Result]) -> None:
    array.do("POST", "svm/svms", {"name": "svm1"})
    lif = {"name": "lif1", "svm.name": "svm1", "ip": {"address": "10.10.1.9", "netmask": 24}}
    lif |= {"location.home_port": {"name": "e0a"}, "service_policy": "default-data-iscsi"}
    array.kernel.fail_when(lambda step: "10.10.1.9" in step, HostError("no"))
    response = array.call("POST", "network/ip/interfaces", lif)
    array.settle()
    assert response.status_code >= 400
    assert Outcome.FAILED in outcomes_of(results, NetworkUp, "network/ip/interfaces")
    assert outcomes_of(results, PoolsActive, "storage/aggregates") == []
    array.kernel.interrupt.clear()
    results.clear()
    array.do("POST", "network/ip/interfaces", lif)
    assert outcomes_of(results, NetworkUp, "network/ip/interfaces") == [Outcome.CHANGED]
