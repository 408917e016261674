#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: wwpn_alias
short_description: Make, change and remove the array's WWPN alias objects
version_added: 0.1.0
description:
  - Aliases are names for the WWPNs of Fibre Channel initiators, each within its SVM.
  - Its options are the fields of C(/api/network/fc/wwpn-aliases), nested as they are there.
    What is not given is left as it is.
options:
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  alias:
    description:
      - Name within the SVM.
    type: str
    required: true
  wwpn:
    description:
      - WWPN that it stands for.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.wwpn_alias_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Give a host's port a name
  sanstone.array.wwpn_alias:
    svm: fabric
    alias: host1
    wwpn: '20:00:00:50:56:00:00:01'

- name: Forget a name
  sanstone.array.wwpn_alias:
    svm: fabric
    alias: host1
    state: absent
"""

RETURN = r"""
record:
  description: The WWPN alias as the array shows it afterwards, in check mode before the change.
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
    path="network/fc/wwpn-aliases",
    noun="wwpn alias",
    identity={"svm.name": "svm", "alias": "alias"},
    fields={"svm": "svm", "alias": "alias", "wwpn": "wwpn"},
    at_first=frozenset(["alias", "svm", "wwpn"]),
)
OPTIONS = {
    "svm": {"type": "str", "required": True},
    "alias": {"type": "str", "required": True},
    "wwpn": {"type": "str"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
