"""`support/ems/filters/{filter.name}/rules`: the rules of one filter, one by one.

A rule inserted at an index moves the following ones by one. The last one, which excludes all other
events, cannot be changed. A duplicate of a rule is refused: it would never match first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Reader, Reference, Resource
from sanstone.model.events import EmsFilter, Rule
from sanstone.resources.cluster.ems_filter import (
    EXCLUDE_ALL,
    MOST,
    Numbered,
    as_rule,
    numbered,
    require_changeable,
    rule_fields,
)


class EmsFilterRuleResource(Resource[Numbered]):
    """Rules of a filter."""

    path = "support/ems/filters/{filter.name}/rules"
    doc = "The rules of one filter; the first that fits an event decides."
    model = EmsFilter
    keys = ("filter.name", "index")
    order = ("filter_name", "index")
    fields = (Reference("filter", EmsFilter, "The filter."), *rule_fields())

    def rows(self, reader: Reader) -> Sequence[Numbered]:
        """Return the rules of all filters."""
        filters = reader.session.scalars(select(EmsFilter))
        return [rule for row in filters for rule in numbered(row)]

    def create(self, change: Change, values: dict[str, Any]) -> Numbered:
        """Insert a rule at an index, or at the end."""
        row, rule = values["filter"], as_rule(values)
        require_changeable(row)
        if rule in row.rules:
            text = f'This rule already exists in filter "{row.name}".'
            raise errors.conflict(text, code=errors.EXISTS)
        if len(row.rules) >= MOST:
            raise errors.conflict(f'Filter "{row.name}" has {MOST} rules, the most there can be.')
        index = values.get("index", len(row.rules) + 1)
        return _put(row, row.rules, index, rule)

    def update(self, change: Change, row: Numbered, values: dict[str, Any]) -> None:
        """Change a rule, or its index."""
        criteria = {f"message_criteria.{name}": text for name, text in row.rule.items()}
        rule = as_rule(criteria | {"type": row.rule["type"]} | values)
        index = values.get("index", row.index)
        if (rule, index) != (row.rule, row.index):
            _require_stored(row)
            _put(row.filter, _others(row), index, rule)

    def delete(self, change: Change, row: Numbered, options: dict[str, Any]) -> None:
        """Delete a rule; those after it move up."""
        _require_stored(row)
        row.filter.rules = _others(row)


def _put(row: EmsFilter, others: Sequence[Rule], index: int, rule: Rule) -> Numbered:
    if index > len(others) + 1:
        text = f'Filter "{row.name}" has {len(others)} other rules; there is no index {index}.'
        raise errors.invalid(text, "index")
    row.rules = [*others[: index - 1], rule, *others[index - 1 :]]
    return Numbered(row, index, rule)


def _others(row: Numbered) -> list[Rule]:
    """Return the other rules of the filter, including equal ones."""
    return [rule for rule in row.filter.rules if rule is not row.rule]


def _require_stored(row: Numbered) -> None:
    require_changeable(row.filter)
    if row.rule is EXCLUDE_ALL:
        text = "The last rule, which excludes what fits no other, cannot be changed."
        raise errors.conflict(text, "index", errors.IN_USE)
