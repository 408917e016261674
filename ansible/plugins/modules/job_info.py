#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: job_info
short_description: Read about job objects
version_added: 0.1.0
description:
  - A job tells how far a change has come and, when it failed, why.
  - It reads C(/api/cluster/jobs).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about job objects
  sanstone.array.job_info:
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
      description: Identity of the job.
      returned: where it has a value
      type: str
    description:
      description: The request that started it.
      returned: where it has a value
      type: str
    state:
      description: How far it has come; a paused one is in effect and to be confirmed.
      returned: where it has a value
      type: str
    message:
      description: 'What happened: how far it is, or why it failed.'
      returned: where it has a value
      type: str
    progress:
      description: Fields of progress.
      type: dict
      contains:
        percent:
          description: How far it has come; absent while nobody can tell.
          returned: where it has a value
          type: int
    cancelable:
      description: Whether it can be cancelled now.
      returned: where it has a value
      type: bool
    confirm_until:
      description: When its change is taken back unless it is confirmed; shown while that
        is open.
      returned: where it has a value
      type: str
    confirm_left:
      description: Seconds that are left for that.
      returned: where it has a value
      type: int
    objects:
      description: Objects that the change is about.
      returned: where it has a value
      type: list
      elements: dict
      contains:
        path:
          description: Resource of the object.
          returned: where it has a value
          type: str
        key:
          description: Key of the object, mostly its UUID.
          returned: where it has a value
          type: str
    code:
      description: 0, or the error's code.
      returned: where it has a value
      type: int
    error:
      description: Fields of error.
      type: dict
      contains:
        code:
          description: The error's code.
          returned: where it has a value
          type: str
        message:
          description: Why it failed.
          returned: where it has a value
          type: str
        target:
          description: The field meant.
          returned: where it has a value
          type: str
        arguments:
          description: Parts of the message as they stand in it, for who translates the rest.
          returned: where it has a value
          type: list
          elements: dict
          contains:
            code:
              description: Its place, from 0.
              returned: where it has a value
              type: str
            message:
              description: The part itself.
              returned: where it has a value
              type: str
    start_time:
      description: When it was started.
      returned: where it has a value
      type: str
    end_time:
      description: When it ended.
      returned: where it has a value
      type: str
    node:
      description: Fields of node.
      type: dict
      contains:
        name:
          description: Name of the node.
          returned: where it has a value
          type: str
        uuid:
          description: Identity of the node.
          returned: where it has a value
          type: str
    svm:
      description: The SVM that the request was about.
      returned: where it has a value
      type: dict
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("cluster/jobs")


if __name__ == "__main__":
    main()
