#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: dns
short_description: Make, change and remove the array's DNS objects
version_added: 0.1.0
description:
  - 'The DNS servers that the array asks. Those of an SVM are kept and have no effect: SVMs
    look up no names.'
  - Its options are the fields of C(/api/name-services/dns), nested as they are there. What
    is not given is left as it is.
options:
  svm:
    description:
      - 'Whose it is: the array''s, which is named here as an SVM would be, or an SVM''s.
        By its name.'
    type: str
  scope:
    description:
      - Whose it is.
    type: str
    choices:
      - cluster
      - svm
  domains:
    description:
      - Domains in which a host name without a dot is looked for, in this order.
    type: list
    elements: str
  servers:
    description:
      - Addresses of the DNS servers that are asked first, in this order, before DHCP's.
    type: list
    elements: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.dns_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Set the array's own name servers
  sanstone.array.dns:
    domains:
      - example.org
    servers:
      - 192.0.2.53
      - 192.0.2.54

- name: Ask no name servers
  sanstone.array.dns:
    state: absent
"""

RETURN = r"""
record:
  description: The DNS as the array shows it afterwards, in check mode before the change.
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
    path="name-services/dns",
    noun="dns",
    identity={"svm.name": "svm"},
    otherwise={"svm": {"scope": "cluster"}},
    fields={"svm": "svm", "scope": "scope", "domains": "domains", "servers": "servers"},
    at_first=frozenset(["scope", "svm"]),
)
OPTIONS = {
    "svm": {"type": "str"},
    "scope": {"type": "str", "choices": ["cluster", "svm"]},
    "domains": {"type": "list", "elements": "str"},
    "servers": {"type": "list", "elements": "str"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
