#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: namespace
short_description: Make, change and remove the array's namespace objects
version_added: 0.1.0
description:
  - Namespaces are block devices in a volume that NVMe hosts reach through a subsystem.
  - Its options are the fields of C(/api/storage/namespaces), nested as they are there. What
    is not given is left as it is.
options:
  name:
    description:
      - Path, /vol/<volume>/<name>; or give the location.
    type: str
    required: true
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  location:
    description:
      - Fields of location.
    type: dict
    suboptions:
      volume:
        description:
          - The volume that it is in. By its name.
        type: str
      namespace:
        description:
          - The last part of its path.
        type: str
  os_type:
    description:
      - Operating system of the hosts; needed, but for a copy.
    type: str
    choices:
      - aix
      - hyper_v
      - linux
      - vmware
      - windows
      - xen
  space:
    description:
      - Fields of space.
    type: dict
    suboptions:
      size:
        description:
          - Size in bytes, rounded up to 4 KiB; needed, but for a copy; it can only grow.
            Or with a unit of 1024, as V(10GB).
        type: str
      guarantee:
        description:
          - Fields of guarantee.
        type: dict
        suboptions:
          requested:
            description:
              - Whether its whole size is set aside in the volume. The array's default is
                V(false).
            type: bool
      block_size:
        description:
          - Logical block size in bytes; when not given, 512 for vmware, whose hosts use no
            other, and 4096 else. 512 needs disks of such sectors. Or with a unit of 1024,
            as V(10GB).
        type: str
  qos_policy:
    description:
      - 'Its quality of service policy, which may limit nothing: no limit could be kept. By
        its name.'
    type: str
  comment:
    description:
      - Comment; that of its source for a copy.
    type: str
  enabled:
    description:
      - Whether hosts may use it. The array's default is V(true).
    type: bool
  clone:
    description:
      - Fields of clone.
    type: dict
    suboptions:
      source:
        description:
          - Path of what the content is taken from; never shown.
        type: str
  convert:
    description:
      - Fields of convert.
    type: dict
    suboptions:
      lun:
        description:
          - Path of what becomes this namespace, with its data; never shown.
        type: str
  allow_delete_while_mapped:
    description:
      - Whether a mapped object may be deleted, its maps with it.
    type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.namespace_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Make a namespace
  sanstone.array.namespace:
    svm: svm1
    name: /vol/vol1/ns1
    os_type: linux
    space:
      size: 512MB

- name: Remove a namespace with its data
  sanstone.array.namespace:
    svm: svm1
    name: /vol/vol1/ns1
    state: absent
"""

RETURN = r"""
record:
  description: The namespace as the array shows it afterwards, in check mode before the change.
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
    path="storage/namespaces",
    noun="namespace",
    identity={"svm.name": "svm", "name": "name"},
    fields={
        "name": "name",
        "svm": "svm",
        "location": "location",
        "os_type": "os_type",
        "space": "space",
        "qos_policy": "qos_policy",
        "comment": "comment",
        "enabled": "enabled",
        "clone": "clone",
        "convert": "convert",
    },
    new_name="name",
    at_first=frozenset(["clone.source", "convert.lun", "os_type", "space.block_size", "svm"]),
    switches=("allow_delete_while_mapped",),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "location": {
        "type": "dict",
        "options": {"volume": {"type": "str"}, "namespace": {"type": "str"}},
    },
    "os_type": {"type": "str", "choices": ["aix", "hyper_v", "linux", "vmware", "windows", "xen"]},
    "space": {
        "type": "dict",
        "options": {
            "size": {"type": "str"},
            "guarantee": {"type": "dict", "options": {"requested": {"type": "bool"}}},
            "block_size": {"type": "str"},
        },
    },
    "qos_policy": {"type": "str"},
    "comment": {"type": "str"},
    "enabled": {"type": "bool"},
    "clone": {"type": "dict", "options": {"source": {"type": "str"}}},
    "convert": {"type": "dict", "options": {"lun": {"type": "str"}}},
    "allow_delete_while_mapped": {"type": "bool"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
