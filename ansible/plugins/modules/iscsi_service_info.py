#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: iscsi_service_info
short_description: Read about iSCSI service objects
version_added: 0.1.0
description:
  - The iSCSI service of an SVM is the target that initiators log in to.
  - It reads C(/api/protocols/san/iscsi/services).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about iSCSI service objects
  sanstone.array.iscsi_service_info:
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
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    enabled:
      description: Whether initiators may log in.
      returned: where it has a value
      type: bool
    target:
      description: Fields of target.
      type: dict
      contains:
        name:
          description: IQN of the target.
          returned: where it has a value
          type: str
        alias:
          description: Name for people, told to initiators; the SVM's when not given.
          returned: where it has a value
          type: str
    statistics:
      description: Fields of statistics.
      type: dict
      contains:
        status:
          description: Whether they are good.
          returned: where it has a value
          type: str
        timestamp:
          description: When they were read.
          returned: where it has a value
          type: str
        iops_raw:
          description: Fields of iops_raw.
          type: dict
          contains:
            read:
              description: Operations in all, read.
              returned: where it has a value
              type: int
            write:
              description: Operations in all, write.
              returned: where it has a value
              type: int
            other:
              description: Operations in all, other.
              returned: where it has a value
              type: int
            total:
              description: Operations in all, total.
              returned: where it has a value
              type: int
        throughput_raw:
          description: Fields of throughput_raw.
          type: dict
          contains:
            read:
              description: Bytes in all, read.
              returned: where it has a value
              type: int
            write:
              description: Bytes in all, write.
              returned: where it has a value
              type: int
            other:
              description: Bytes in all, other.
              returned: where it has a value
              type: int
            total:
              description: Bytes in all, total.
              returned: where it has a value
              type: int
        latency_raw:
          description: Fields of latency_raw.
          type: dict
          contains:
            read:
              description: Microseconds in all, read.
              returned: where it has a value
              type: int
            write:
              description: Microseconds in all, write.
              returned: where it has a value
              type: int
            other:
              description: Microseconds in all, other.
              returned: where it has a value
              type: int
            total:
              description: Microseconds in all, total.
              returned: where it has a value
              type: int
    metric:
      description: Fields of metric.
      type: dict
      contains:
        status:
          description: Whether it is good.
          returned: where it has a value
          type: str
        timestamp:
          description: Begin of the interval.
          returned: where it has a value
          type: str
        duration:
          description: Length of the interval.
          returned: where it has a value
          type: str
        iops:
          description: Fields of iops.
          type: dict
          contains:
            read:
              description: Operations per second, read.
              returned: where it has a value
              type: int
            write:
              description: Operations per second, write.
              returned: where it has a value
              type: int
            other:
              description: Operations per second, other.
              returned: where it has a value
              type: int
            total:
              description: Operations per second, total.
              returned: where it has a value
              type: int
        throughput:
          description: Fields of throughput.
          type: dict
          contains:
            read:
              description: Bytes per second, read.
              returned: where it has a value
              type: int
            write:
              description: Bytes per second, write.
              returned: where it has a value
              type: int
            other:
              description: Bytes per second, other.
              returned: where it has a value
              type: int
            total:
              description: Bytes per second, total.
              returned: where it has a value
              type: int
        latency:
          description: Fields of latency.
          type: dict
          contains:
            read:
              description: Microseconds per operation, read.
              returned: where it has a value
              type: int
            write:
              description: Microseconds per operation, write.
              returned: where it has a value
              type: int
            other:
              description: Microseconds per operation, other.
              returned: where it has a value
              type: int
            total:
              description: Microseconds per operation, total.
              returned: where it has a value
              type: int
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("protocols/san/iscsi/services")


if __name__ == "__main__":
    main()
