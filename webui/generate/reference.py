"""What the manual's reference says of events, roles, metrics, commands and resources.

All of it is declared elsewhere; the manual's build makes pages of it (`build/manual/reference.ts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from sanstone.core.declaration import description
from sanstone.core.declaration.resource import CREATE, MODIFY, Items, Node, Reference
from sanstone.http import prometheus
from sanstone.resources.declared import ACTIONS, RESOURCES
from sanstone.rules.cluster.event_catalog import CATALOG
from sanstone.security import roles
from sanstone.shell import commands
from sanstone.shell.description import read
from sanstone.shell.tree import Command

BUILTINS = "session"
"""The place of the commands that are in no directory."""


def reference() -> dict[str, Any]:
    """Return all of it as JSON."""
    return {
        "events": [kind._asdict() | {"manual": kind.manual} for kind in CATALOG],
        "roles": {
            "array": {name: dict(held) for name, held in roles.BUILT_IN.items()},
            "svm": {name: dict(held) for name, held in roles.BUILT_IN_FOR_SVMS.items()},
        },
        "accesses": {name: sorted(methods) for name, methods in roles.METHODS.items()},
        "metrics": prometheus.__doc__,
        "commands": _commands(),
        "resources": _resources(),
    }


def _commands() -> dict[str, list[dict[str, Any]]]:
    """Return the commands that the array has, by the first word of their directory."""
    found = commands.collections(read(description.describe((*RESOURCES, *ACTIONS))))
    offered = sorted(
        (command for command in commands.build(found.values()).commands() if not command.absent),
        key=lambda command: (_place(command), command.path),
    )
    return {
        place: [_command(command) for command in group]
        for place, group in groupby(offered, key=_place)
    }


def _place(command: Command) -> str:
    return command.path[0] if len(command.path) > 1 else BUILTINS


def _command(command: Command) -> dict[str, Any]:
    return {
        "words": " ".join(command.path),
        "doc": command.doc,
        "synopsis": [parameter.synopsis for parameter in command.visible("admin")],
        "resource": command.collection.resource.path if command.collection else "",
    }


def _resources() -> list[dict[str, Any]]:
    return [
        {
            "path": resource.path,
            "doc": resource.doc,
            "methods": sorted(resource.methods),
            "fields": list(_fields(resource.fields)),
        }
        for resource in (*RESOURCES, *ACTIONS)
    ]


def _fields(nodes: Iterable[Node], prefix: str = "") -> Iterator[dict[str, Any]]:
    """Yield each field by its whole name."""
    for node in nodes:
        name = prefix + node.name
        if isinstance(node, Items) and node.fields:
            yield from _fields(node.fields, f"{name}.")
            continue
        name += ".name" if isinstance(node, Reference) else ""
        access = [
            word for flag, word in ((CREATE, "POST"), (MODIFY, "PATCH")) if node.access & flag
        ]
        yield {"name": name, "doc": node.doc, "access": access, "required": node.required}
