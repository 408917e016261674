# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations


class ModuleDocFragment:
    """Objects with a name that can change."""

    DOCUMENTATION = r"""
options:
  from_name:
    description:
      - The name of an object that O(name) is to be the name of, where there is none of that name.
    type: str
"""
