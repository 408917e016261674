# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations


class ModuleDocFragment:
    """Objects that are created and removed."""

    DOCUMENTATION = r"""
options:
  state:
    description:
      - Whether the object exists.
    type: str
    choices:
      - present
      - absent
    default: present
"""
