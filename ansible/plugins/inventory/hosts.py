# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""The inventory of the hosts that an array serves."""

from __future__ import annotations

DOCUMENTATION = r"""
name: hosts
short_description: Hosts that a Sanstone array serves
version_added: 0.1.0
description:
  - Takes the hosts that igroups and subsystems of an array name into the inventory.
  - Initiators of one name, by their comment or by what the host itself says, are one host.
  - A file of it ends in C(sanstone.yml) or C(sanstone.yaml).
author:
  - The Sanstone developers (@sanstone)
extends_documentation_fragment:
  - constructed
requirements:
  - sanstone, the Python client of the array
options:
  plugin:
    description: That the file is one of this plugin.
    type: str
    required: true
    choices: [sanstone.array.hosts]
  url:
    description: Where the array's REST API is, as V(https://array.example.org).
    type: str
    required: true
    env:
      - name: SANSTONE_URL
  username:
    description: An account of the array; one that may only read is enough.
    type: str
    required: true
    env:
      - name: SANSTONE_USER
  password:
    description: Its password.
    type: str
    required: true
    env:
      - name: SANSTONE_PASSWORD
  ca_path:
    description: A file of certificates, in PEM, by which that of the array is verified.
    type: path
    env:
      - name: SANSTONE_CA_PATH
  validate_certs:
    description: Whether the array's certificate is verified.
    type: bool
    default: true
    env:
      - name: SANSTONE_VALIDATE_CERTS
  filter:
    description: Conditions on fields of C(/api/protocols/san/hosts), in the API's query language.
    type: dict
    default: {}
"""

EXAMPLES = r"""
# Hosts of one SVM, reached where they log in to it, in groups by their igroups and how their paths are.
plugin: sanstone.array.hosts
url: https://array.example.org
ca_path: array.pem
filter:
  svm.name: svm1
compose:
  ansible_host: sanstone_addresses | first | default(inventory_hostname)
keyed_groups:
  - key: sanstone_igroups
    prefix: igroup
  - key: sanstone_state
    prefix: paths
groups:
  nvme_hosts: sanstone_subsystems | length > 0
"""

from collections.abc import Iterable
from typing import Any

from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable
from ansible_collections.sanstone.array.plugins.module_utils.connection import MISSING, connected

if not MISSING:
    from sanstone.client import ClientError

PATH = "protocols/san/hosts"
LISTS = {
    "sanstone_initiators": "initiator",
    "sanstone_addresses": "addresses",
    "sanstone_transport_protocols": "transport_protocols",
    "sanstone_svms": "svm",
    "sanstone_igroups": "igroups",
    "sanstone_subsystems": "subsystems",
}
"""Variables of a host, and the fields that are collected in them."""


class InventoryModule(BaseInventoryPlugin, Constructable):  # type: ignore[misc] # they have no types
    """The plugin, as Ansible looks for it."""

    NAME = "sanstone.array.hosts"

    def verify_file(self, path: str) -> bool:
        """Return whether a file is for this plugin."""
        ours = path.endswith(("sanstone.yml", "sanstone.yaml"))
        return bool(ours and super().verify_file(path))

    def parse(self, inventory: Any, loader: Any, path: str, cache: bool = True) -> None:
        """Add the hosts. Raises AnsibleParserError."""
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        if MISSING:
            raise AnsibleParserError("This needs the Python library sanstone.")
        names = ("url", "username", "password", "ca_path", "validate_certs")
        options = {name: self.get_option(name) for name in names}
        query = {name: str(text) for name, text in self.get_option("filter").items()}
        try:
            with connected(options) as array:
                records = list(array.records(PATH, {**query, "fields": "*"}))
        except (ClientError, ValueError, OSError) as error:
            raise AnsibleParserError(f"{options['url']}: {error}") from error
        for name, variables in by_name(records).items():
            self._add(name, variables)

    def _add(self, name: str, variables: dict[str, Any]) -> None:
        self.inventory.add_host(name)
        for variable, value in variables.items():
            self.inventory.set_variable(name, variable, value)
        strict = self.get_option("strict")
        self._set_composite_vars(self.get_option("compose"), variables, name, strict=strict)
        self._add_host_to_composed_groups(self.get_option("groups"), variables, name, strict=strict)
        self._add_host_to_keyed_groups(
            self.get_option("keyed_groups"), variables, name, strict=strict
        )


def by_name(records: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the variables of each host; the records of worse paths come first, as the API's do."""
    hosts: dict[str, dict[str, Any]] = {}
    for record in records:
        empty: dict[str, Any] = {"sanstone_state": record["state"]}
        variables = hosts.setdefault(record["name"], empty | {each: [] for each in LISTS})
        for variable, field in LISTS.items():
            for name in _names(record.get(field)):
                if name not in variables[variable]:
                    variables[variable].append(name)
    return hosts


def _names(value: Any) -> list[str]:
    """Return the names in what a field shows: an object, several, or words."""
    values = value if isinstance(value, list) else [] if value is None else [value]
    return [each["name"] if isinstance(each, dict) else str(each) for each in values]
