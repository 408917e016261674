"""What modules of collections import, imported once: in the playbook's process, before it forks.

Each task runs in a fork of that process. Ansible has no other place for it than a callback.
"""

from __future__ import annotations

import importlib
import pkgutil

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


class CallbackModule(CallbackBase):
    """A callback that does nothing: it is there to be loaded."""

    CALLBACK_NAME = "imported"
