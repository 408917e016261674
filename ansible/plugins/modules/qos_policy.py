#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: qos_policy
short_description: Make, change and remove the array's QoS policy objects
version_added: 0.1.0
description:
  - Quality of service policies are kept; only one without limits can be assigned.
  - Its options are the fields of C(/api/storage/qos/policies), nested as they are there.
    What is not given is left as it is.
options:
  name:
    description:
      - Name within the SVM.
    type: str
    required: true
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  fixed:
    description:
      - Fields of fixed.
    type: dict
    suboptions:
      max_throughput_iops:
        description:
          - Most operations per second.
        type: int
      max_throughput_mbps:
        description:
          - Most MiB per second.
        type: int
      min_throughput_iops:
        description:
          - Operations per second at least.
        type: int
      min_throughput_mbps:
        description:
          - MiB per second at least.
        type: int
      capacity_shared:
        description:
          - Whether all that have the policy share it.
        type: bool
  adaptive:
    description:
      - Fields of adaptive.
    type: dict
    suboptions:
      expected_iops:
        description:
          - Operations per second for each TiB.
        type: int
      peak_iops:
        description:
          - At most, likewise.
        type: int
      absolute_min_iops:
        description:
          - Operations per second at least.
        type: int
      expected_iops_allocation:
        description:
          - Of which size the expected ones are reckoned.
        type: str
        choices:
          - used_space
          - allocated_space
      peak_iops_allocation:
        description:
          - Of which size the peak ones are reckoned.
        type: str
        choices:
          - used_space
          - allocated_space
      block_size:
        description:
          - Size of the operations that are counted.
        type: str
        choices:
          - any
          - 4k
          - 8k
          - 16k
          - 32k
          - 64k
          - 128k
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.qos_policy_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Limit what uses it to 5000 requests a second together
  sanstone.array.qos_policy:
    svm: svm1
    name: silver
    fixed:
      max_throughput_iops: 5000
      capacity_shared: true

- name: Remove a policy
  sanstone.array.qos_policy:
    svm: svm1
    name: silver
    state: absent
"""

RETURN = r"""
record:
  description: The QoS policy as the array shows it afterwards, in check mode before the change.
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
    path="storage/qos/policies",
    noun="qos policy",
    identity={"svm.name": "svm", "name": "name"},
    fields={"name": "name", "svm": "svm", "fixed": "fixed", "adaptive": "adaptive"},
    new_name="name",
    at_first=frozenset(["svm"]),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "fixed": {
        "type": "dict",
        "options": {
            "max_throughput_iops": {"type": "int"},
            "max_throughput_mbps": {"type": "int"},
            "min_throughput_iops": {"type": "int"},
            "min_throughput_mbps": {"type": "int"},
            "capacity_shared": {"type": "bool"},
        },
    },
    "adaptive": {
        "type": "dict",
        "options": {
            "expected_iops": {"type": "int"},
            "peak_iops": {"type": "int"},
            "absolute_min_iops": {"type": "int"},
            "expected_iops_allocation": {
                "type": "str",
                "choices": ["used_space", "allocated_space"],
            },
            "peak_iops_allocation": {"type": "str", "choices": ["used_space", "allocated_space"]},
            "block_size": {
                "type": "str",
                "choices": ["any", "4k", "8k", "16k", "32k", "64k", "128k"],
            },
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
