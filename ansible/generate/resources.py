"""What a module says of its resource to the code that all modules share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from names import LISTS, NAMES, OTHERWISE, READ_ONLY, RENAMED, UNLIKE, Named
from options import Option, chosen, is_order, option, tree

from sanstone.core.declaration.action import Action
from sanstone.core.declaration.resource import (
    CREATE,
    MODIFY,
    Field,
    Items,
    Node,
    Reference,
    Resource,
)
from sanstone.core.declaration.types import Boolean, Choice
from sanstone.resources.declared import RESOURCES

BY_PATH = {resource.path: resource for resource in RESOURCES}
TAKEN = ("ca_path", "from_name", "password", "state", "url", "username", "validate_certs", "wait")
"""Options that every module has, so that fields of these names get the module's before theirs."""


@dataclass
class Module:
    """The module of a resource."""

    resource: Resource[Any]
    named: Named
    options: dict[str, Option] = field(default_factory=dict)
    said: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Derive options, and what else is said of the resource."""
        resource = self.resource
        self.settable = chosen(resource.fields)
        own = tree(resource.fields)
        sent = {self._option(name): name for name in own}
        identity = {
            self._leaf(name): ".".join([self._option(name), *name.split(".")[1:2]])
            if own.get(name.partition(".")[0], Option()).options
            else self._option(name)
            for name in self.named.identity
        }
        for name in self.named.identity:
            if name.partition(".")[0] not in own and name not in self.options:
                node = self._node(name) or self._node(f"{name}.name")
                own[name] = option(node) if node else Option("str", f"The {name} it belongs to.")
        self.options = {self._option(name): option for name, option in own.items()}
        for name in self.named.identity:
            top = self._option(name)
            if name not in self.named.optional and top in self.options:
                self.options[top].required = True
        self.said = {"path": resource.path, "noun": self.noun}
        if identity:
            self.said["identity"] = identity
        self._say_parents()
        self._say_owner()
        self.said["fields"] = sent
        if (
            "PATCH" in resource.methods
            and self._is(MODIFY, "name")
            and "name" in self.named.identity
        ):
            self.said["new_name"] = "name"
        self._say_fields()
        self._say_switches()
        if resource.single:
            self.said["single"] = True
        if not self.creatable:
            self.said["creatable"] = False

    @property
    def name(self) -> str:
        """Return the module's name."""
        return self.named.module

    @property
    def noun(self) -> str:
        """Return what an object is called in a sentence."""
        return self.named.module.replace("_", " ")

    @property
    def creatable(self) -> bool:
        """Return whether the module creates objects."""
        return "POST" in self.resource.methods

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to set."""
        return not self.said["fields"]

    def _node(self, name: str) -> Node | None:
        return self.resource.node(name)

    def _is(self, access: Any, name: str) -> bool:
        node = self._node(name)
        return bool(node and node.access & access)

    def _option(self, name: str) -> str:
        """Return the option that a field, or the object that it belongs to, is set by."""
        top = name.partition(".")[0]
        top = RENAMED.get(self.resource.path, {}).get(top, top)
        return f"{self.named.module}_{top}" if top in TAKEN else top

    def _leaf(self, name: str) -> str:
        """Return the query that finds objects by a field."""
        node = self._node(name)
        refers = isinstance(node, Reference) or (node is None and self._node(f"{name}.name"))
        return f"{name}.name" if refers else name

    def _say_parents(self) -> None:
        parents = []
        for placeholder in re.findall(r"{([^}]*)}", self.resource.path):
            base, _, _ = placeholder.rpartition(".")
            if base == "owner":
                self._add("owner", "The SVM that owns the role; without it, the array.", False)
                self._add("role", "The role that it belongs to.", True)
                identity = {"owner.name": "owner", "name": "role"}
                for part in (placeholder, "role.name"):
                    parents.append(
                        {"placeholder": part, "path": self._above(), "identity": identity}
                    )
            elif placeholder != "role.name":
                parents.append(self._parent(placeholder, base))
        if parents:
            self.said["parents"] = parents

    def _parent(self, placeholder: str, base: str) -> dict[str, Any]:
        above, noun = self._above(), base.replace("_", " ")
        named = NAMES[above]
        identity = {}
        for name in named.identity:
            own = base if name == "name" else name
            refers = isinstance(BY_PATH[above].node(name), Reference)
            identity[f"{name}.name" if refers else name] = own
            text = f"The {noun} that it belongs to." if own == base else f"The SVM of the {noun}."
            self._add(own, text, name not in named.optional)
        return {"placeholder": placeholder, "path": above, "identity": identity}

    def _add(self, name: str, doc: str, required: bool) -> None:
        self.options = {name: Option("str", doc, required)} | self.options
        self.options[name].required = required

    def _say_owner(self) -> None:
        """Set how an object without an owner, or other names, is found."""
        below = self.named.below
        optional = self.named.optional or (NAMES[self._above()].optional if below else ())
        otherwise: dict[str, Any] = dict(OTHERWISE.get(self.resource.path, {}))
        for name in ("owner", "svm"):
            if name in optional:
                otherwise[name] = {"scope": "cluster"}
        if otherwise:
            self.said["otherwise"] = otherwise

    def _above(self) -> str:
        return next(path for path, named in NAMES.items() if named.module == self.named.below)

    def _say_fields(self) -> None:
        nodes = self.settable
        lists = LISTS.get(self.resource.path, {})
        first = [
            node.name
            for node in nodes
            if node.name not in lists
            and (is_order(node) or (node.access & CREATE and not node.access & MODIFY))
        ]
        later = [node.name for node in nodes if not node.access & CREATE]
        # One that is set only at the creation of the object is not compared, like all hidden ones.
        secrets = [name for name in _secrets(nodes) if name not in first]
        implied = {
            node.name: node.type.choices[0]
            for node in self.resource.fields
            if isinstance(node, Field)
            and node.required
            and node.name not in {each.name for each in nodes}
            and isinstance(node.type, Choice)
        }
        for word, names in (("at_first", first), ("later", later), ("secrets", secrets)):
            if names and self.creatable:
                self.said[word] = sorted(map(self._flat_name, names))
        if self.resource.path in UNLIKE:
            self.said["unlike"] = sorted(UNLIKE[self.resource.path])
        if implied:
            self.said["implied"] = implied
        if lists:
            self.said["lists"] = lists

    def _flat_name(self, name: str) -> str:
        """Return the dotted name that a value of a task has: an object is its name."""
        place = tree(self.resource.fields).get(name.partition(".")[0])
        path = name.split(".")
        for depth, part in enumerate(path[1:], 1):
            if place is None or part not in place.options:
                return ".".join(path[:depth])
            place = place.options[part]
        return name

    def _say_switches(self) -> None:
        switches = [
            each
            for each in self.resource.options
            if isinstance(each.type, Boolean) and each.name.startswith("allow_")
        ]
        for switch in switches:
            self.options[switch.name] = Option("bool", switch.doc)
        if switches:
            self.said["switches"] = tuple(switch.name for switch in switches)


def _secrets(nodes: Iterable[Node], prefix: str = "") -> Iterator[str]:
    """Yield the names of secret fields, those of entries of lists too."""
    for node in nodes:
        if isinstance(node, Items):
            yield from _secrets(node.fields, f"{node.name}.")
        elif isinstance(node, Field) and node.secret:
            yield f"{prefix}{node.name}"


def modules() -> list[Module]:
    """Return the modules that change something, by the order of their names."""
    built = [
        Module(resource, NAMES[resource.path])
        for resource in RESOURCES
        if resource.path in NAMES and not isinstance(resource, Action)
    ]
    return sorted(built, key=lambda module: module.name)


@dataclass
class Reading:
    """The `_info` module of a resource."""

    resource: Resource[Any]
    name: str
    parents: list[dict[str, Any]] = field(default_factory=list)
    options: dict[str, Option] = field(default_factory=dict)
    otherwise: dict[str, Any] = field(default_factory=dict)

    @property
    def example(self) -> dict[str, Any]:
        """Return the arguments of an example."""
        named = {"svm": "svm1", "role": "admin"}
        values: dict[str, Any] = {
            name: named.get(name, f"{name}1")
            for name, option in self.options.items()
            if option.required
        }
        names = [node.name for node in self.resource.fields]
        if "svm" in names and "svm" not in values:
            values["filter"] = {"svm.name": "svm1"}
        return values


def readings() -> list[Reading]:
    """Return the modules that only read, by the order of their names."""
    readings = []
    for module in modules():
        parents = module.said.get("parents", [])
        tops = {each for parent in parents for each in parent["identity"].values()}
        readings.append(
            Reading(
                module.resource,
                module.name,
                parents,
                {name: option for name, option in module.options.items() if name in tops},
                module.said.get("otherwise", {}) if parents else {},
            )
        )
    readings += [Reading(BY_PATH[path], name) for path, name in READ_ONLY.items()]
    return sorted(readings, key=lambda reading: reading.name)
