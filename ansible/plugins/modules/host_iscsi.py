#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

DOCUMENTATION = r"""
module: host_iscsi
short_description: Log a Linux host in to the iSCSI targets of an array
version_added: 0.1.0
description:
  - Runs on the host, as root, with open-iscsi. The role P(sanstone.array.host#role) uses it.
  - Asks LIFs of the array for its targets, records all portals that they tell of, and logs in where
    the host is not. LUNs that were mapped since are found by the sessions that are there.
  - Recorded portals are logged in to at each boot, where the service for that is enabled.
  - Secrets are written to the records, which root alone reads, and are no arguments of a program.
  - With O(state=absent) the targets that are recorded at O(portals) are left on all of their portals, and
    forgotten; the array need not be there any more. It fails before that where the host uses a LUN of theirs.
  - In check mode the array is not contacted, since an earlier task may create its LIFs. A portal that is not
    recorded counts as one to log in to.
options:
  portals:
    description:
      - Addresses of LIFs of the array.
    type: list
    elements: str
    required: true
  port:
    description:
      - The port at which they listen.
    type: int
    default: 3260
  target:
    description:
      - The IQN of the one target that counts; without it all that the array tells of.
    type: str
  chap:
    description:
      - What the host proves itself with. It counts at the next login.
      - Without it the records keep what they have.
    type: dict
    suboptions:
      user:
        description:
          - The host's user.
        type: str
        required: true
      password:
        description:
          - Its password.
        type: str
        required: true
      array_user:
        description:
          - The user of the array, where it has to prove itself too.
        type: str
      array_password:
        description:
          - Its password.
        type: str
  replacement_timeout:
    description:
      - The seconds after which requests of a lost path go to another one. It counts at the next login.
    type: int
    default: 5
  state:
    description:
      - Whether the host uses the targets, or leaves them.
    type: str
    choices:
      - present
      - absent
    default: present
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Log in to all targets of an SVM
  sanstone.array.host_iscsi:
    portals:
      - 10.10.1.1
      - 10.10.2.1
    chap:
      user: host1
      password: "{{ chap_password }}"

- name: Leave them
  sanstone.array.host_iscsi:
    portals:
      - 10.10.1.1
      - 10.10.2.1
    state: absent
"""

RETURN = r"""
targets:
  description: The IQNs of the targets that are used, or that were left.
  returned: success
  type: list
  elements: str
"""

import re
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.sanstone.array.plugins.module_utils.host_disks import joined, run, write

RECORDS = (Path("/etc/iscsi/nodes"), Path("/var/lib/iscsi/nodes"))
"""Where open-iscsi keeps records, by distribution: <target>/<portal>, or <target>/<portal>/<interface>."""
NONE = 21
"""Exit status of iscsiadm(8) where there are no records, sessions or portals."""
END = "# END RECORD"


def settled(record, settings):
    """Return the text of a record with these settings, and all else as it was."""
    remaining = dict(settings)
    lines = []
    for line in record.splitlines():
        name = line.partition("=")[0].strip()
        if name in remaining:
            line = f"{name} = {remaining.pop(name)}"
        if line == END:
            lines += [f"{name} = {value}" for name, value in remaining.items()]
            remaining = {}
        lines.append(line)
    lines += [f"{name} = {value}" for name, value in remaining.items()]
    return "".join(f"{line}\n" for line in lines)


class Initiator:
    """The host's open-iscsi. Places are written as by iscsiadm: `address:port,group target`."""

    def __init__(self, module):
        self.module = module
        self.iscsiadm = module.get_bin_path("iscsiadm", required=True)

    def ask(self, *arguments):
        """Return what iscsiadm lists, in lines; none where there is nothing."""
        status, out, error = self.module.run_command([self.iscsiadm, *arguments])
        if status not in (0, NONE):
            self.module.fail_json(msg=f"iscsiadm: {error.strip()}", rc=status)
        return out.splitlines()

    def order(self, place, *arguments):
        """Have iscsiadm do something to a record."""
        portal, target = place.split()
        node = ("--mode=node", f"--portal={portal}", f"--targetname={target}")
        run(self.module, "iscsiadm", *node, *arguments)

    def offered(self, portals):
        """Return where the array's targets are, as it tells by these portals."""
        ask = ("--mode=discovery", "--type=sendtargets", "--op=nonpersistent")
        lines = [line for portal in portals for line in self.ask(*ask, f"--portal={portal}")]
        return list(dict.fromkeys(lines))

    def recorded(self):
        """Return where the targets of all arrays are that the host knows."""
        return self.ask("--mode=node")

    def sessions(self):
        """Return where the host is logged in, at all arrays."""
        # tcp: [1] 10.10.1.1:3260,1024 iqn.2026-11.org.example:target (non-flash)
        matches = (re.search(r"\] (\S+ \S+)", line) for line in self.ask("--mode=session"))
        return {match[1] for match in matches if match}

    def set(self, targets, settings):
        """Set what counts at the next login. Return whether a record was otherwise."""
        changed = False
        for path in _files(targets):
            before = path.read_text()
            after = settled(before, settings)
            if after != before:
                changed = True
                if not self.module.check_mode:
                    write(self.module, path, after)
        return changed


