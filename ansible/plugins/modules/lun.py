#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: lun
short_description: Make, change and remove the array's LUN objects
version_added: 0.1.0
description:
  - LUNs are block devices in a volume that SCSI initiators reach once mapped to an igroup.
  - Its options are the fields of C(/api/storage/luns), nested as they are there. What is
    not given is left as it is.
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
      logical_unit:
        description:
          - The last part of its path.
        type: str
  os_type:
    description:
      - Operating system of the hosts; needed, but for a copy.
    type: str
    choices:
      - aix
      - hpux
      - hyper_v
      - linux
      - netware
      - openvms
      - solaris
      - solaris_efi
      - vmware
      - windows
      - windows_2008
      - windows_gpt
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
      scsi_thin_provisioning_support_enabled:
        description:
          - Whether hosts may return blocks that they no longer use.
        type: bool
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
  attributes:
    description:
      - Texts that clients keep with it.
    type: list
    elements: dict
    suboptions:
      name:
        description:
          - Name of the attribute.
        type: str
        required: true
      value:
        description:
          - Its value.
        type: str
        required: true
  clone:
    description:
      - Fields of clone.
    type: dict
    suboptions:
      source:
        description:
          - Path of what the content is taken from; never shown.
        type: str
  copy:
    description:
      - Fields of copy.
    type: dict
    suboptions:
      source:
        description:
          - Fields of source.
        type: dict
        suboptions:
          name:
            description:
              - Path of what the content is taken from; never shown.
            type: str
          svm:
            description:
              - SVM of what the content is taken from; never shown.
            type: str
  convert:
    description:
      - Fields of convert.
    type: dict
    suboptions:
      namespace:
        description:
          - Path of what becomes this LUN, with its data; never shown.
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
  - module: sanstone.array.lun_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Make a LUN
  sanstone.array.lun:
    svm: svm1
    name: /vol/vol1/lun1
    os_type: linux
    space:
      size: 512MB

- name: Make a LUN of the content of another one
  sanstone.array.lun:
    svm: svm1
    name: /vol/vol1/copy1
    clone:
      source: /vol/vol1/lun1

- name: Remove a LUN with its data, even if hosts see it
  sanstone.array.lun:
    svm: svm1
    name: /vol/vol1/lun1
    allow_delete_while_mapped: true
    state: absent
"""

RETURN = r"""
record:
  description: The LUN as the array shows it afterwards, in check mode before the change.
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

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Members, Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="storage/luns",
    noun="lun",
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
        "attributes": "attributes",
        "clone": "clone",
        "copy": "copy",
        "convert": "convert",
    },
    new_name="name",
    at_first=frozenset(
        [
            "clone.source",
            "convert.namespace",
            "copy.source.name",
            "copy.source.svm",
            "os_type",
            "svm",
        ]
    ),
    lists={"attributes": Members("attributes", ("name",))},
    switches=("allow_delete_while_mapped",),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "location": {
        "type": "dict",
        "options": {"volume": {"type": "str"}, "logical_unit": {"type": "str"}},
    },
    "os_type": {
        "type": "str",
        "choices": [
            "aix",
            "hpux",
            "hyper_v",
            "linux",
            "netware",
            "openvms",
            "solaris",
            "solaris_efi",
            "vmware",
            "windows",
            "windows_2008",
            "windows_gpt",
            "xen",
        ],
    },
    "space": {
        "type": "dict",
        "options": {
            "size": {"type": "str"},
            "guarantee": {"type": "dict", "options": {"requested": {"type": "bool"}}},
            "scsi_thin_provisioning_support_enabled": {"type": "bool"},
        },
    },
    "qos_policy": {"type": "str"},
    "comment": {"type": "str"},
    "enabled": {"type": "bool"},
    "attributes": {
        "type": "list",
        "elements": "dict",
        "options": {
            "name": {"type": "str", "required": True},
            "value": {"type": "str", "required": True},
        },
    },
    "clone": {"type": "dict", "options": {"source": {"type": "str"}}},
    "copy": {
        "type": "dict",
        "options": {
            "source": {"type": "dict", "options": {"name": {"type": "str"}, "svm": {"type": "str"}}}
        },
    },
    "convert": {"type": "dict", "options": {"namespace": {"type": "str"}}},
    "allow_delete_while_mapped": {"type": "bool"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
