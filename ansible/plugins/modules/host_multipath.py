#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r"""
module: host_multipath
short_description: Have a Linux host join the paths to LUNs of arrays
version_added: 0.1.0
description:
  - Runs on the host, as root, with multipathd. The role P(sanstone.array.host#role) uses it.
  - By its own default (C(find_multipaths strict)) multipathd joins the paths of disks alone that it joined
    before. This has it join those of all LUNs of Sanstone arrays that are there, and remember them.
options:
  luns:
    description:
      - Serial numbers of LUNs to wait for.
    type: list
    elements: str
    default: []
  timeout:
    description:
      - The seconds to wait for them.
    type: int
    default: 90
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Join the paths to all LUNs that the host sees
  sanstone.array.host_multipath:
"""

RETURN = r"""
wwids:
  description: The identifiers of the LUNs with paths that were joined.
  returned: success
  type: list
  elements: str
"""

import time
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.sanstone.array.plugins.module_utils.host_disks import run

INQUIRY = ["SANSTONE", "LUN"]
"""The vendor and the product of LUNs."""


def single(blocks):
    """Return the WWIDs, as multipathd has them, of LUNs with a path that nothing joins or uses."""
    wwids = set()
    for block in blocks.glob("sd*"):
        disk = block / "device"
        inquiry = [(disk / name).read_text().strip() for name in ("vendor", "model")]
        if inquiry == INQUIRY and not list((block / "holders").iterdir()):
            # naa.6001405...: multipathd puts the type of the identifier, 3, in its place.
            wwids.add((disk / "wwid").read_text().strip().replace("naa.", "3"))
    return sorted(wwids)


def join(module, wwid):
    """Have multipathd join the paths to a LUN."""
    answer = run(module, "multipathd", "add", "map", wwid).strip()
    if answer != "ok":
        module.fail_json(msg=f"multipathd does not join the paths to {wwid}: {answer}")


def device(serial):
    """Return where the joined LUN of a serial number is (drivers/target/target_core_spc.c)."""
    return Path(f"/dev/disk/by-id/dm-uuid-mpath-3{'6001405' + serial:0<32}")


def main():
    module = AnsibleModule(
        argument_spec={
            "luns": {"type": "list", "elements": "str", "default": []},
            "timeout": {"type": "int", "default": 90},
        },
        supports_check_mode=True,
    )
    blocks, joined = Path("/sys/block"), []
    if module.check_mode:
        wwids = single(blocks)
        module.exit_json(changed=bool(wwids), wwids=wwids)
    last = time.monotonic() + module.params["timeout"]
    while True:
        run(module, "udevadm", "settle")
        for wwid in single(blocks):
            join(module, wwid)
            joined.append(wwid)
        missing = [serial for serial in module.params["luns"] if not device(serial).exists()]
        if not missing:
            module.exit_json(changed=bool(joined), wwids=joined)
        if time.monotonic() > last:
            module.fail_json(msg=f"The host does not see LUN {', '.join(missing)}.")
        time.sleep(1)


if __name__ == "__main__":
    main()
