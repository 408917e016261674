#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r"""
module: software_update
short_description: Have the array run a release
version_added: 0.1.0
description:
  - Has the package checked, writes the release to the slot that does not run, has the array
    reboot into it, and waits until it serves. The array goes back by itself to the release before
    when the new one does not come up serving; the task fails then.
  - A release that the other slot has is not written again. That is the way back.
  - The package is given to the array by M(sanstone.array.software_package).
  - Hosts lose their paths to the array while it reboots.
options:
  version:
    description:
      - The release.
    type: str
    required: true
  wait_timeout:
    description:
      - Seconds that all of it may take.
    type: int
    default: 1800
extends_documentation_fragment:
  - sanstone.array.connection
attributes:
  check_mode:
    description: The array itself tries the request, and what would refuse it fails the task.
    support: full
  diff_mode:
    description: It shows the release before and the one after.
    support: full
seealso:
  - module: sanstone.array.software_package
  - module: sanstone.array.software_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Update the array
  sanstone.array.software_update:
    version: 1.4.0
"""

RETURN = r"""
from_version:
  description: The release before.
  returned: when there was another one
  type: str
  sample: 1.3.2
code:
  description: ONTAP's code of the error.
  returned: when the array refuses
  type: str
  sample: '10551325'
target:
  description: The field at fault.
  returned: when the array refuses, where it is one
  type: str
status:
  description: HTTP's status of the answer.
  returned: when the array refuses
  type: int
  sample: 409
"""

import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.sanstone.array.plugins.module_utils.connection import OPTIONS, connect
from ansible_collections.sanstone.array.plugins.module_utils.finding import Impossible
from ansible_collections.sanstone.array.plugins.module_utils.software import (
    SOFTWARE,
    is_there,
    slot_that_runs,
    wait_until_it_runs,
)


def try_out(module, array, order):
    """Have the array try the order. Raises Impossible for what would refuse it."""
    if not is_there(array, module.params["version"]):
        module.warn("The array has no such package yet. An earlier task may give it that.")
        return
    array.dry_run = True
    array.modify(SOFTWARE, order)
    for refusal in array.tried["refusals"]:
        raise Impossible(refusal["message"])


def update(module, array):
    """Update the array, unless it runs the release. Return what the task tells."""
    version = module.params["version"]
    deadline = time.monotonic() + module.params["wait_timeout"]
    before = slot_that_runs(array).get("version", "")
    if before == version:
        if not module.check_mode:
            # One that was interrupted may have left it on trial.
            wait_until_it_runs(array, version, deadline)
        return {"changed": False}
    order = {"version": version}
    if module.check_mode:
        try_out(module, array, order)
    else:
        array.wait_timeout = module.params["wait_timeout"]
        array.modify(SOFTWARE, order, {"validate_only": "true"})
        array.modify(SOFTWARE, order)
        wait_until_it_runs(array, version, deadline)
    diff = {"before": {"version": before}, "after": order}
    return {"changed": True, "from_version": before, "diff": diff}


def main():
    module = AnsibleModule(
        argument_spec={
            **OPTIONS,
            "version": {"type": "str", "required": True},
            "wait_timeout": {"type": "int", "default": 1800},
        },
        supports_check_mode=True,
    )
    with connect(module) as array:
        result = update(module, array)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
