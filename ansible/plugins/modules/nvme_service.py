#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: nvme_service
short_description: Make, change and remove the array's NVMe service objects
version_added: 0.1.0
description:
  - The NVMe service of an SVM serves its subsystems to hosts.
  - Its options are the fields of C(/api/protocols/nvme/services), nested as they are there.
    What is not given is left as it is.
options:
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  enabled:
    description:
      - Whether hosts may connect. The array's default is V(true).
    type: bool
  mdns_service_discovery_enabled:
    description:
      - Whether network interfaces are announced by multicast DNS, so that hosts find them.
        The array's default is V(true).
    type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.nvme_service_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Serve NVMe
  sanstone.array.nvme_service:
    svm: svm1
    enabled: true

- name: Stop the NVMe service
  sanstone.array.nvme_service:
    svm: svm1
    enabled: false

- name: Remove the NVMe service
  sanstone.array.nvme_service:
    svm: svm1
    state: absent
"""

RETURN = r"""
record:
  description: The NVMe service as the array shows it afterwards, in check mode before the
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
    path="protocols/nvme/services",
    noun="nvme service",
    identity={"svm.name": "svm"},
    fields={
        "svm": "svm",
        "enabled": "enabled",
        "mdns_service_discovery_enabled": "mdns_service_discovery_enabled",
    },
    at_first=frozenset(["svm"]),
)
OPTIONS = {
    "svm": {"type": "str", "required": True},
    "enabled": {"type": "bool"},
    "mdns_service_discovery_enabled": {"type": "bool"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
