# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations


class ModuleDocFragment:
    """What modules that change something have in common."""

    DOCUMENTATION = r"""
options:
  wait:
    description:
      - Whether the task ends only when the array has completed it.
    type: bool
    default: true
  wait_timeout:
    description:
      - Seconds after which a task fails that waits. The array goes on with its work.
    type: int
    default: 600
attributes:
  check_mode:
    description:
      - In check mode the array tries each change, tells what would refuse it, and changes nothing.
      - What does not exist yet is warned of, since an earlier task may be to make it.
    support: full
  diff_mode:
    description: Shows the fields that differ, before and after; secrets are hidden.
    support: full
"""
