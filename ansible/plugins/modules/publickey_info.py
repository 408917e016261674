#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: publickey_info
short_description: Read about publickey objects
version_added: 0.1.0
description:
  - Public keys with which accounts log in over SSH.
  - It reads C(/api/security/authentication/publickeys).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about publickey objects
  sanstone.array.publickey_info:
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    owner:
      description: The SVM that owns it, or the array.
      returned: where it has a value
      type: dict
    scope:
      description: Whether the array or an SVM owns it.
      returned: where it has a value
      type: str
    account:
      description: Fields of account.
      type: dict
      contains:
        name:
          description: Name of the account.
          returned: where it has a value
          type: str
    index:
      description: Number of the key among the account's; the lowest free one unless given.
      returned: where it has a value
      type: int
    public_key:
      description: The key, as OpenSSH writes it.
      returned: where it has a value
      type: str
    comment:
      description: Comment.
      returned: where it has a value
      type: str
    sha_fingerprint:
      description: Fingerprint, as V(ssh-keygen -l) shows it.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("security/authentication/publickeys")


if __name__ == "__main__":
    main()
