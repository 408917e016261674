#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: disk
short_description: Change the array's disk objects
version_added: 0.1.0
description:
  - 'The array''s disks: what they are, where, how they are, and what each is used for.'
  - Its options are the fields of C(/api/storage/disks), nested as they are there. What is
    not given is left as it is.
options:
  location_led:
    description:
      - Its locate light, which goes off by itself after half an hour; absent for none.
    type: str
    choices:
      - 'on'
      - 'off'
  name:
    description:
      - Name of the disk, kept while the array lives.
    type: str
    required: true
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
seealso:
  - module: sanstone.array.disk_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Let a disk's light shine
  sanstone.array.disk:
    name: 1.0.1
    location_led: 'on'
"""

RETURN = r"""
record:
  description: The disk as the array shows it afterwards, in check mode before the change.
  returned: when it exists, or shall exist
  type: dict
hosts:
  description: Hosts that are connected now to what would change.
  returned: in check mode, when something would change
  type: list
  elements: dict
  sample:
    - protocol: iscsi
      name: iqn.1994-05.com.example:host1
job:
  description: UUID of the job that works on the change.
  returned: with O(wait=false), when the array has not ended it at once
  type: str
code:
  description: ONTAP's code of the error.
  returned: when the array refuses
  type: str
  sample: '262197'
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

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="storage/disks",
    noun="disk",
    identity={"name": "name"},
    fields={"location_led": "location_led"},
    creatable=False,
)
OPTIONS = {
    "location_led": {"type": "str", "choices": ["on", "off"]},
    "name": {"type": "str", "required": True},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
