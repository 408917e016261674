#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: totp_profile_info
short_description: Read about totp profile objects
version_added: 0.1.0
description:
  - 'TOTP profiles: the secrets of accounts'' authenticator apps, for a second factor.'
  - It reads C(/api/security/login/totps).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about totp profile objects
  sanstone.array.totp_profile_info:
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
    comment:
      description: Comment.
      returned: where it has a value
      type: str
    enabled:
      description: Whether its codes are accepted. While they are not, the account cannot
        log in where it is asked for one.
      returned: where it has a value
      type: bool
    sha_fingerprint:
      description: SHA-256 of the secret, which tells it from others.
      returned: where it has a value
      type: str
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("security/login/totps")


if __name__ == "__main__":
    main()
