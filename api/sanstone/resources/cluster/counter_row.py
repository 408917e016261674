"""`cluster/counter/tables/{counter_table.name}/rows`: the counters of the node.

They are the `statistics` of `cluster/nodes`. Until the node was first sampled, seconds after the
array has started for the first time, the tables have no rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sanstone.core import errors
from sanstone.core.declaration.resource import Field, Items, Reader, Resource
from sanstone.core.declaration.types import Integer, ListOf, Text
from sanstone.core.history.metrics import Counters
from sanstone.core.observed import Observed
from sanstone.model.nodes import Node, this_node
from sanstone.resources.cluster.counter_table import TABLES, Counter, Table
from sanstone.resources.cluster.statistics import counters_of

MOST_LABELS = 16


@dataclass(frozen=True)
class _Property:
    name: str
    value: str


@dataclass(frozen=True)
class _Value:
    """A counter as it stands. Several values have `labels`, one does not."""

    counter: Counter
    value: int | None
    values: tuple[int, ...]

    @property
    def name(self) -> str:
        return self.counter.name

    @property
    def labels(self) -> tuple[str, ...] | None:
        return self.counter.labels or None


@dataclass(frozen=True)
class Row:
    """A table's counters of the node."""

    table: Table
    node: Node
    counted: Counters

    @property
    def counter_table_name(self) -> str:
        """Return the name of the table."""
        return self.table.name

    @property
    def id(self) -> str:
        """Return the row's identity, which begins with the node's name."""
        return f"{self.node.name}:{self.node.uuid}"

    @property
    def properties(self) -> tuple[_Property, ...]:
        """Return the object of the row."""
        return _Property("node.name", self.node.name), _Property("node.uuid", self.node.uuid)


def _values(row: Row, _reader: Reader) -> Iterable[_Value]:
    for counter in row.table.counters:
        value = counter.of(row.counted)
        if counter.labels:
            yield _Value(counter, None, (value,) * len(counter.labels))
        else:
            # Cinder's driver takes a `value` of 0 for none, and reads `values` then.
            yield _Value(counter, value, (value,))


class CounterRowResource(Resource[Row]):
    """Rows of a table of counters."""

    path = "cluster/counter/tables/{counter_table.name}/rows"
    doc = (
        "Counters of the node, which only grow. A row that fits a query of a counter is shown with "
        "all of its counters. * stands for all tables."
    )
    model = Observed
    keys = ("counter_table.name", "id")
    order = ("counter_table_name", "id")
    methods = frozenset({"GET"})
    shared = True
    fields = (
        Field("counter_table.name", Text(), "Name of the table.", always=True),
        Field("id", Text(), "Identity: the node's name, a colon, its UUID.", always=True),
        Items(
            "counters",
            (
                Field("name", Text(), "Name of the counter."),
                Field("value", Integer(), "Its value, if it has one."),
                Field("values", ListOf(Integer(), MOST_LABELS), "Its values, be it one."),
                Field("labels", ListOf(Text(), MOST_LABELS), "What they are, if several."),
            ),
            "The counters.",
            get=_values,
        ),
        Items(
            "properties",
            (
                Field("name", Text(), "Name of the property."),
                Field("value", Text(), "Its value."),
            ),
            "What the row is about.",
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Row]:
        """Return the row of each table. Raises ApiError for a table that there is not."""
        name = reader.keys.get("counter_table.name", "*")
        if name not in ("*", *(table.name for table in TABLES)):
            raise errors.unknown(f'counter table "{name}"')
        node = this_node(reader.session)
        counted = counters_of(node, reader)
        return [Row(table, node, counted) for table in TABLES] if counted else []
