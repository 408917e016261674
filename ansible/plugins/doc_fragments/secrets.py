# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations


class ModuleDocFragment:
    """Objects with secrets, which the array never shows."""

    DOCUMENTATION = r"""
options:
  update_password:
    description:
      - Whether secrets that are given are set each time, which is a change each time, or only with
        a new object. In the entries of lists they are set only with new entries.
    type: str
    choices:
      - always
      - on_create
    default: always
"""
