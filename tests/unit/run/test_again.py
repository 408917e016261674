"""The tests that run once more, and the verdict that follows."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_steps import suite

from run import again
from run.execution import Done
from run.load import History, sample
from run.outcome import Failure, Outcome


def failure(test: str, whole: str = "") -> Failure:
    """Return the failure of a test, with which `whole`, a file, has to run again."""
    return Failure(test, whole or test, "why", 0.0)


def ended_suite(outcome: Outcome, folder: Path) -> Done:
    """Return a suite that ended so."""
    log = folder / "log"
    log.touch()
    return Done(suite("one"), log, outcome=outcome)


def settled(first: Outcome, second: Outcome, folder: Path) -> list[str]:
    """Return which tests of the first run are unsteady after the second."""
    history = History()
    history.add(sample(["one"]))
    unsteady = again.settle(
        ended_suite(first, folder), ended_suite(second, folder), history, folder / "unsteady"
    )
    return [each.test for each in unsteady]


def test_a_test_that_fails_again_is_a_failure(tmp_path: Path) -> None:
    first = Outcome(failed={name: failure(name) for name in "ab"})
    second = Outcome(passed={"a"}, failed={"b": failure("b")})
    assert settled(first, second, tmp_path) == ["a"]
    assert first.counts == (1, 1, 0)


@pytest.mark.parametrize("second", [Outcome(), Outcome(skipped={"a"})])
def test_a_test_that_does_not_run_again_is_a_failure(second: Outcome, tmp_path: Path) -> None:
    first = Outcome(failed={"a": failure("a")})
    assert settled(first, second, tmp_path) == []
    assert first.counts == (0, 1, 0)


def test_all_tests_of_a_file_have_to_pass(tmp_path: Path) -> None:
    first = Outcome(passed={"f::a"}, failed={"f::b": failure("f::b", "f")})
    second = Outcome(passed={"f::b"}, failed={"f::a": failure("f::a")})
    assert settled(first, second, tmp_path) == []
    assert set(first.failed) == {"f::a", "f::b"}
    assert not first.passed


def test_nothing_counts_of_a_second_run_that_broke(tmp_path: Path) -> None:
    first = ended_suite(Outcome(failed={"a": failure("a")}), tmp_path)
    second = ended_suite(Outcome(passed={"a"}), tmp_path)
    second.faults.append("did not come to its end")
    assert again.settle(first, second, History(), tmp_path) == []
    assert set(first.outcome.failed) == {"a"}


def test_a_broken_suite_does_not_run_again(tmp_path: Path) -> None:
    for number, runs in ((again.MOST, True), (again.MOST + 1, False)):
        failed = {str(test): failure(str(test)) for test in range(number)}
        assert (
            bool(again.selection(ended_suite(Outcome(failed=failed), tmp_path), tmp_path)) is runs
        )


def test_a_file_that_could_not_be_read_does_not_run_again(tmp_path: Path) -> None:
    first = ended_suite(Outcome(failed={"f": Failure("f", "", "why", 0.0)}), tmp_path)
    assert again.selection(first, tmp_path) is None
