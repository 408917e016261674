"""Some sequences of the fuzzer, always the same ones, so that a change is judged by itself alone.

`make fuzz` tries others. What fails names its seed: `make fuzz SEED=<seed> REQUESTS=1` runs that
sequence again.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fuzz.__main__ import fuzz
from fuzz.array import FuzzedArray, fuzzed_array
from fuzz.run import EMPTIED, FURNISHED, run

SEEDS = range(8, 16)
"""Of these one begins with an example of everything, and one ends with deleting all."""


@pytest.fixture(scope="module")
def array(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FuzzedArray]:
    """The array that is fuzzed."""
    with fuzzed_array(tmp_path_factory.mktemp("fuzz")) as made:
        yield made


def test_the_command_runs_a_sequence() -> None:
    assert fuzz(SEEDS[0], step=1, requests=1, go_on=False) == 0


@pytest.mark.parametrize("seeds", [SEEDS[1::2], SEEDS[2::2]], ids=["odd", "even"])
def test_whatever_is_asked_of_the_array_it_keeps_its_promises(
    array: FuzzedArray, seeds: range
) -> None:
    failures = [failure for seed in seeds if (failure := run(array, seed))]
    assert not failures, "\n\n".join(map(str, failures))


def test_an_example_of_everything_can_be_deleted(array: FuzzedArray) -> None:
    # A seed by which a sequence begins with all that and deletes it: the range above has none.
    failure = run(array, FURNISHED * EMPTIED, length=0)
    assert failure is None, str(failure)
