"""How many disks RAID groups can lose, of each type and in each state."""

from __future__ import annotations

import pytest

from sanstone.rules.storage.redundancy import tolerated_failures


@pytest.mark.parametrize(
    ("raid_type", "disks", "missing", "state", "tolerated"),
    [
        ("raid_dp", 6, 0, "clean", 2),
        ("raid_dp", 6, 1, "degraded", 1),
        ("raid_dp", 6, 2, "rebuilding", 0),
        ("raid_dp", 6, 3, "failed", 0),
        ("raid_dp", 6, 0, "resyncing", 0),
        ("raid_dp", 6, 0, "checking", 2),
        ("raid4", 4, 0, "clean", 1),
        ("raid5", 4, 1, "degraded", 0),
        ("raid1", 3, 0, "clean", 2),
        ("raid1", 3, 1, "degraded", 1),
        ("raid1", 2, 0, "resyncing", 1),
        ("raid10", 8, 0, "clean", 1),
        ("raid10", 8, 1, "degraded", 0),
        ("raid10", 8, 3, "degraded", 0),
        ("raid0", 4, 0, "clean", 0),
        ("raid_dp", 6, 0, "offline", None),
        ("raid_dp", 6, 0, "inactive", None),
    ],
)
def test_tolerated_failures(
    raid_type: str, disks: int, missing: int, state: str, tolerated: int | None
) -> None:
    assert tolerated_failures(raid_type, disks, missing, state) == tolerated
