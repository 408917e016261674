"""`cluster/counter/tables`: tables of raw counters, as schedulers of storage read them.

There are those that clients read a node's load from, among them Cinder's driver. Of the counters of
ONTAP's tables of the same names, these have the ones that the array has true values for; all others
of the array's figures are in `statistics` and `metric` of each object.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sanstone.core.declaration.resource import Field, Items, Reader, Resource
from sanstone.core.declaration.types import Choice, Text
from sanstone.core.history.metrics import Counters
from sanstone.core.observed import Observed

MICROSECONDS = 10_000
"""In a hundredth of a second, in which the kernel counts the time of processors."""


@dataclass(frozen=True)
class Counter:
    """A counter of a table; `of` yields its value from the counters of the node.

    `denominator` is the counter that it is a share of. `labels` name the values of one that has
    several; this one's are all equal.
    """

    name: str
    description: str
    type: str
    unit: str
    of: Callable[[Counters], int]
    denominator: str | None = None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table. Its counters are ordered by name: clients take the first for the one they named."""

    name: str
    description: str
    counters: tuple[Counter, ...]


def _busy(counters: Counters) -> int:
    return counters.busy * MICROSECONDS


def _passed(counters: Counters) -> int:
    return counters.passed * MICROSECONDS


def _never(_counters: Counters) -> int:
    return 0


def _processors(busy: str, passed: str) -> tuple[Counter, ...]:
    """Return the two counters of processor time, under these names."""
    text = "Time in which processors worked, summed over them."
    base = "Time that passed meanwhile, summed over the processors."
    return (
        Counter(busy, text, "percent", "percent", _busy, passed),
        Counter(passed, base, "delta", "microsec", _passed),
    )


TABLES = (
    Table(
        "processor",
        "The processors of a node, together.",
        _processors("busy_percent", "elapsed_time"),
    ),
    Table(
        "system:constituent",
        "Activity of a node.",
        _processors("average_processor_busy_percent", "cpu_elapsed_time"),
    ),
    Table(
        "wafl",
        "Consistency points: there are none, since every write is stored at once.",
        (
            Counter(
                "cp_phase_times",
                "Shares of the phases of consistency points in their time: always 0.",
                "percent",
                "percent",
                _never,
                "total_cp_msecs",
                ("cp_p2_flush",),
            ),
            Counter(
                "total_cp_msecs",
                "Milliseconds spent in consistency points: always 0.",
                "delta",
                "millisec",
                _never,
            ),
        ),
    ),
)


class CounterTableResource(Resource[Table]):
    """Tables of counters."""

    path = "cluster/counter/tables"
    doc = "Tables of raw counters, which tell how busy the node is."
    model = Observed
    keys = ("name",)
    order = ("name",)
    methods = frozenset({"GET"})
    shared = True
    fields = (
        Field("name", Text(), "Name of the table.", always=True),
        Field("description", Text(), "Meaning of the counter."),
        Items(
            "counter_schemas",
            (
                Field("name", Text(), "Name of the counter."),
                Field("description", Text(), "Counted quantity."),
                Field(
                    "type",
                    Choice("delta", "percent"),
                    "What its growth between two readings tells: `delta` is it itself, `percent` "
                    "its share in the growth of the denominator.",
                ),
                Field(
                    "unit",
                    Choice("microsec", "millisec", "percent"),
                    "Unit of its values.",
                ),
                Field(
                    "denominator.name", Text(), "The counter to divide by.", attribute="denominator"
                ),
            ),
            "The counters.",
            attribute="counters",
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Table]:
        """Return all tables."""
        return TABLES
