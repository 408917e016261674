# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""Disks that a host uses are not taken from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible_collections.sanstone.array.plugins.module_utils import host_disks


class Module:
    """A module that asks what joins disks."""

    @staticmethod
    def main() -> None:
        spec = {"names": {"type": "list", "elements": "path"}}
        module = host_disks.AnsibleModule(argument_spec=spec, supports_check_mode=True)
        module.exit_json(maps=host_disks.joined(module, module.params["names"]))


@pytest.mark.parametrize(
    ("held", "reported"),
    [
        ({"name": "mpatha-part1", "type": "part", "mountpoint": "/srv"}, "mpatha-part1 at /srv"),
        ({"name": "vg0-data", "type": "lvm", "mountpoint": None}, "vg0-data (lvm)"),
        ({"name": "mpatha-part1", "type": "part", "mountpoint": None}, None),
    ],
)
def test_disks_that_the_host_uses_are_refused(
    run: Callable[..., Any], programs: Path, held: dict[str, Any], reported: str | None
) -> None:
    joins = {"name": "mpatha", "type": "mpath", "mountpoint": None, "children": [held]}
    disks = [
        {"name": name, "type": "disk", "mountpoint": None, "children": [joins]} for name in "ab"
    ]
    listed = programs / "lsblk --json --output NAME,TYPE,MOUNTPOINT a b"
    listed.write_text(json.dumps({"blockdevices": disks}))
    found = run(Module, names=["a", "b"])
    if reported:
        assert reported in found["msg"] and found["failed"]
        tried = run(Module, names=["a", "b"], _ansible_check_mode=True)
        assert reported in str(tried["warnings"])
    else:
        assert found["maps"] == ["mpatha"]
