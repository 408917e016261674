#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: fc_interface
short_description: Make, change and remove the array's FC interface objects
version_added: 0.1.0
description:
  - 'Fibre Channel interfaces are the ports at which SVMs are reached over Fibre Channel.
    The first one at a port for each data protocol has the port''s own names. Further ones
    for FCP are virtual ports (NPIV), where the adapter''s driver can make any (V(npiv) of
    the port) and the port is in a fabric that takes them: each has a WWPN of its own, which
    it keeps, and the WWNN of its SVM. While there are any, the first one stays at its port,
    but may be switched off. By NVMe there are none. A host''s port is refused while no igroup
    shows it a LUN, so map one before the host''s port comes up. A Linux host that was refused
    has to make its port anew: it looks for LUNs at no port that it met as no target. By FCP
    the target counts what hosts do, in mebibytes, and commands as one, which are V(other);
    by NVMe it counts nothing, so that such an interface has no statistics.'
  - Its options are the fields of C(/api/network/fc/interfaces), nested as they are there.
    What is not given is left as it is.
options:
  name:
    description:
      - Name within the SVM.
    type: str
    required: true
  svm:
    description:
      - The SVM that owns it. By its name.
    type: str
    required: true
  data_protocol:
    description:
      - Protocol that it serves.
    type: str
    choices:
      - fc_nvme
      - fcp
  comment:
    description:
      - Comment; an empty one is not shown.
    type: str
  enabled:
    description:
      - Whether it is switched on. The array's default is V(true).
    type: bool
  location:
    description:
      - Fields of location.
    type: dict
    suboptions:
      home_port:
        description:
          - Name of its Fibre Channel port.
        type: str
      port:
        description:
          - Name of its Fibre Channel port.
        type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
  - sanstone.array.renaming
seealso:
  - module: sanstone.array.fc_interface_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Serve Fibre Channel at an adapter's port
  sanstone.array.fc_interface:
    svm: fabric
    name: fc1
    data_protocol: fcp
    location:
      home_port: '0000:03:00.0'

- name: Serve Fibre Channel there no more
  sanstone.array.fc_interface:
    svm: fabric
    name: fc1
    state: absent
"""

RETURN = r"""
record:
  description: The FC interface as the array shows it afterwards, in check mode before the
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
    path="network/fc/interfaces",
    noun="fc interface",
    identity={"svm.name": "svm", "name": "name"},
    fields={
        "name": "name",
        "svm": "svm",
        "data_protocol": "data_protocol",
        "comment": "comment",
        "enabled": "enabled",
        "location": "location",
    },
    new_name="name",
    at_first=frozenset(["data_protocol", "svm"]),
)
OPTIONS = {
    "name": {"type": "str", "required": True},
    "svm": {"type": "str", "required": True},
    "data_protocol": {"type": "str", "choices": ["fc_nvme", "fcp"]},
    "comment": {"type": "str"},
    "enabled": {"type": "bool"},
    "location": {
        "type": "dict",
        "options": {"home_port": {"type": "str"}, "port": {"type": "str"}},
    },
}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
