"""What was kept of autodelete without effect has one from now on, once it is switched on."""

from __future__ import annotations

from pathlib import Path

from volumes_before import volume_of_before


def test_what_was_kept_is_taken_over_and_off(tmp_path: Path) -> None:
    field = "space.snapshot.autodelete"
    kept = {f"{field}.trigger": "snap_reserve", f"{field}.prefix": "pve_"}
    before = "8c4f1e07d2b6"
    with volume_of_before(
        tmp_path, before, {"nas.path": "/v", **kept}, autosize_mode="off"
    ) as volume:
        assert (volume.autodelete_trigger, volume.autodelete_prefix) == ("snap_reserve", "pve_")
        assert volume.autodelete_enabled is False
        assert volume.autodelete_target_free_space == 20
        assert volume.properties == {"nas.path": "/v"}
