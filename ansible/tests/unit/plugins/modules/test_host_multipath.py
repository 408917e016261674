# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""Which disks are to be joined. `vm/automation` has the module work."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.sanstone.array.plugins.modules import host_multipath


def test_what_is_joined_or_another_vendors_is_not_joined(tmp_path: Path) -> None:
    vendors = {"sda": "SANSTONE", "sdb": "SANSTONE", "sdc": "SANSTONE", "sdd": "ATA"}
    for number, (name, vendor) in enumerate(vendors.items()):
        (tmp_path / name / "device").mkdir(parents=True)
        (tmp_path / name / "holders").mkdir()
        wwid = f"naa.600140{number // 2}"
        attributes = {"vendor": f"{vendor:8}", "model": f"{'LUN':16}", "wwid": wwid}
        for attribute, value in attributes.items():
            (tmp_path / name / "device" / attribute).write_text(f"{value}\n")
    (tmp_path / "sdc/holders/dm-0").mkdir()
    # Two paths to one LUN.
    assert host_multipath.single(tmp_path) == ["36001400"]
