# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""What every module does that only reads: give the objects of a resource that match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.sanstone.array.plugins.module_utils.comparison import without_links
from ansible_collections.sanstone.array.plugins.module_utils.connection import (
    MISSING,
    OPTIONS,
    connect,
)
from ansible_collections.sanstone.array.plugins.module_utils.declaration import Parent
from ansible_collections.sanstone.array.plugins.module_utils.finding import (
    key_of_parent,
)

if not MISSING:
    from sanstone.client import NotFound

if TYPE_CHECKING:
    from sanstone.client import Array, Record

READING: dict[str, dict[str, Any]] = {
    "fields": {"type": "list", "elements": "str", "default": ["*"]},
    "filter": {"type": "dict", "default": {}},
    "order_by": {"type": "list", "elements": "str", "default": []},
}


def run(
    path: str,
    parents: tuple[Parent, ...] = (),
    options: Mapping[str, Any] | None = None,
    otherwise: Mapping[str, Mapping[str, str]] | None = None,
    *,
    single: bool = False,
) -> None:
    """Do what a task asks for; `options` name the objects of `parents`."""
    module = AnsibleModule(
        argument_spec={**OPTIONS, **READING, **(options or {})}, supports_check_mode=True
    )
    params = module.params
    query = {name: str(condition) for name, condition in params["filter"].items()}
    query["fields"] = ",".join(params["fields"])
    if params["order_by"]:
        query["order_by"] = ",".join(params["order_by"])
    with connect(module) as array:
        for parent in parents:
            key = quote(key_of_parent(array, parent, params, otherwise or {}), safe="")
            path = path.replace(f"{{{parent.placeholder}}}", key)
        records = _only(array, path, query) if single else list(array.records(path, query))
    module.exit_json(changed=False, records=without_links(records))


def _only(array: Array, path: str, query: Mapping[str, str]) -> list[Record]:
    """Return the one object that there is, if any."""
    try:
        return [array.get(path, query)]
    except NotFound:
        return []
