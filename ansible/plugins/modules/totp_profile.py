#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: totp_profile
short_description: Make, change and remove the array's totp profile objects
version_added: 0.1.0
description:
  - 'TOTP profiles: the secrets of accounts'' authenticator apps, for a second factor.'
  - Its options are the fields of C(/api/security/login/totps), nested as they are there.
    What is not given is left as it is.
options:
  owner:
    description:
      - The SVM that owns it, or the array. By its name.
    type: str
  account:
    description:
      - Name of the account.
    type: str
    required: true
  comment:
    description:
      - Comment.
    type: str
  enabled:
    description:
      - Whether its codes are accepted. While they are not, the account cannot log in where
        it is asked for one.
    type: bool
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.totp_profile_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Make a TOTP profile, whose secret the result tells once (with no_log, it is in no
    log)
  sanstone.array.totp_profile:
    account: monitor
    comment: The operator's phone

- name: Take a TOTP profile back
  sanstone.array.totp_profile:
    account: monitor
    state: absent
"""

RETURN = r"""
record:
  description: The totp profile as the array shows it afterwards, in check mode before the
    change.
  returned: when it exists, or shall exist
  type: dict
hosts:
  description: Hosts that are connected now to what would change.
  returned: in check mode, when something would change
  type: list
  elements: dict
  sample:
    - protocol: iscsi
      name: iqn.1994-05.com.example:host1
job:
  description: UUID of the job that works on the change.
  returned: with O(wait=false), when the array has not ended it at once
  type: str
code:
  description: ONTAP's code of the error.
  returned: when the array refuses
  type: str
  sample: '262197'
target:
  description: The field at fault.
  returned: when the array refuses, where it is one
  type: str
status:
  description: HTTP's status of the answer.
  returned: when the array refuses
  type: int
  sample: 409
"""

from ansible_collections.sanstone.array.plugins.module_utils.declaration import Resource
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource(
    path="security/login/totps",
    noun="totp profile",
    identity={"owner.name": "owner", "account.name": "account"},
    otherwise={"owner": {"scope": "cluster"}},
    fields={"owner": "owner", "account": "account", "comment": "comment", "enabled": "enabled"},
    at_first=frozenset(["account", "owner"]),
    later=frozenset(["enabled"]),
)
OPTIONS = {
    "owner": {"type": "str"},
    "account": {"type": "str", "required": True},
    "comment": {"type": "str"},
    "enabled": {"type": "bool"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
