#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r"""
module: software_package
short_description: Give the array the package of a release, or remove it
version_added: 0.1.0
description:
  - The package of a release updates the array, by
    M(sanstone.array.software_update). It is a file with a name that ends in C(.raucb).
  - The array checks its signature before it keeps it.
  - Nothing is sent of a release that the array has in one of its slots, or in a package.
options:
  version:
    description:
      - The release in the package.
    type: str
    required: true
  src:
    description:
      - The package's file, where the module runs.
    type: path
  package_url:
    description:
      - Where the array fetches the package from, by HTTP or HTTPS.
    type: str
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.waiting
  - sanstone.array.state
seealso:
  - module: sanstone.array.software_update
  - module: sanstone.array.software_info
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Give the array a release
  sanstone.array.software_package:
    version: 1.4.0
    src: sanstone-1.4.0.raucb

- name: Remove its package
  sanstone.array.software_package:
    version: 1.4.0
    state: absent
"""

RETURN = r"""
code:
  description: ONTAP's code of the error.
  returned: when the array refuses
  type: str
  sample: '10551325'
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

import os
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.sanstone.array.plugins.module_utils.connection import OPTIONS, connect
from ansible_collections.sanstone.array.plugins.module_utils.finding import Impossible
from ansible_collections.sanstone.array.plugins.module_utils.objects import STATE, WAITING
from ansible_collections.sanstone.array.plugins.module_utils.software import (
    DOWNLOAD,
    PACKAGES,
    UPLOAD,
    is_there,
)


def give(module, array):
    """Give the array the package, unless it has the release. Return whether it had not."""
    version, path = module.params["version"], module.params["src"]
    if is_there(array, version):
        return False
    if module.check_mode:
        return True
    if path:
        try:
            with Path(path).open("rb") as file:
                array.upload(UPLOAD, file, os.fstat(file.fileno()).st_size)
        except OSError as error:
            raise Impossible(f"{path}: {error.strerror}") from error
    else:
        array.create(DOWNLOAD, {"url": module.params["package_url"]})
    if not is_there(array, version):
        raise Impossible(f"What the array was given is not the package of release {version}.")
    return True


def remove(module, array):
    """Remove the package, if it is there. Return whether it was."""
    version = module.params["version"]
    if version not in (each["version"] for each in array.records(PACKAGES)):
        return False
    if not module.check_mode:
        array.delete(f"{PACKAGES}/{version}")
    return True


def main():
    module = AnsibleModule(
        argument_spec={
            **OPTIONS,
            **WAITING,
            "version": {"type": "str", "required": True},
            "src": {"type": "path"},
            "package_url": {"type": "str"},
            "state": STATE,
        },
        required_if=[("state", "present", ("src", "package_url"), True)],
        mutually_exclusive=[("src", "package_url")],
        supports_check_mode=True,
    )
    with connect(module) as array:
        array.wait_timeout = module.params["wait_timeout"] if module.params["wait"] else 0
        absent = module.params["state"] == "absent"
        changed = remove(module, array) if absent else give(module, array)
    module.exit_json(changed=changed)


if __name__ == "__main__":
    main()
