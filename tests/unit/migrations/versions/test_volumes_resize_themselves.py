"""What was kept of autosize without effect has one from now on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from volumes_before import GIB, volume_of_before

BEFORE = "6f2d90ab14c7"
COLUMNS = ("mode", "maximum", "minimum", "grow_threshold", "shrink_threshold")


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        ({}, ("off", None, None, None, None)),
        ({"maximum": 3 * GIB}, ("off", 3 * GIB, None, None, None)),
        ({"mode": "grow"}, ("grow", GIB * 120 // 100, GIB, None, None)),
        (
            {"mode": "grow_shrink", "maximum": GIB // 2},
            ("grow_shrink", GIB * 120 // 100, GIB, None, None),
        ),
        ({"grow_threshold": 0, "shrink_threshold": 50}, ("off", None, None, None, None)),
        (
            {"mode": "grow", "minimum": 2 * GIB, "grow_threshold": 90},
            ("grow", GIB * 120 // 100, GIB, 90, None),
        ),
    ],
)
def test_what_can_hold_is_taken_over(
    tmp_path: Path, kept: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    properties = {f"autosize.{name}": value for name, value in kept.items()}
    with volume_of_before(tmp_path, BEFORE, {"nas.path": "/v", **properties}) as volume:
        assert tuple(getattr(volume, f"autosize_{name}") for name in COLUMNS) == expected
        assert volume.properties == {"nas.path": "/v"}
