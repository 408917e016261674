# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations


class ModuleDocFragment:
    """What all modules have in common that only read."""

    DOCUMENTATION = r"""
options:
  fields:
    description:
      - Fields to read, by their dotted names. V(*) stands for all but those that take long, V(**)
        for all.
    type: list
    elements: str
    default: ['*']
  filter:
    description:
      - Conditions on fields, by their dotted names, in the API's query language, as
        V(>10GB) for C(space.size) and V(/vol/vol1/*) for C(name).
    type: dict
    default: {}
  order_by:
    description:
      - Fields to sort by, each followed by V(desc) if the largest comes first.
    type: list
    elements: str
    default: []
attributes:
  check_mode:
    description: It changes nothing.
    support: full
  diff_mode:
    description: There is nothing to show.
    support: none
"""
