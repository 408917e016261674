#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: support_bundle
short_description: Make, change and remove the array's support bundle objects
version_added: 0.1.0
description:
  - Files for support, each with the array's journal, configuration, figures of the last days
    and state of the kernel, and without any secret. The array keeps 5. Download one from
    support/bundles/{uuid}/file.
  - Its options are the fields of C(/api/support/bundles), nested as they are there. What
    is not given is left as it is.
options:
  name:
    description:
      - Name, and that of the file that is downloaded; by default the time, in UTC.
    type: str
    required: true
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.support_bundle_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Collect what the support asks for
  sanstone.array.support_bundle:
    name: case-4711

- name: Remove a support bundle
  sanstone.array.support_bundle:
    name: case-4711
    state: absent
"""

RETURN = r"""
record:
  description: The support bundle as the array shows it afterwards, in check mode before the
    change.
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
    path="support/bundles",
    noun="support bundle",
    identity={"name": "name"},
    fields={"name": "name"},
    at_first=frozenset(["name"]),
)
OPTIONS = {"name": {"type": "str", "required": True}}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
