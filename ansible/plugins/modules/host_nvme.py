#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r"""
module: host_nvme
short_description: Connect a Linux host to the NVMe/TCP subsystems of an array
version_added: 0.1.0
description:
  - Runs on the host, as root, with nvme-cli. The role P(sanstone.array.host#role) uses it.
  - Lists LIFs of the array in C(/etc/nvme/discovery.conf), and connects to all that they tell of for this
    host, as the service C(nvmf-autoconnect) does at each boot. Each address has to be reached.
  - Secrets are written to C(/etc/nvme/config.json), which root alone reads then. What others have there
    stays. They take nvme-cli 2.
  - With O(state=absent) subsystems that the host reaches at O(addresses) are left on all of their paths, and
    the addresses and secrets are forgotten. It fails before that where the host uses a namespace of theirs.
  - In check mode the array is not contacted, since an earlier task may create its LIFs. An address that is not
    connected counts as one to connect to.
options:
  addresses:
    description:
      - Addresses of LIFs of the array.
    type: list
    elements: str
    required: true
  port:
    description:
      - The port at which they listen.
    type: int
    default: 4420
  chap:
    description:
      - Keys of DH-HMAC-CHAP, as C(nvme gen-dhchap-key) makes them. They count at the next connection.
    type: dict
    suboptions:
      key:
        description:
          - The host's key. It has one for all arrays.
          - With O(state=absent) it stays while another subsystem has a key of its own.
        type: str
        required: true
      array_key:
        description:
          - The array's key, where it has to prove itself too.
        type: str
      subsystem:
        description:
          - The NQN of the subsystem that proves itself by O(chap.array_key).
        type: str
  state:
    description:
      - Whether the host uses the subsystems, or leaves them.
    type: str
    choices:
      - present
      - absent
    default: present
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Connect to all that an SVM has for this host
  sanstone.array.host_nvme:
    addresses:
      - 10.10.1.1
      - 10.10.2.1
    chap:
      key: "{{ dh_hmac_chap_key }}"

- name: Leave it
  sanstone.array.host_nvme:
    addresses:
      - 10.10.1.1
      - 10.10.2.1
    state: absent
"""

RETURN = r"""
subsystems:
  description: The NQNs of the subsystems that are used, or that were left.
  returned: success
  type: list
  elements: str
"""

import copy
import json
from collections import namedtuple
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.sanstone.array.plugins.module_utils.host_disks import joined, run, write

SETTINGS = Path("/etc/nvme")
ADDRESSES = SETTINGS / "discovery.conf"
KEYS = SETTINGS / "config.json"
TRANSPORT = Path("/sys/module/nvme_tcp")
JOINS_PATHS = Path("/sys/module/nvme_core/parameters/multipath")
DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery"
Controller = namedtuple("Controller", "name address port subsystem")
"""A path of the host's to a subsystem, by TCP."""


def with_keys(hosts, names, chap, ports):
    """Return libnvme's configuration with the keys of one host for one array, and all else as it was.

    `names` has the host's `hostnqn` and `hostid`, `ports` is where the array is.
    """
    hosts = copy.deepcopy(hosts)
    host = _host_of(hosts, names)
    if host is None:
        host = dict(names)
        hosts.append(host)
    host["dhchap_key"] = chap["key"]
    if chap["array_key"]:
        ports = [{**port, "dhchap_ctrl_key": chap["array_key"]} for port in ports]
        subsystem = {"nqn": chap["subsystem"], "ports": ports}
        subsystems = host.setdefault("subsystems", [])
        numbers = [number for number, each in enumerate(subsystems) if _is(each, subsystem["nqn"])]
        if numbers:
            subsystems[numbers[0]] = subsystem
        else:
            subsystems.append(subsystem)
    return hosts


def without_keys(hosts, names, chap):
    """Return libnvme's configuration without what `with_keys` put there."""
    hosts = copy.deepcopy(hosts)
    host = _host_of(hosts, names)
    if host is None:
        return hosts
    subsystems = host.pop("subsystems", [])
    others = [each for each in subsystems if not _is(each, chap["subsystem"])]
    if others:
        host["subsystems"] = others
    else:
        host.pop("dhchap_key", None)
    return [each for each in hosts if each is not host or host.keys() - names.keys()]


def _host_of(hosts, names):
    return next((each for each in hosts if each.get("hostnqn") == names["hostnqn"]), None)


def _is(subsystem, nqn):
    return subsystem.get("nqn") == nqn


def _read(path):
    """Return the text of a file, empty where there is none."""
    return path.read_text() if path.exists() else ""


def controllers():
    """Return the host's paths to subsystems of all arrays, by TCP."""
    connected = []
    for folder in sorted(Path("/sys/class/nvme").glob("nvme*")):
        parts = _read(folder / "address").strip().split(",")
        address = dict(part.partition("=")[::2] for part in parts)
        nqn = _read(folder / "subsysnqn").strip()
        if _read(folder / "transport").strip() == "tcp" and nqn != DISCOVERY:
            at = address.get("traddr"), address.get("trsvcid")
            connected.append(Controller(folder.name, *at, nqn))
    return connected


class Host:
    """The host's NVMe, and what the task says of the array."""

    def __init__(self, module):
        self.module = module
        self.addresses = module.params["addresses"]
        self.port = str(module.params["port"])
        self.chap = module.params["chap"]

    def subsystems(self):
        """Return those that the host reaches at the array's addresses."""
        return sorted({path.subsystem for path in controllers() if self._is_ours(path)})

    def unreached(self):
        """Return the addresses of the array at which the host is not connected."""
        reached = {path.address for path in controllers() if self._is_ours(path)}
        return [address for address in self.addresses if address not in reached]

    def _is_ours(self, path):
        return path.address in self.addresses and path.port == self.port

    def list_addresses(self, listed):
        """Have the addresses in the file of those to look at, or not. Return whether it was otherwise."""
        before = _read(ADDRESSES)
        ours = [f"-t tcp -a {address} -s {self.port}" for address in self.addresses]
        lines = before.splitlines()
        if listed:
            lines += [line for line in ours if line not in lines]
        else:
            lines = [line for line in lines if line not in ours]
        return self._replace(ADDRESSES, before, "".join(f"{line}\n" for line in lines), 0o644)

    def keep_keys(self, kept):
        """Have the keys in their file, or not. Return whether it was otherwise."""
        if not self.chap:
            return False
        names = {name: _read(SETTINGS / name).strip() for name in ("hostnqn", "hostid")}
        before = _read(KEYS)
        hosts = json.loads(before or "[]")
        if kept:
            ports = [
                {"transport": "tcp", "traddr": address, "trsvcid": self.port}
                for address in self.addresses
            ]
            after = with_keys(hosts, names, self.chap, ports)
        else:
            after = without_keys(hosts, names, self.chap)
        if after == hosts:
            return False
        return self._replace(
            KEYS, before, json.dumps(after, indent=2) + "\n" if after else "", 0o600
        )

    def _replace(self, path, before, after, mode):
        """Have a text in a file of /etc/nvme; there is no file for none. Return whether it was otherwise."""
        if after == before:
            return False
        if not self.module.check_mode:
            if after:
                write(self.module, path, after, mode)
            else:
                path.unlink()
        return True


def use(module, host):
    """Have the host use the array's subsystems. Return whether it had not."""
    if not module.check_mode and not TRANSPORT.exists():
        run(module, "modprobe", "nvme-tcp")
    if _read(JOINS_PATHS).strip() == "N":
        module.fail_json(
            msg="The kernel does not join the paths to namespaces: nvme_core needs multipath=Y, and the host a restart."
        )
    changed = host.list_addresses(True) | host.keep_keys(True)
    if module.check_mode:
        return changed or bool(host.unreached())
    before = controllers()
    run(module, "nvme", "connect-all", "--quiet")
    # It does not fail where it reaches nothing.
    unreached = host.unreached()
    if unreached:
        module.fail_json(msg=f"The host is not connected at {', '.join(unreached)}.")
    return changed or controllers() != before


def leave(module, host):
    """Have the host leave the subsystems and forget addresses and keys. Return whether it used them."""
    subsystems = host.subsystems()
    disks = [
        Path("/dev", path.name)
        for folder in Path("/sys/class/nvme-subsystem").glob("nvme-subsys*")
        if _read(folder / "subsysnqn").strip() in subsystems
        for path in folder.glob("nvme*n*")
    ]
    joined(module, [disk for disk in disks if disk.exists()])
    changed = host.list_addresses(False) | host.keep_keys(False)
    if not module.check_mode:
        for nqn in subsystems:
            run(module, "nvme", "disconnect", f"--nqn={nqn}")
    return changed or bool(subsystems)


def main():
    module = AnsibleModule(
        argument_spec={
            "addresses": {"type": "list", "elements": "str", "required": True},
            "port": {"type": "int", "default": 4420},
            "chap": {
                "type": "dict",
                "options": {
                    "key": {"type": "str", "required": True, "no_log": True},
                    "array_key": {"type": "str", "no_log": True},
                    "subsystem": {"type": "str"},
                },
                "required_together": [("array_key", "subsystem")],
            },
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        },
        supports_check_mode=True,
    )
    host = Host(module)
    if module.params["state"] == "absent":
        subsystems = host.subsystems()
        module.exit_json(changed=leave(module, host), subsystems=subsystems)
    changed = use(module, host)
    module.exit_json(changed=changed, subsystems=host.subsystems())


if __name__ == "__main__":
    main()
