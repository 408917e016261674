"""The shell can say good day."""

from __future__ import annotations

from console import Console


def test_a_greeting(unplugged: Console) -> None:
    assert unplugged.run("system greeting show").splitlines() == ["Good day."]
    assert "greeting>" in unplugged.run("system ?")
