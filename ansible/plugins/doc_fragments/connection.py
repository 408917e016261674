# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations


class ModuleDocFragment:
    """How all modules reach an array."""

    DOCUMENTATION = r"""
options:
  url:
    description:
      - Where the array's REST API is, as V(https://array.example.org).
      - Else the environment variable E(SANSTONE_URL) says it.
    type: str
    required: true
  username:
    description:
      - An account of the array. Else the environment variable E(SANSTONE_USER) says it.
    type: str
    required: true
  password:
    description:
      - Its password. Else the environment variable E(SANSTONE_PASSWORD) says it.
    type: str
    required: true
  ca_path:
    description:
      - A file of certificates, in PEM, by which that of the array is verified. A new array has
        signed its own.
      - Else the environment variable E(SANSTONE_CA_PATH) says it; without either, those that the
        system trusts.
    type: path
  validate_certs:
    description:
      - Whether the array's certificate is verified. Without that anybody on the way can take the
        array's place.
      - Else the environment variable E(SANSTONE_VALIDATE_CERTS) says it.
    type: bool
    default: true
requirements:
  - sanstone, the Python client of the array
notes:
  - Modules call the array from where they run, so tasks are for C(localhost), or delegated to it.
  - Options that all tasks share are given once, in C(module_defaults) of
    C(group/sanstone.array.array).
"""
