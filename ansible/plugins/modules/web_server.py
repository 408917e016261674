#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: web_server
short_description: Change the array's web server
version_added: 0.1.0
description:
  - The web server of the array, and the certificate that it shows.
  - Its options are the fields of C(/api/cluster/web), nested as they are there. What is not
    given is left as it is.
options:
  certificate:
    description:
      - The certificate that it shows. By its name.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
seealso:
  - module: sanstone.array.web_server_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Serve the web interface with it
  sanstone.array.web_server:
    certificate: web
"""

RETURN = r"""
record:
  description: The web server as the array shows it afterwards, in check mode before the change.
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
    path="cluster/web",
    noun="web server",
    fields={"certificate": "certificate"},
    single=True,
    creatable=False,
)
OPTIONS = {"certificate": {"type": "str"}}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
