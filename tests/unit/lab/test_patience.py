"""Waiting: a busy machine is waited for longer."""

from __future__ import annotations

from pathlib import Path

import pytest
from standing_clock import Clock

from lab import patience

PRESSURE = "some avg10=92.79 avg60=92.44 avg300=95.24 total={}\nfull avg10=0.00 total=0\n"


@pytest.mark.parametrize(("waited", "counted"), [(0, 100), (40, 70), (100, 25)])
def test_a_second_of_a_busy_machine_counts_less(
    waited: int, counted: int, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cpu"
    file.write_text(PRESSURE.format(7_000_000))
    monkeypatch.setattr(patience, "PRESSURE", file)
    begin = patience.now()
    clock.now += 100
    file.write_text(PRESSURE.format(7_000_000 + waited * 1_000_000))
    assert patience.now() - begin == pytest.approx(counted)


def test_without_the_kernels_figures_each_second_counts(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "PRESSURE", tmp_path / "none")
    begin = patience.now()
    clock.now += 100
    assert patience.now() - begin == pytest.approx(100)
