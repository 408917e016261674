"""A sequence, and the shortest part of it that still fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random

from fuzz import array as arrays
from fuzz.array import FuzzedArray, Hang
from fuzz.checks import Broken, Checks
from fuzz.drawing import Drawing
from fuzz.request import Request
from fuzz.rest import Rest

LENGTH = 200
"""Requests of a sequence. The array grows with them, and with it the time that each takes."""
FURNISHED, EMPTIED = 10, 15
"""Of so many sequences one begins with an example of everything, and one ends with deleting all."""
MOST_TRIES = 150
"""Replays at most to find the requests that a failure needs."""
ALIKE = 25
"""Characters by which two failures are taken for the same."""


@dataclass(frozen=True)
class Failure:
    """A failed sequence: the fault, and the requests that bring it about."""

    seed: int
    message: str
    requests: tuple[Request, ...]

    def __str__(self) -> str:
        lines = "\n".join(f"  {request}" for request in self.requests)
        return f"SEED={self.seed}: {self.message}\n{len(self.requests)} requests:\n{lines}"


def run(array: FuzzedArray, seed: int, length: int = LENGTH) -> Failure | None:
    """Run the sequence of a seed; return its failure in short, None for none."""
    sent: list[Request] = []
    furnished, empty = seed % FURNISHED == 0, seed % EMPTIED == 0

    def drawn() -> Iterator[Request]:
        drawing = Drawing(Random(seed), array.objects, arrays.TENANT_SVM)
        for _ in range(length):
            sent.append(drawing.draw())
            yield sent[-1]

    array.begin(furnished=furnished)
    message = _outcome(array, drawn(), empty=empty)
    if not message:
        return None

    def fails(requests: list[Request]) -> bool:
        array.begin(furnished=furnished)
        outcome = _outcome(array, requests, empty=empty)
        return bool(outcome) and outcome[:ALIKE] == message[:ALIKE]

    return Failure(seed, message, tuple(_shortest(sent, fails)))


def _outcome(array: FuzzedArray, requests: Iterable[Request], *, empty: bool) -> str:
    """Send requests; return the fault, '' for none."""
    with arrays.watcher() as watcher:
        checks, rest = Checks(array, watcher), Rest(array)
        try:
            for request in requests:
                checks.send(request)
            rest.check()
            if empty:
                rest.empty()
        except (Broken, Hang, AssertionError) as error:
            return f"{type(error).__name__}: {error}"
    return ""


def _shortest(requests: list[Request], fails: Callable[[list[Request]], bool]) -> list[Request]:
    """Leave out requests that the failure does not need, in halves first and then one by one."""
    tries, size = 0, max(1, len(requests) // 2)
    while size:
        at = 0
        while at < len(requests) and tries < MOST_TRIES:
            tries += 1
            fewer = requests[:at] + requests[at + size :]
            if fails(fewer):
                requests = fewer
            else:
                at += size
        size //= 2
    return requests
