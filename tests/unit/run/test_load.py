"""The history of the processors' load."""

from __future__ import annotations

from run.load import History, Sample, shares


def at(seconds: float, idle: int, stolen: int, *steps: str) -> Sample:
    """Return a sample of two processors that were idle or stolen for so many ticks by then."""
    busy = round(seconds * 200) - idle - stolen
    return Sample(seconds, (busy, 0, 0, idle, 0, 0, 0, stolen), "1.0 2.0", "some", steps)


def test_shares_are_those_between_two_samples() -> None:
    assert shares(at(100, 5_000, 0), at(200, 10_000, 2_000)) == (0.25, 0.1)


def test_the_minute_before_a_failure_is_reported() -> None:
    history = History()
    for each in (
        at(0, 0, 0),
        at(60, 12_000, 0),
        at(120, 15_000, 1_200, "unit"),
        at(180, 27_000, 0),
    ):
        history.add(each)
    text = history.last_minute(110)
    assert "the minute before: 25% idle, 10% stolen" in text
    assert "steps that ran: unit" in text


def test_a_failure_after_the_last_sample_has_that() -> None:
    history = History()
    history.add(at(0, 0, 0))
    history.add(at(60, 6_000, 0))
    assert "50% idle" in history.last_minute(70)
