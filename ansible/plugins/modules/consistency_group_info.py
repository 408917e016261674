#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: consistency_group_info
short_description: Read about consistency group objects
version_added: 0.1.0
description:
  - Consistency groups are volumes whose snapshots are taken at one moment.
  - It reads C(/api/application/consistency-groups).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about consistency group objects
  sanstone.array.consistency_group_info:
    filter:
      svm.name: svm1
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    uuid:
      description: Identity of the group.
      returned: where it has a value
      type: str
    name:
      description: Name within the SVM.
      returned: where it has a value
      type: str
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    create_time:
      description: When the group was made.
      returned: where it has a value
      type: str
    snapshot_policy:
      description: When snapshots of the whole group are taken, all of one moment; none if
        not given. Its volumes go on by their own policies.
      returned: where it has a value
      type: dict
    volumes:
      description: Its volumes.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Name of the volume.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the volume.
          returned: where it has a value
          type: str
        space:
          description: Fields of space.
          type: dict
          contains:
            size:
              description: Its size in bytes; to be given of one that is made.
              returned: where it has a value
              type: int
    luns:
      description: The LUNs in its volumes. New ones are made; those that exist are changed
        and deleted by themselves.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Path, /vol/<volume>/<name>.
          returned: where it has a value
          type: str
        uuid:
          description: Identity.
          returned: where it has a value
          type: str
        space:
          description: Fields of space.
          type: dict
          contains:
            size:
              description: Size in bytes, rounded up to 4 KiB; to be given of a new one.
              returned: where it has a value
              type: int
        os_type:
          description: Operating system of the hosts; to be given of a new one.
          returned: where it has a value
          type: str
        comment:
          description: Comment.
          returned: where it has a value
          type: str
        lun_maps:
          description: The igroups that see it; they exist already.
          returned: where it has a value
          type: list
          elements: dict
          contains:
            igroup:
              description: The igroup.
              returned: where it has a value
              type: dict
            logical_unit_number:
              description: Number under which initiators see the LUN; the lowest free one
                when not given.
              returned: where it has a value
              type: int
    namespaces:
      description: The namespaces in its volumes. New ones are made; those that exist are
        changed and deleted by themselves.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        name:
          description: Path, /vol/<volume>/<name>.
          returned: where it has a value
          type: str
        uuid:
          description: Identity.
          returned: where it has a value
          type: str
        space:
          description: Fields of space.
          type: dict
          contains:
            size:
              description: Size in bytes, rounded up to 4 KiB; to be given of a new one.
              returned: where it has a value
              type: int
            block_size:
              description: Logical block size in bytes; when not given, 512 for vmware, whose
                hosts use no other, and 4096 else. 512 needs disks of such sectors.
              returned: where it has a value
              type: int
        os_type:
          description: Operating system of the hosts; to be given of a new one.
          returned: where it has a value
          type: str
        comment:
          description: Comment.
          returned: where it has a value
          type: str
        subsystem_map:
          description: Fields of subsystem_map.
          type: dict
          contains:
            subsystem:
              description: The subsystem that it is mapped to; it exists already.
              returned: where it has a value
              type: dict
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("application/consistency-groups")


if __name__ == "__main__":
    main()
