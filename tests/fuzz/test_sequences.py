"""Some sequences of the fuzzer: always the same ones, and others at each run.

Others are found at each run, so that what is tried adds up. Whatever fails names its seed:
`make fuzz SEED=<seed> REQUESTS=1` runs that sequence again.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from fuzz.array import FuzzedArray, fuzzed_array
from fuzz.run import run

SEQUENCES = 10
ALWAYS = 1
BY_CHANCE = secrets.randbelow(10**9)


@pytest.fixture(scope="module")
def array(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FuzzedArray]:
    """The array that is fuzzed."""
    with fuzzed_array(tmp_path_factory.mktemp("fuzz")) as made:
        yield made


@pytest.mark.parametrize("first", [ALWAYS, BY_CHANCE], ids=["always", "by chance"])
def test_whatever_is_asked_of_the_array_it_keeps_its_promises(
    array: FuzzedArray, first: int
) -> None:
    print(f"SEED={first}")
    failures = [failure for n in range(SEQUENCES) if (failure := run(array, first + n))]
    assert not failures, "\n\n".join(map(str, failures))
