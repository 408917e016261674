"""Imports the modules' own imports once: in the playbook's process, before it forks.

Each task runs in a fork of that process, which also parses all that its module imports, to learn
the imports of those in turn. That, too, is done before. Ansible has no other place for it than a
callback.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
from pathlib import Path

from ansible.executor import module_common
from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: imported
short_description: import what modules need before tasks are forked
description:
  - Ansible reads which options there are without running this.
author: Sanstone
type: aggregate
"""
UTILITIES = "ansible_collections.{}.plugins.module_utils"

for collection in ("netapp.ontap", "sanstone.array"):
    try:
        utilities = importlib.import_module(UTILITIES.format(collection))
    except ModuleNotFoundError:
        continue
    for module in pkgutil.iter_modules(utilities.__path__):
        importlib.import_module(f"{utilities.__name__}.{module.name}")

parse = module_common._compile_module_ast
parsed: dict[str, ast.Module] = {}


def parse_once(name: str, source: str | bytes) -> ast.Module:
    """Parse a module; names of modules are unique."""
    if name not in parsed:
        parsed[name] = parse(name, source)
    return parsed[name]


module_common._compile_module_ast = parse_once
for name, imported in list(sys.modules.items()):
    # A package of a collection may be a folder alone, and Ansible's `distro` puts another module in
    # its own place.
    if (
        ".module_utils" in name
        and vars(imported).get("__name__") == name
        and (file := Path(vars(imported).get("__file__") or "")).suffix == ".py"
    ):
        parse_once(name, file.read_bytes())


class CallbackModule(CallbackBase):
    """A callback that does nothing: it is there to be loaded."""

    CALLBACK_NAME = "imported"
