"""`support/ems/filters`: selections of events for destinations.

The rules of a filter are tried in order, and the first that matches an event decides whether it is
included. An event that matches none is excluded, which every filter shows as its last rule, as
ONTAP does; in a request, that rule is not stored. A rule's place in the list is its index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from marshmallow import ValidationError
from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Items, Resource
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text
from sanstone.model.events import ANY, EmsDestination, EmsFilter, Rule
from sanstone.resources.without_effect import off
from sanstone.rules.cluster.event_record import SEVERITIES

MOST = 64
"""Most rules of a filter."""
EXCLUDE_ALL: Rule = {"type": "exclude", "name_pattern": ANY, "severities": ANY}
NAME = Text(
    64, 2, r"[A-Za-z0-9][A-Za-z0-9_-]*[A-Za-z0-9]", "letters, digits, _ - (those not at the ends)"
)


class Severities(Text):
    """Severities between commas, in any case, or `*` for all."""

    good = ("error", "EMERGENCY,alert", ANY)

    def __init__(self) -> None:
        super().__init__(255, 1)
        self.bad += ("fatal", "error,", "error,*")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw).lower()
        parts = [part.strip() for part in text.split(",")]
        if parts != [ANY] and not set(parts) <= set(SEVERITIES):
            raise ValidationError(f"Use {', '.join(SEVERITIES)}, between commas, or {ANY}.")
        return ",".join(parts)


def rule_fields() -> tuple[Field, ...]:
    """Return the fields of a rule."""
    return (
        Field(
            "index",
            Integer(1, MOST + 1),
            "Place among the rules, from 1; the end when not given.",
            access=WRITE,
            get=lambda item, _: item.index,
        ),
        Field(
            "type",
            Choice("include", "exclude"),
            "What becomes of an event that fits.",
            access=WRITE,
            required=True,
            get=lambda item, _: item.rule["type"],
            always=True,
        ),
        Field(
            "message_criteria.name_pattern",
            Text(255, 1, r"[A-Za-z0-9_.*-]+", "letters, digits, _ . - and * for any text"),
            "Names of events that fit.",
            access=WRITE,
            default=ANY,
            get=lambda item, _: item.rule["name_pattern"],
        ),
        Field(
            "message_criteria.severities",
            Severities(),
            "Severities of events that fit, between commas.",
            access=WRITE,
            default=ANY,
            get=lambda item, _: item.rule["severities"],
        ),
        off(
            "message_criteria.snmp_trap_types",
            Choice(ANY),
            "All events have the same SNMP trap, so this tells none apart.",
            ANY,
        ),
    )


@dataclass(frozen=True)
class Numbered:
    """A rule of a filter at its index."""

    filter: EmsFilter
    index: int
    rule: Rule

    @property
    def filter_name(self) -> str:
        """Return the name of the filter."""
        return self.filter.name


def numbered(row: EmsFilter) -> list[Numbered]:
    """Return a filter's rules as they are shown, with the last one for all other events."""
    return [Numbered(row, i, rule) for i, rule in enumerate([*row.rules, EXCLUDE_ALL], start=1)]


def as_rule(values: dict[str, Any]) -> Rule:
    """Convert a rule of a request to the stored form."""
    criteria = {name: values[f"message_criteria.{name}"] for name in ("name_pattern", "severities")}
    return {"type": values["type"]} | criteria


def ordered(unordered: Sequence[dict[str, Any]]) -> list[Rule]:
    """Convert rules of a request to the stored form. Raises ApiError."""
    indexes = [item["index"] for item in unordered if "index" in item]
    if len(set(indexes)) < len(indexes):
        raise errors.invalid("Two rules have one index.", "rules.index", errors.GIVEN_TWICE)
    in_order = sorted(unordered, key=lambda item: item.get("index", MOST + 2))
    rules = [as_rule(item) for item in in_order]
    if rules and rules[-1] == EXCLUDE_ALL:
        rules.pop()
    return rules


class EmsFilterResource(Resource[EmsFilter]):
    """Filters of events."""

    path = EmsFilter.kind
    doc = "Filters select, by name and severity, the events that a destination receives."
    model = EmsFilter
    keys = ("name",)
    fields = (
        Field("name", NAME, "Name of the filter.", access=CREATE, required=True),
        Field("system_defined", Boolean(), "Whether every array has it; such never change."),
        Items(
            "rules",
            rule_fields(),
            "Its rules; the first that an event fits decides, and what fits none is excluded.",
            access=WRITE,
            get=lambda row, _reader: numbered(row),
            bare="type",
            maximum=MOST + 1,
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> EmsFilter:
        """Add a filter; without rules it includes nothing."""
        name = values["name"]
        if change.session.scalar(select(EmsFilter.uuid).filter_by(name=name)):
            text = f'A filter named "{name}" already exists.'
            raise errors.conflict(text, "name", errors.EXISTS)
        row = EmsFilter(name=name, rules=ordered(values.get("rules", [])))
        change.add(row)
        return row

    def update(self, change: Change, row: EmsFilter, values: dict[str, Any]) -> None:
        """Replace the rules."""
        rules = ordered(values["rules"]) if "rules" in values else row.rules
        if rules != row.rules:
            require_changeable(row)
        row.rules = rules

    def delete(self, change: Change, row: EmsFilter, options: dict[str, Any]) -> None:
        """Delete a filter that no destination uses."""
        require_changeable(row)
        destinations = select(EmsDestination.name, EmsDestination.filters)
        for name, filters in change.session.execute(destinations):
            if row.name in filters:
                raise errors.conflict(f'Destination "{name}" has filter "{row.name}".')
        change.delete(row)


def require_changeable(row: EmsFilter) -> None:
    """Raise ApiError for a built-in filter."""
    if row.system_defined:
        text = f'Filter "{row.name}" comes with the array and cannot be changed.'
        raise errors.conflict(text, "name", errors.IN_USE)
