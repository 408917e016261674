#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: publickey
short_description: Make, change and remove the array's publickey objects
version_added: 0.1.0
description:
  - Public keys with which accounts log in over SSH.
  - Its options are the fields of C(/api/security/authentication/publickeys), nested as they
    are there. What is not given is left as it is.
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
  index:
    description:
      - Number of the key among the account's; the lowest free one unless given.
    type: int
    required: true
  public_key:
    description:
      - The key, as OpenSSH writes it.
    type: str
  comment:
    description:
      - Comment.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.publickey_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Let it log in by SSH
  sanstone.array.publickey:
    account: monitor
    index: 0
    public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f

- name: Take a key back
  sanstone.array.publickey:
    account: monitor
    index: 0
    state: absent
"""

RETURN = r"""
record:
  description: The publickey as the array shows it afterwards, in check mode before the change.
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
    path="security/authentication/publickeys",
    noun="publickey",
    identity={"owner.name": "owner", "account.name": "account", "index": "index"},
    otherwise={"owner": {"scope": "cluster"}},
    fields={
        "owner": "owner",
        "account": "account",
        "index": "index",
        "public_key": "public_key",
        "comment": "comment",
    },
    at_first=frozenset(["account", "index", "owner"]),
)
OPTIONS = {
    "owner": {"type": "str"},
    "account": {"type": "str", "required": True},
    "index": {"type": "int", "required": True},
    "public_key": {"type": "str", "no_log": False},
    "comment": {"type": "str"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
