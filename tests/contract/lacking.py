"""Gaps in the tables of examples: a line for each, which says what to write and where.

The session looks before it collects tests: most of them read an example by its path, and would
otherwise end with the bare path of the resource that has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import exceptions
from action_examples import ACTION_EXAMPLES
from examples import BY_PATH, EXAMPLES

from sanstone.core.declaration.resource import Resource
from sanstone.resources.declared import ACTIONS, RESOURCES

_RESOURCES = "EXAMPLES of a file in tests/contract/examples/"
_ACTIONS = "ACTION_EXAMPLES of tests/contract/action_examples.py"


def lacking() -> Iterator[str]:
    """Yield the lines to write, or to remove, in the tables of examples; none if they are whole."""
    for resource in RESOURCES:
        needed = _needed(resource)
        example = BY_PATH.get(resource.path)
        if example is None:
            fields = "".join(f", {name}={form}" for name, form in needed.items())
            yield f"{resource.path} has no example: add to {_RESOURCES}:\n" + (
                f'    Example("{resource.path}"{fields})'
            )
            continue
        for name, form in needed.items():
            if not getattr(example, name):
                yield f"The example of {resource.path} in {_RESOURCES} lacks {name}={form}"
        for name in _FORMS.keys() - needed.keys():
            if getattr(example, name):
                yield f"The example of {resource.path} in {_RESOURCES} has {name} in vain"
    yield from _lacking_actions()
    yield from _left_over()


_FORMS = {
    "objects": "({…},)",
    "another": "{…}",
    "exists_code": '"<code of the refusal of the first object, sent again>"',
    "changes": "({…},)",
}


def _needed(resource: Resource[Any]) -> dict[str, str]:
    """Return the fields of an example that the resource's methods need, and their forms."""
    names: list[str] = []
    if "POST" in resource.methods:
        names += ["objects", "another", "exists_code"]
    if "PATCH" in resource.methods and resource.path not in exceptions.CHANGED_BY_QUERY:
        names.append("changes")
    return {name: _FORMS[name] for name in names}


def _lacking_actions() -> Iterator[str]:
    paths = {example.path for example in ACTION_EXAMPLES}
    for action in ACTIONS:
        if action.path not in paths:
            yield f"{action.path} has no example: add to {_ACTIONS}:\n" + (
                f'    ActionExample("{action.path}", {{…}})'
            )


def _left_over() -> Iterator[str]:
    """Yield the examples of undeclared resources, and those that are there twice."""
    tables = ((_RESOURCES, RESOURCES, EXAMPLES), (_ACTIONS, ACTIONS, ACTION_EXAMPLES))
    for table, declared, examples in tables:
        paths = [example.path for example in examples]
        for path in sorted(set(paths) - {each.path for each in declared}):
            yield f"{path} is not declared: take its example out of {table}"
        for path in sorted({path for path in paths if paths.count(path) > 1}):
            yield f"{path} has two examples: take one out of {table}"
