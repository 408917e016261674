#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: iscsi_credential
short_description: Make, change and remove the array's iSCSI credential objects
version_added: 0.1.0
description:
  - Credentials say how an initiator authenticates to an SVM's iSCSI target.
  - Its options are the fields of C(/api/protocols/san/iscsi/credentials), nested as they
    are there. What is not given is left as it is.
options:
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  initiator:
    description:
      - iSCSI name of the initiator, or V(default) for all that have no credential.
    type: str
    required: true
  authentication_type:
    description:
      - Whether CHAP is demanded, nothing is, or logins are refused.
    type: str
    choices:
      - chap
      - none
      - deny
  chap:
    description:
      - Fields of chap.
    type: dict
    suboptions:
      inbound:
        description:
          - Fields of inbound.
        type: dict
        suboptions:
          user:
            description:
              - CHAP name of the initiator.
            type: str
          password:
            description:
              - Its secret; taken, never shown.
            type: str
      outbound:
        description:
          - Fields of outbound.
        type: dict
        suboptions:
          user:
            description:
              - CHAP name of the target; an empty one ends mutual CHAP.
            type: str
          password:
            description:
              - Its secret; taken, never shown.
            type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.secrets
seealso:
  - module: sanstone.array.iscsi_credential_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Have a host prove who it is
  sanstone.array.iscsi_credential:
    svm: svm1
    initiator: iqn.1994-05.com.example:host1
    authentication_type: chap
    chap:
      inbound:
        user: host1
        password: '{{ chap_password }}'
    update_password: on_create

- name: Have a host prove nothing
  sanstone.array.iscsi_credential:
    svm: svm1
    initiator: iqn.1994-05.com.example:host1
    state: absent
"""

RETURN = r"""
record:
  description: The iSCSI credential as the array shows it afterwards, in check mode before
    the change.
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
    path="protocols/san/iscsi/credentials",
    noun="iscsi credential",
    identity={"svm.name": "svm", "initiator": "initiator"},
    fields={
        "svm": "svm",
        "initiator": "initiator",
        "authentication_type": "authentication_type",
        "chap": "chap",
    },
    at_first=frozenset(["initiator", "svm"]),
    secrets=frozenset(["chap.inbound.password", "chap.outbound.password"]),
)
OPTIONS = {
    "svm": {"type": "str", "required": True},
    "initiator": {"type": "str", "required": True},
    "authentication_type": {"type": "str", "choices": ["chap", "none", "deny"]},
    "chap": {
        "type": "dict",
        "options": {
            "inbound": {
                "type": "dict",
                "options": {"user": {"type": "str"}, "password": {"type": "str", "no_log": True}},
            },
            "outbound": {
                "type": "dict",
                "options": {"user": {"type": "str"}, "password": {"type": "str", "no_log": True}},
            },
        },
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
