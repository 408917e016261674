#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: lun_attribute_info
short_description: Read about LUN attribute objects
version_added: 0.1.0
description:
  - Texts that clients keep with a LUN.
  - It reads C(/api/storage/luns/{lun.uuid}/attributes).
options:
  lun:
    description:
      - The lun that it belongs to.
    type: str
    required: true
  svm:
    description:
      - The SVM of the lun.
    type: str
    required: true
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about LUN attribute objects
  sanstone.array.lun_attribute_info:
    lun: lun1
    svm: svm1
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    lun:
      description: The LUN.
      returned: where it has a value
      type: dict
    name:
      description: Name of the attribute.
      returned: where it has a value
      type: str
    value:
      description: Its value.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent
from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run(
        "storage/luns/{lun.uuid}/attributes",
        parents=(Parent("lun.uuid", "storage/luns", {"svm.name": "svm", "name": "lun"}),),
        options={
            "lun": {"type": "str", "required": True},
            "svm": {"type": "str", "required": True},
        },
    )


if __name__ == "__main__":
    main()
