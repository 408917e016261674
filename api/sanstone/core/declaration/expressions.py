"""Values of fields as expressions of SQLite, by which it sorts rows and searches in them.

A stored field is a column, a field of a reference a column of a table that is joined, and a getter
of `getters` says its own. What JSON shows of them ranks as SQLite does: text by its UTF-8 bytes,
which is the order of code points, as in Python. All other fields are known to Python alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Float, Integer, Select, String, cast
from sqlalchemy.ext.hybrid import HybridExtensionType
from sqlalchemy.orm import RelationshipDirection, aliased

from sanstone.core.declaration.getters import Observation, Sole, Unempty
from sanstone.core.declaration.resource import Field, Node, Reference, References
from sanstone.core.declaration.types import Timestamp

_CLASSES: tuple[tuple[type[Any], tuple[type[Any], ...]], ...] = (
    (Boolean, (bool,)),
    (Integer, (int,)),
    (Float, (int, float)),
    (String, (str,)),
)
"""Types of columns that SQLite orders like Python, with the classes of their values."""


@dataclass(frozen=True)
class Expression:
    """A value of each row, NULL where there is none; `joins` are the other tables that it needs."""

    value: ColumnElement[Any]
    joins: Sequence[Any] = ()

    def join(self, statement: Select[Any]) -> Select[Any]:
        """Return a statement for the same rows, in which the value can be used."""
        for target in self.joins:
            statement = statement.outerjoin(target)
        return statement

    @property
    def classes(self) -> tuple[type[Any], ...]:
        """Return the classes of its values in Python."""
        return _classes(self.value)


def expression(model: Any, node: Node, leaf: str) -> Expression | None:
    """Return the value under `leaf` of a node, or None where SQLite does not know it."""
    if isinstance(node, Field):
        value = _field(model, node)
        return Expression(value) if value is not None and _classes(value) else None
    attribute = leaf.rpartition(".")[2]
    if isinstance(node, Reference) and node.get is None:
        return related(model, node.column, attribute)
    if isinstance(node, References) and isinstance(node.get, Sole):
        return related(model, node.get.relationship, attribute)
    return None


def related(model: Any, name: str, attribute: str) -> Expression | None:
    """Return a column of what a relationship leads to, or None where that may be several."""
    relationship = model.__mapper__.relationships.get(name)
    if relationship is None or relationship.direction is not RelationshipDirection.MANYTOONE:
        return None
    column = relationship.mapper.columns.get(attribute)
    if column is None or not _classes(column):
        return None
    # An alias: the statement may join the table for its rows, too.
    other = aliased(relationship.mapper.class_)
    return Expression(getattr(other, attribute), (getattr(model, name).of_type(other),))


def _field(model: Any, node: Field) -> ColumnElement[Any] | None:
    if isinstance(node.get, Observation | Unempty) and node.as_stored:
        return node.get.expression(model)
    if node.get or node.secret:
        return None
    value = _attribute(model, node.column)
    if isinstance(node.type, Timestamp) and value is not None:
        # JSON shows whole seconds, and values that look alike rank alike.
        return cast(value, Integer)
    return value if node.as_stored else None


def _attribute(model: Any, name: str) -> Any:
    """Return the column of an attribute, or what a hybrid property of this name computes."""
    described = model.__mapper__.all_orm_descriptors.get(name)
    hybrid = described and described.extension_type is HybridExtensionType.HYBRID_PROPERTY
    return getattr(model, name) if hybrid or name in model.__mapper__.columns else None


def _classes(value: Any) -> tuple[type[Any], ...]:
    """Return the classes of a value, or none where SQLite may order it differently."""
    kind = type(value.type)
    return next((classes for base, classes in _CLASSES if issubclass(kind, base)), ())
