#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: consistency_group
short_description: Make, change and remove the array's consistency group objects
version_added: 0.1.0
description:
  - Consistency groups are volumes whose snapshots are taken at one moment.
  - Its options are the fields of C(/api/application/consistency-groups), nested as they are
    there. What is not given is left as it is.
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
  snapshot_policy:
    description:
      - When snapshots of the whole group are taken, all of one moment; none if not given.
        Its volumes go on by their own policies. By its name.
    type: str
  volumes:
    description:
      - Its volumes.
    type: list
    elements: dict
    suboptions:
      name:
        description:
          - Name of the volume.
        type: str
      space:
        description:
          - Fields of space.
        type: dict
        suboptions:
          size:
            description:
              - Its size in bytes; to be given of one that is made. Or with a unit of 1024,
                as V(10GB).
            type: str
      provisioning_options:
        description:
          - Fields of provisioning_options.
        type: dict
        suboptions:
          action:
            description:
              - Whether a volume that exists is put in or taken out, or one is made in it.
            type: str
            choices:
              - add
              - create
              - remove
  luns:
    description:
      - The LUNs in its volumes. New ones are made; those that exist are changed and deleted
        by themselves.
    type: list
    elements: dict
    suboptions:
      name:
        description:
          - Path, /vol/<volume>/<name>.
        type: str
        required: true
      space:
        description:
          - Fields of space.
        type: dict
        suboptions:
          size:
            description:
              - Size in bytes, rounded up to 4 KiB; to be given of a new one. Or with a unit
                of 1024, as V(10GB).
            type: str
      os_type:
        description:
          - Operating system of the hosts; to be given of a new one.
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
      comment:
        description:
          - Comment.
        type: str
      lun_maps:
        description:
          - The igroups that see it; they exist already.
        type: list
        elements: dict
        suboptions:
          igroup:
            description:
              - The igroup. By its name.
            type: str
            required: true
          logical_unit_number:
            description:
              - Number under which initiators see the LUN; the lowest free one when not given.
            type: int
  namespaces:
    description:
      - The namespaces in its volumes. New ones are made; those that exist are changed and
        deleted by themselves.
    type: list
    elements: dict
    suboptions:
      name:
        description:
          - Path, /vol/<volume>/<name>.
        type: str
        required: true
      space:
        description:
          - Fields of space.
        type: dict
        suboptions:
          size:
            description:
              - Size in bytes, rounded up to 4 KiB; to be given of a new one. Or with a unit
                of 1024, as V(10GB).
            type: str
          block_size:
            description:
              - Logical block size in bytes; when not given, 512 for vmware, whose hosts use
                no other, and 4096 else. 512 needs disks of such sectors. Or with a unit of
                1024, as V(10GB).
            type: str
      os_type:
        description:
          - Operating system of the hosts; to be given of a new one.
        type: str
        choices:
          - aix
          - hyper_v
          - linux
          - vmware
          - windows
          - xen
      comment:
        description:
          - Comment.
        type: str
      subsystem_map:
        description:
          - Fields of subsystem_map.
        type: dict
        suboptions:
          subsystem:
            description:
              - The subsystem that it is mapped to; it exists already. By its name.
            type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.consistency_group_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Keep volumes consistent with each other
  sanstone.array.consistency_group:
    svm: svm1
    name: databases
    volumes:
      - name: vol1
        provisioning_options:
          action: add

- name: Keep volumes, but no longer consistent with each other
  sanstone.array.consistency_group:
    svm: svm1
    name: databases
    state: absent
"""

RETURN = r"""
record:
  description: The consistency group as the array shows it afterwards, in check mode before
    the change.
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
    path="application/consistency-groups",
    noun="consistency group",
    identity={"svm.name": "svm", "name": "name"},
    fields={
        "name": "name",
        "svm": "svm",
        "snapshot_policy": "snapshot_policy",
        "volumes": "volumes",
        "luns": "luns",
        "namespaces": "namespaces",
    },
    new_name="name",
    at_first=frozenset(["svm"]),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "snapshot_policy": {"type": "str"},
    "volumes": {
        "type": "list",
        "elements": "dict",
        "options": {
            "name": {"type": "str"},
            "space": {"type": "dict", "options": {"size": {"type": "str"}}},
            "provisioning_options": {
                "type": "dict",
                "options": {"action": {"type": "str", "choices": ["add", "create", "remove"]}},
            },
        },
    },
    "luns": {
        "type": "list",
        "elements": "dict",
        "options": {
            "name": {"type": "str", "required": True},
            "space": {"type": "dict", "options": {"size": {"type": "str"}}},
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
            "comment": {"type": "str"},
            "lun_maps": {
                "type": "list",
                "elements": "dict",
                "options": {
                    "igroup": {"type": "str", "required": True},
                    "logical_unit_number": {"type": "int"},
                },
            },
        },
    },
    "namespaces": {
        "type": "list",
        "elements": "dict",
        "options": {
            "name": {"type": "str", "required": True},
            "space": {
                "type": "dict",
                "options": {"size": {"type": "str"}, "block_size": {"type": "str"}},
            },
            "os_type": {
                "type": "str",
                "choices": ["aix", "hyper_v", "linux", "vmware", "windows", "xen"],
            },
            "comment": {"type": "str"},
            "subsystem_map": {"type": "dict", "options": {"subsystem": {"type": "str"}}},
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
