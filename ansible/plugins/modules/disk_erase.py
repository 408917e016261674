#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r"""
module: disk_erase
short_description: Erase a disk that holds data of others
version_added: 0.1.0
description:
  - Data of another machine on a disk makes it foreign, and keeps it from becoming part of an aggregate.
    All of that is lost.
  - The task states the disk's content, as O(content). A disk that holds anything else is not erased, and
    one that is a spare already is left as it is.
  - The array refuses to erase a disk that anything uses.
options:
  name:
    description:
      - Name of the disk.
    type: str
    required: true
  content:
    description:
      - Its content, as C(content) of M(sanstone.array.disk_info) shows it.
    type: str
    required: true
  method:
    description:
      - How it is erased.
      - With V(labels) what was written stays readable for tools. With V(discard) the disk is ordered to discard
        all blocks, too. With V(zeroes) the array overwrites each block, which takes hours, and longer than
        O(wait_timeout) by default.
      - With V(crypto_erase), V(block_erase) and V(overwrite) the disk sanitizes itself, where it can. It
        goes on without the array, and cannot be stopped.
      - Without it V(discard), or V(labels) where the disk cannot discard.
    type: str
    choices: [labels, discard, zeroes, crypto_erase, block_erase, overwrite]
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
seealso:
  - module: sanstone.array.disk
  - module: sanstone.array.disk_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Erase a disk that another machine left
  sanstone.array.disk_erase:
    name: 1.0.8
    content: zfs_member file system
"""

RETURN = r"""
job:
  description: UUID of the job that erases it.
  returned: with O(wait=false), when the array has not ended it at once
  type: str
code:
  description: ONTAP's code of the error.
  returned: when the array refuses
  type: str
  sample: '262254'
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

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.sanstone.array.plugins.module_utils.connection import (
    MISSING,
    OPTIONS,
    connect,
)
from ansible_collections.sanstone.array.plugins.module_utils.finding import NotThere, literal, only
from ansible_collections.sanstone.array.plugins.module_utils.objects import WAITING

if not MISSING:
    from sanstone.client import Refused, StillRunning

DISKS = "storage/disks"
METHODS = ["labels", "discard", "zeroes", "crypto_erase", "block_erase", "overwrite"]


def erase(module, array):
    """Have the disk erased, unless nothing is on it. Return what the task tells."""
    name = module.params["name"]
    query = {"name": literal(name), "fields": "content,container_type"}
    disk = only(array, DISKS, query)
    if disk is None:
        raise NotThere(f"There is no disk {name}.")
    if disk["container_type"] == "spare":
        return {"changed": False}
    order = {"erase.content": module.params["content"]}
    if module.params["method"]:
        order["erase.method"] = module.params["method"]
    diff = {"before": {"content": disk["content"]}, "after": {"content": ""}}
    result = {"changed": True, "diff": diff}
    array.dry_run = module.check_mode
    try:
        array.modify(f"{DISKS}/{name}", order)
    except StillRunning as error:
        if module.params["wait"]:
            raise
        result["job"] = error.job
    for refusal in array.tried["refusals"] if module.check_mode else ():
        raise Refused(400, refusal["code"], refusal["message"], refusal.get("target", ""))
    return result


def main():
    module = AnsibleModule(
        argument_spec={
            **OPTIONS,
            **WAITING,
            "name": {"type": "str", "required": True},
            "content": {"type": "str", "required": True},
            "method": {"type": "str", "choices": METHODS},
        },
        supports_check_mode=True,
    )
    with connect(module) as array:
        array.wait_timeout = module.params["wait_timeout"] if module.params["wait"] else 0
        result = erase(module, array)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
