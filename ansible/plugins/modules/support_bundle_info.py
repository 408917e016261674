#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: support_bundle_info
short_description: Read about support bundle objects
version_added: 0.1.0
description:
  - Files for support, each with the array's journal, configuration, figures of the last days
    and state of the kernel, and without any secret. The array keeps 5. Download one from
    support/bundles/{uuid}/file.
  - It reads C(/api/support/bundles).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about support bundle objects
  sanstone.array.support_bundle_info:
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
      description: Identity.
      returned: where it has a value
      type: str
    name:
      description: Name, and that of the file that is downloaded; by default the time, in
        UTC.
      returned: where it has a value
      type: str
    state:
      description: Whether it can be downloaded; of a lost one there is no file, since the
        configuration was restored without it.
      returned: where it has a value
      type: str
    size:
      description: Bytes of the file; absent while it is made.
      returned: where it has a value
      type: int
    create_time:
      description: When it was asked for.
      returned: where it has a value
      type: str
    missing:
      description: Parts that could not be collected.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        part:
          description: What is not in it.
          returned: where it has a value
          type: str
        reason:
          description: Why.
          returned: where it has a value
          type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("support/bundles")


if __name__ == "__main__":
    main()
