"""The options of a module, out of what the API declares of a resource's fields.

They are nested as the fields are. An object that is referred to is its name; a list of objects
that have nothing but a name is a list of names. What can have only one value here, UUIDs beside
names, and orders among the fields are no options.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sanstone.core.declaration import types
from sanstone.core.declaration.resource import (
    CREATE,
    MODIFY,
    Constant,
    Field,
    Items,
    Node,
    References,
)

KINDS: dict[type[types.Type], str] = {
    types.Size: "str",
    types.Integer: "int",
    types.Boolean: "bool",
}
NODE_OF_PORT = re.compile(
    r"(home_port|port|base_port|member_ports)\.node\.|location\.(home_)?node\."
)


@dataclass
class Option:
    """One option: what Ansible checks and documents of it, and its suboptions by name."""

    type: str = "dict"
    doc: str = ""
    required: bool = False
    secret: bool = False
    elements: str = ""
    choices: tuple[Any, ...] = ()
    options: dict[str, Option] = field(default_factory=dict)
    name: str = ""

    def specification(self) -> dict[str, Any]:
        """Return its entry in a module's argument_spec."""
        spec: dict[str, Any] = {"type": self.type}
        if self.elements:
            spec["elements"] = self.elements
        if self.required:
            spec["required"] = True
        if self.choices:
            spec["choices"] = list(self.choices)
        if self.options:
            spec["options"] = {name: each.specification() for name, each in self.options.items()}
        if self.secret:
            spec["no_log"] = True
        elif re.search(r"pass(?!ive)|key|secret|token", self.name):
            # Ansible warns of options with names like a secret's that do not set `no_log`.
            spec["no_log"] = False
        return spec

    def documentation(self) -> dict[str, Any]:
        """Return its entry in a module's DOCUMENTATION."""
        doc: dict[str, Any] = {"description": [marked(self.doc)], "type": self.type}
        if self.elements:
            doc["elements"] = self.elements
        if self.required:
            doc["required"] = True
        if self.choices:
            doc["choices"] = list(self.choices)
        if self.options:
            doc["suboptions"] = {name: each.documentation() for name, each in self.options.items()}
        return doc


def marked(text: str) -> str:
    """Return a text of the API's in Ansible's markup: words in backticks are values."""
    return re.sub(r"`([^`]*)`", lambda m: f"V({m[1].translate({41: chr(92) + ')'})})", text)


def is_order(node: Node) -> bool:
    """Return whether a field says what to do, once, and is never shown."""
    return isinstance(node, Field) and isinstance(node.get, Constant) and node.get.value is None


def _has_choice(node: Node, names: set[str]) -> bool:
    """Return whether there is anything to choose for a field."""
    if not isinstance(node, Field):
        return True
    parent, _, last = node.name.rpartition(".")
    if last == "uuid" and f"{parent}.name".lstrip(".") in names:
        return False
    if NODE_OF_PORT.search(node.name):
        return False
    if isinstance(node.get, Constant) and node.get.value is not None:
        return False
    if is_order(node) and not node.access & CREATE:
        return False
    return (
        not isinstance(node.type, types.Never) and len(getattr(node.type, "choices", ("", ""))) != 1
    )


def chosen(nodes: Iterable[Node]) -> list[Node]:
    """Return the fields that become options."""
    nodes = list(nodes)
    names = {node.name for node in nodes}
    return [n for n in nodes if n.access & (CREATE | MODIFY) and _has_choice(n, names)]


def tree(nodes: Iterable[Node], *, entry: bool = False) -> dict[str, Option]:
    """Return the options for fields. Only an `entry` of a list has required ones of its own."""
    options: dict[str, Option] = {}
    for node in chosen(nodes):
        if entry and node.name.startswith("node."):
            continue
        *parents, last = node.name.split(".")
        place = options
        for parent in parents:
            place = place.setdefault(parent, Option(doc=f"Fields of {parent}.")).options
        place[last] = option(node, entry=entry)
        place[last].name = last
    return {name: _named(option) for name, option in options.items()}


def _named(built: Option) -> Option:
    """Let an object that has nothing but a name be that name."""
    built.options = {name: _named(each) for name, each in built.options.items()}
    if built.type == "dict" and built.options.keys() == {"name"}:
        return built.options["name"]
    return built


def option(node: Node, *, entry: bool = False) -> Option:
    """Return the option for one field."""
    doc, required = node.doc, entry and node.required
    if isinstance(node, Items):
        parts = tree(node.fields, entry=True)
        if parts.keys() == {node.bare}:
            return Option("list", doc, required, elements="str")
        return Option("list", doc, required, elements="dict", options=parts)
    if isinstance(node, References):
        return Option("list", doc, required, elements="str")
    if not isinstance(node, Field):
        return Option("str", f"{doc} By its name.", required)
    if node.default not in (None, "") and not entry:
        doc = f"{doc} The array's default is `{_yaml_word(node.default)}`."
    if isinstance(node.type, types.ListOf):
        inner = node.type.entry
        choices = tuple(getattr(inner, "choices", ()))
        return Option("list", doc, required, elements=_kind(inner), choices=choices)
    if node.type.schema.get("type") == "array":
        of = node.type.schema.get("items", {}).get("type")
        return Option("list", doc, required, elements="int" if of == "integer" else "str")
    if isinstance(node.type, types.Size):
        doc = f"{doc} Or with a unit of 1024, as `10GB`."
    choices = tuple(getattr(node.type, "choices", ()))
    return Option(_kind(node.type), doc, required, node.secret, choices=choices)


def _kind(kind: types.Type) -> str:
    return next((name for each, name in KINDS.items() if isinstance(kind, each)), "str")


def _yaml_word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def contents(nodes: Iterable[Node]) -> dict[str, Any]:
    """Return what a module's RETURN says of the fields that the array shows."""
    entries: dict[str, Any] = {}
    for node in nodes:
        if isinstance(node, Field) and (node.secret or isinstance(node.get, Constant)):
            continue
        *parents, last = node.name.split(".")
        place = entries
        for parent in parents:
            above = place.setdefault(
                parent, {"description": f"Fields of {parent}.", "type": "dict"}
            )
            place = above.setdefault("contains", {})
        shown = _shown(node)
        # A reference and fields of the object that it refers to share one entry.
        place[last] = {**place.get(last, {}), **shown}
    return entries


def _shown(node: Node) -> dict[str, Any]:
    shown: dict[str, Any] = {"description": marked(node.doc), "returned": "where it has a value"}
    if isinstance(node, Items):
        return shown | {"type": "list", "elements": "dict", "contains": contents(node.fields)}
    if isinstance(node, References):
        return shown | {"type": "list", "elements": "dict"}
    if not isinstance(node, Field):
        return shown | {"type": "dict"}
    built = option(node)
    shown["type"] = "int" if isinstance(node.type, types.Size) else built.type
    if built.elements:
        shown["elements"] = built.elements
    return shown