def _files(targets):
    folders = [folder / target for folder in RECORDS for target in targets]
    return sorted(path for each in folders for path in each.glob("**/*") if path.is_file())


def _targets(places):
    return sorted({place.split()[1] for place in places})


def _portal(place):
    return place.split()[0].rpartition(",")[0]


def _settings(module):
    chap = module.params["chap"] or {}
    settings = {
        "node.startup": "automatic",
        "node.session.timeo.replacement_timeout": str(module.params["replacement_timeout"]),
    }
    if chap:
        settings["node.session.auth.authmethod"] = "CHAP"
        settings["node.session.auth.username"] = chap["user"]
        settings["node.session.auth.password"] = chap["password"]
    if chap.get("array_user"):
        settings["node.session.auth.username_in"] = chap["array_user"]
        settings["node.session.auth.password_in"] = chap["array_password"]
    if any(not value.isprintable() for value in settings.values()):
        module.fail_json(msg="Users and passwords are of printable characters.")
    return settings


def use(module, portals):
    """Have the host use the targets. Return what they are, and whether it had not."""
    host = Initiator(module)
    settings, recorded = _settings(module), host.recorded()
    known = [place for place in recorded if _counts(module, place)]
    if module.check_mode:
        at = _targets(place for place in known if _portal(place) in portals)
        new = portals - {_portal(place) for place in known}
        logged_out = {place for place in known if place.split()[1] in at} - host.sessions()
        return at, bool(new or logged_out) | host.set(at, settings)
    wanted = [place for place in host.offered(sorted(portals)) if _counts(module, place)]
    if not wanted:
        sought = module.params["target"] or ""
        listed = ", ".join(sorted(portals))
        module.fail_json(
            msg=f"{listed} tell of no target {sought} for this host.".replace("  ", " ")
        )
    targets = _targets(wanted)
    new = [place for place in wanted if place not in recorded]
    for place in new:
        host.order(place, "--op=new")
    changed = host.set(targets, settings) or bool(new)
    sessions = host.sessions()
    for place in wanted:
        if place in sessions:
            # It finds LUNs that were mapped since.
            host.order(place, "--rescan")
        else:
            host.order(place, "--login")
            changed = True
    return targets, changed


def leave(module, portals):
    """Have the host leave the targets and forget them. Return what they are."""
    if not module.get_bin_path("iscsiadm"):
        return []
    host = Initiator(module)
    recorded = host.recorded()
    targets = _targets(
        place for place in recorded if _portal(place) in portals and _counts(module, place)
    )
    places = [place for place in recorded if place.split()[1] in targets]
    sessions = host.sessions().intersection(places)
    name = re.compile(rf"-iscsi-({'|'.join(map(re.escape, targets))})-lun-\w+$")
    disks = sorted(Path("/dev/disk/by-path").glob("*-iscsi-*"))
    maps = joined(module, [path for path in disks if name.search(path.name)])
    if not module.check_mode:
        for name in maps:
            run(module, "multipath", "-f", name)
        for place in sorted(sessions):
            host.order(place, "--logout")
        for place in places:
            host.order(place, "--op=delete")
    return targets


def _counts(module, place):
    return module.params["target"] in (None, place.split()[1])


def main():
    module = AnsibleModule(
        argument_spec={
            "portals": {"type": "list", "elements": "str", "required": True},
            "port": {"type": "int", "default": 3260},
            "target": {"type": "str"},
            "chap": {
                "type": "dict",
                "options": {
                    "user": {"type": "str", "required": True},
                    "password": {"type": "str", "required": True, "no_log": True},
                    "array_user": {"type": "str"},
                    "array_password": {"type": "str", "no_log": True},
                },
                "required_together": [("array_user", "array_password")],
            },
            "replacement_timeout": {"type": "int", "default": 5},
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        },
        supports_check_mode=True,
    )
    port = module.params["port"]
    portals = {
        f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        for address in module.params["portals"]
    }
    if module.params["state"] == "absent":
        targets = leave(module, portals)
        module.exit_json(changed=bool(targets), targets=targets)
    targets, changed = use(module, portals)
    module.exit_json(changed=changed, targets=targets)


if __name__ == "__main__":
    main()
