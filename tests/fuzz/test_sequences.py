"""Some sequences of the fuzzer, always the same ones, so that a change is judged by itself alone.

`make fuzz` tries others. A failure names its seed: `make fuzz SEED=<seed> RUNS=1` runs that
sequence again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fuzz import array as arrays
from fuzz import log
from fuzz.array import FuzzedArray, Hang, fuzzed_array
from fuzz.part import Part, fuzz
from fuzz.run import EMPTIED, FURNISHED, run

SEEDS = range(8, 16)
"""Of these one begins with an example of everything, and one ends with deleting all."""


@pytest.fixture(scope="module")
def array(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FuzzedArray]:
    """The array that is fuzzed."""
    with fuzzed_array(tmp_path_factory.mktemp("fuzz")) as array:
        yield array


def test_a_run_goes_on_where_its_log_ends(tmp_path: Path) -> None:
    file = tmp_path / "log"
    part = Part(SEEDS[0], end=SEEDS[0] + 1, log=file)
    assert fuzz(part) == 0
    [first] = file.read_text().splitlines()
    sent = log.passed(file)[SEEDS[0]]
    assert first.startswith(f"{SEEDS[0]} {sent} passed  ")
    assert fuzz(replace(part, end=0, requests=sent)) == 0
    assert file.read_text().splitlines() == [first], "these requests had been sent"


def test_failed_sequences_run_again(tmp_path: Path) -> None:
    log.add(tmp_path / "log", 7, 200, log.FAILED, ["500: \ud800\nTraceback"])
    log.add(tmp_path / "log", 8, 210, log.PASSED, [])
    assert log.passed(tmp_path / "log") == {8: 210}


def test_a_run_is_shared_by_processes(tmp_path: Path) -> None:
    for seed in SEEDS[:2]:
        log.add(tmp_path / "log", seed, 200, log.PASSED, [])
    run_of_two = ["--seed", str(SEEDS[0]), "--runs", "2", "--jobs", "2", "--log", f"{tmp_path}/log"]
    done = subprocess.run(
        [sys.executable, "-m", "fuzz", *run_of_two],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.stdout.count("in 0 sequences") == 2, "both had passed"


def test_a_request_that_never_ends_is_a_failure(
    array: FuzzedArray, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_: object, **__: object) -> None:
        while True:
            pass

    monkeypatch.setattr(arrays, "HANGS_AFTER", 0.1)
    monkeypatch.setattr(array.simulator.client, "open", endless)
    with pytest.raises(Hang):
        array.ask("GET", "cluster")


@pytest.mark.parametrize("seeds", [SEEDS[1::2], SEEDS[2::2]], ids=["odd", "even"])
def test_the_array_keeps_its_promises_whatever_the_requests(
    array: FuzzedArray, seeds: range
) -> None:
    failures = [failure for seed in seeds if (failure := run(array, seed))]
    assert not failures, "\n\n".join(map(str, failures))


def test_an_example_of_everything_can_be_deleted(array: FuzzedArray) -> None:
    # A seed by which a sequence begins with all that and deletes it: the range above has none.
    failure = run(array, FURNISHED * EMPTIED, length=0)
    assert failure is None, str(failure)
