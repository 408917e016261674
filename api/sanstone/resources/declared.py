"""All resources and actions of the API: what the modules of this package declare, discovered.

To import them all takes a third of the time in which the API starts. Programs that need a few of
the modules, such as the sampler, import those.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from sanstone import resources
from sanstone.core.declaration.action import Action
from sanstone.core.declaration.resource import Resource
from sanstone.resources.cluster.search import SearchResource


def _discover() -> tuple[Resource[Any], ...]:
    by_path: dict[str, Resource[Any]] = {}
    for info in pkgutil.walk_packages(resources.__path__, f"{resources.__name__}."):
        module = importlib.import_module(info.name)
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Resource) and hasattr(value, "path"):
                by_path.setdefault(value.path, value())
    return tuple(by_path[path] for path in sorted(by_path))


_DECLARED = _discover()
RESOURCES = tuple(each for each in _DECLARED if not isinstance(each, Action))
ACTIONS = tuple(each for each in _DECLARED if isinstance(each, Action))
SearchResource.among = RESOURCES
