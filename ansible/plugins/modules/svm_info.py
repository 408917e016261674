#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: svm_info
short_description: Read about SVM objects
version_added: 0.1.0
description:
  - Storage virtual machines own volumes, network interfaces, igroups and subsystems.
  - It reads C(/api/svm/svms).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about SVM objects
  sanstone.array.svm_info:
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
      description: Identity of the SVM.
      returned: where it has a value
      type: str
    name:
      description: Name of the SVM, unique in the array.
      returned: where it has a value
      type: str
    state:
      description: Whether it serves.
      returned: where it has a value
      type: str
    comment:
      description: Comment.
      returned: where it has a value
      type: str
    aggregates:
      description: Aggregates among which one is chosen for a volume that names none.
      returned: where it has a value
      type: list
      elements: dict
    iscsi:
      description: Fields of iscsi.
      type: dict
      contains:
        allowed:
          description: Whether the SVM may serve iscsi.
          returned: where it has a value
          type: bool
        enabled:
          description: Whether its iscsi service is enabled; one is made with the SVM where
            this is true.
          returned: where it has a value
          type: bool
    nvme:
      description: Fields of nvme.
      type: dict
      contains:
        allowed:
          description: Whether the SVM may serve nvme.
          returned: where it has a value
          type: bool
        enabled:
          description: Whether its nvme service is enabled; one is made with the SVM where
            this is true.
          returned: where it has a value
          type: bool
    fcp:
      description: Fields of fcp.
      type: dict
      contains:
        allowed:
          description: Whether the SVM may serve fcp.
          returned: where it has a value
          type: bool
        enabled:
          description: Whether its fcp service is enabled; one is made with the SVM where
            this is true.
          returned: where it has a value
          type: bool
    srp:
      description: Fields of srp.
      type: dict
      contains:
        allowed:
          description: Whether the SVM may serve srp.
          returned: where it has a value
          type: bool
        enabled:
          description: Whether its srp service is enabled; one is made with the SVM where
            this is true.
          returned: where it has a value
          type: bool
    language:
      description: Character set of file names.
      returned: where it has a value
      type: str
    snapshot_policy:
      description: Fields of snapshot_policy.
      type: dict
      contains:
        name:
          description: Policy of automatic snapshots.
          returned: where it has a value
          type: str
    max_volumes:
      description: Most volumes; not enforced.
      returned: where it has a value
      type: str
    storage:
      description: Fields of storage.
      type: dict
      contains:
        limit:
          description: Most bytes of all volumes; not enforced.
          returned: where it has a value
          type: int
        limit_threshold_alert:
          description: When to warn.
          returned: where it has a value
          type: int
    create_time:
      description: When the SVM was created.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("svm/svms")


if __name__ == "__main__":
    main()
