"""Whatever is sent for a declared field, its type takes it or refuses it, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from marshmallow import ValidationError

from sanstone.core.declaration.resource import Field, Items, Node
from sanstone.core.declaration.types import Strings, Type
from sanstone.resources.declared import ACTIONS, RESOURCES

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=[]), max_size=60)
examples = settings(
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)


def settable(nodes: Iterable[Node]) -> Iterable[Field]:
    """Return the fields that can be set, those in lists too."""
    for node in nodes:
        if isinstance(node, Items):
            yield from settable(node.fields)
        elif isinstance(node, Field) and node.access and not isinstance(node.type, Strings):
            yield node


EACH = {
    type(field.type).__name__: field.type
    for resource in (*RESOURCES, *ACTIONS)
    for field in settable(resource.fields)
}
"""One type of each class: most others differ from it in a length alone."""


def texts(kind: Type) -> list[str]:
    """Return the texts that a type says that it takes."""
    return [value for value in kind.good if isinstance(value, str)]


def almost(kind: Type) -> st.SearchStrategy[str]:
    """Return texts that the type almost takes."""
    valid = st.sampled_from(texts(kind))
    parts = st.tuples(valid, st.integers(0, 60), ANY_TEXT)
    return valid | parts.map(lambda p: p[0][: p[1]] + p[2] + p[0][p[1] :])


def takes_or_refuses(kind: Type, value: Any) -> None:
    """Assert that a value is refused with a reason, or is shown in a form that the type takes."""
    try:
        canonical = kind.parse(value)
    except ValidationError as refusal:
        assert str(refusal)
        return
    formatted = kind.format(canonical)
    assert kind.format(kind.parse(formatted)) == formatted
    str(canonical).encode()


@examples
@given(value=JSON)
def test_each_type_takes_or_refuses_any_json(value: Any) -> None:
    for kind in EACH.values():
        takes_or_refuses(kind, value)


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, id=name) for name, kind in EACH.items() if texts(kind)]
)
@examples
@given(data=st.data())
def test_a_type_takes_or_refuses_what_is_almost_right(kind: Type, data: st.DataObject) -> None:
    takes_or_refuses(kind, data.draw(almost(kind)))
