"""Bodies for a resource: of its examples and its declaration, then spoilt now and then.

Most begin as an example, with its references turned to objects that are there; fields are added
with values that their types take, or examples have. A body has dotted names and is sent nested as
often.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import examples
from action_examples import ACTION_EXAMPLES
from examples import Body
from furnished_array import nested

from fuzz import values
from fuzz.objects import Objects
from sanstone.core.declaration.resource import (
    CREATE,
    MODIFY,
    Access,
    Field,
    Items,
    Node,
    Reference,
    References,
)
from sanstone.core.declaration.resource import Resource as Declared
from sanstone.core.declaration.types import LunPath

Resource = Declared[Any]
SVMS = ("svm1", "svm2", "foreign", "nothing")
NOBODY = "00000000-0000-0000-0000-000000000001"
RAW = (
    *("", "null", "[]", "7", '"x"', "{", "[1,2", '{"a":1}}', '{"name": NaN}', '{"name": Infinity}'),
    *('{"name": "a", "name": "b"}', '{"a\\u0000b": 1}', '{"name": "\\ud800"}', "\ufeff{}", "{} {}"),
    *("[" * 100_000, '{"name":' * 2000 + "1" + "}" * 2000, '{"size": ' + "9" * 5000 + "}", "\x00"),
    *('{"records": []}', '{"records": {}}', '{"records": [7]}', '{"records": [{}], "name": "a"}'),
)
"""Bodies that are no objects, or are none that anybody should send."""
_ACTIONS = {example.path: example.body for example in ACTION_EXAMPLES}


def _seen_in_examples() -> dict[tuple[str, str], list[Any]]:
    """Return the values that examples have for a field, by path and name."""
    values: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for example in examples.EXAMPLES:
        for body in (*example.objects, example.another, *example.changes):
            for name, value in body.items():
                values[example.path, name].append(value)
    return values


_KNOWN = _seen_in_examples()


class Bodies:
    """Draws bodies for an array."""

    def __init__(self, random: Random, objects: Objects) -> None:
        self._random, self._objects = random, objects

    def svm(self) -> str:
        """Return the name of an SVM, mostly of one that there is."""
        if self._chance(0.6):
            return SVMS[0]
        known = self._objects.any(self._random, "svm/svms")
        return known.name if known and self._chance(0.9) else self._random.choice(SVMS)

    def creation(self, resource: Resource, svm: str = "") -> Body:
        """Return a body for POST."""
        example = examples.BY_PATH.get(resource.path)
        known = [*example.objects, *[example.another] * 3] if example else []
        if resource.path in _ACTIONS:
            known = [_ACTIONS[resource.path]]
        body = dict(self._random.choice(known)) if known and self._chance(0.93) else {}
        svm = svm or self.svm()
        for name in body:
            body[name] = self._again(resource, name, body[name], svm)
        self._add(resource.fields, CREATE, resource.path, body, svm, required=self._chance(0.9))
        return body

    def change(self, resource: Resource, svm: str = "") -> Body:
        """Return a body for PATCH."""
        example = examples.BY_PATH.get(resource.path)
        known = example.changes if example else ()
        body = dict(self._random.choice(known)) if known and self._chance(0.5) else {}
        for name in body:
            body[name] = self._again(resource, name, body[name], svm)
        self._add(resource.fields, MODIFY, resource.path, body, svm, required=False)
        return body

    def written(self, body: Any) -> str:
        """Return a body as text: nested or not, and spoilt now and then."""
        if self._chance(0.02):
            return self._random.choice(RAW)
        if isinstance(body, dict):
            if self._chance(0.12):
                body = self._spoilt(body)
            if self._chance(0.5) and not any(not isinstance(name, str) for name in body):
                body = self._nested(body)
        return json.dumps(body, ensure_ascii=self._chance(0.5) or _has_surrogates(body))

    def _chance(self, of: float) -> bool:
        return self._random.random() < of

    def _nested(self, body: Body) -> Body:
        try:
            return nested(body)
        except (AttributeError, TypeError, KeyError):
            # It was spoilt so that one name is both a value and an object.
            return body

    def _again(self, resource: Resource, name: str, value: Any, svm: str) -> Any:
        """Return the value of an example, often turned to something else of its kind."""
        if name in ("svm.name", "owner.name"):
            return svm
        node = self._node(resource, name)
        if isinstance(node, Reference | References) and self._chance(0.8):
            target = self._reference(node, svm)
            return (target.get(name.rpartition(".")[2]) or value) if target else value
        if isinstance(node, Field) and self._chance(0.35):
            if name == "name" or isinstance(node.type, LunPath):
                return self._name(node, value, svm)
            return self._value(resource.path, node, svm)
        if isinstance(node, Items) and self._chance(0.3):
            return self._entries(resource.path, node, svm)
        if isinstance(value, str) and self._chance(0.3) and name == "name":
            return f"{value}{self._random.randint(1, 9)}"
        return value

    def _node(self, resource: Resource, name: str) -> Node | None:
        parent = name.rpartition(".")[0]
        return resource.node(name) or next(
            (n for n in resource.fields if n.name == parent and isinstance(n, Reference)), None
        )

    def _name(self, node: Field, value: Any, svm: str) -> Any:
        if isinstance(node.type, LunPath):
            volume = self._objects.any(self._random, "storage/volumes", svm)
            above = volume.name if volume else "vol1"
            return f"/vol/{above}/x{self._random.randint(1, 9)}"
        return f"{value}{self._random.randint(1, 9)}"

    def _add(
        self,
        nodes: Sequence[Node],
        access: Access,
        path: str,
        body: Body,
        svm: str,
        *,
        required: bool,
    ) -> None:
        """Add the required fields, and some of those that can be set."""
        settable = [node for node in nodes if node.access & access]
        some = self._random.choices((0, 1, 2, 4), (5, 3, 2, 1) if body else (1, 5, 3, 2))[0]
        chosen = self._random.sample(settable, min(some, len(settable)))
        if required:
            chosen += [node for node in settable if node.required and node not in chosen]
        if self._chance(0.04):
            chosen += self._random.sample(nodes, min(1, len(nodes)))
        for node in chosen:
            if not any(f"{name}.".startswith(f"{node.name}.") for name in body):
                body[node.name] = self._any_value(path, node, svm)

    def _any_value(self, path: str, node: Node, svm: str) -> Any:
        if isinstance(node, Field):
            return self._value(path, node, svm)
        if isinstance(node, Items):
            return self._entries(path, node, svm)
        if isinstance(node, Reference):
            return self._reference(node, svm) or {"name": "nothing"}
        several = (self._reference(node, svm) for _ in range(self._random.choice((0, 1, 1, 2))))
        return [each for each in several if each]

    def _value(self, path: str, node: Field, svm: str) -> Any:
        known = _KNOWN.get((path, node.name))
        if isinstance(node.type, LunPath) and self._chance(0.8):
            return self._name(node, "", svm)
        if known and self._chance(0.5):
            return self._random.choice(known)
        if self._chance(0.06):
            return values.bad(self._random, node.type)
        return values.good(self._random, node.type)

    def _entries(self, path: str, node: Items, svm: str) -> list[Any]:
        entries = []
        for _ in range(self._random.choice((0, 1, 1, 2, 3))):
            entry: Body = {}
            self._add(node.fields, CREATE | MODIFY, path, entry, svm, required=True)
            bare = entry.get(node.bare)
            entries.append(bare if isinstance(bare, str) and self._chance(0.2) else entry)
        return entries

    def _reference(self, node: Reference | References, svm: str) -> Body:
        target = self._objects.target(self._random, node, svm)
        if self._chance(0.05):
            target = self._objects.anything(self._random)
        if self._chance(0.03) and self._objects.deleted:
            target = self._random.choice(self._objects.deleted)
        if target is None or self._chance(0.02):
            return {"name": self._random.choice(("nothing", "", "*", "a\nb")), "uuid": NOBODY}
        forms: tuple[Body, ...] = (
            {"name": target.name},
            {"uuid": target.uuid},
            {"name": target.name, "uuid": target.uuid},
        )
        return {key: text for key, text in self._random.choice(forms).items() if text}

    def _spoilt(self, body: Body) -> Body:
        """Return a body in which something is wrong."""
        spoilt = dict(body)
        name = self._random.choice(list(body)) if body else "name"
        ways: tuple[Callable[[], Any], ...] = (
            lambda: spoilt.pop(name, None),
            lambda: spoilt.update({name: self._random.choice(values.ODD)}),
            lambda: spoilt.update({name: self._random.choice(values.TEXTS)}),
            lambda: spoilt.update({name: self._random.choice(values.NUMBERS)}),
            lambda: spoilt.update({f"{name}.x": 1}),
            lambda: spoilt.update({self._random.choice(values.TEXTS): 1}),
            lambda: spoilt.update({name.partition(".")[0]: self._random.choice(values.ODD)}),
            lambda: spoilt.update({name.replace("_", "-"): spoilt.get(name)}),
            lambda: spoilt.update({"uuid": NOBODY}),
        )
        self._random.choice(ways)()
        return spoilt


def _has_surrogates(body: Any) -> bool:
    return "\\ud" in json.dumps(body)
