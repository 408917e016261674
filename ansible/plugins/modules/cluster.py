#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: cluster
short_description: Change the array's cluster
version_added: 0.1.0
description:
  - The array as a whole.
  - Its options are the fields of C(/api/cluster), nested as they are there. What is not given
    is left as it is.
options:
  name:
    description:
      - Name of the array; its node's name begins with it.
    type: str
  contact:
    description:
      - Whom to ask about the array.
    type: str
  location:
    description:
      - Where the array stands.
    type: str
  timezone:
    description:
      - Time zone, as the IANA database names it.
    type: str
  dns_domains:
    description:
      - Domains in which a host name without a dot is looked for, in this order.
    type: list
    elements: str
  name_servers:
    description:
      - Addresses of the DNS servers that are asked first, in this order, before DHCP's.
    type: list
    elements: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
seealso:
  - module: sanstone.array.cluster_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Name the array and say where it stands
  sanstone.array.cluster:
    name: array-1
    contact: storage@example.org
    location: Room 4
    timezone: Europe/Berlin
"""

RETURN = r"""
record:
  description: The cluster as the array shows it afterwards, in check mode before the change.
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
    path="cluster",
    noun="cluster",
    fields={
        "name": "name",
        "contact": "contact",
        "location": "location",
        "timezone": "timezone",
        "dns_domains": "dns_domains",
        "name_servers": "name_servers",
    },
    single=True,
    creatable=False,
)
OPTIONS = {
    "name": {"type": "str"},
    "contact": {"type": "str"},
    "location": {"type": "str"},
    "timezone": {"type": "str"},
    "dns_domains": {"type": "list", "elements": "str"},
    "name_servers": {"type": "list", "elements": "str"},
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
