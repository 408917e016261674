"""Flask for tests with an application of their own: all share the compiled rules.

To compile the rules takes most of the time in which an application is created, and that is longer
than most tests take.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Flask
from werkzeug.routing import Map, MapAdapter, Rule, RuleFactory

_compiled: dict[Any, Map] = {}


class AlikeMap(Map):
    """Rules that share one compiled map with all equal ones; the first request compiles it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._declared: list[RuleFactory] = []
        self._shared: Map | None = None
        super().__init__(*args, **options)

    def add(self, rulefactory: RuleFactory) -> None:
        """Take in rules."""
        self._declared.append(rulefactory)
        self._shared = None

    def iter_rules(self, endpoint: Any = None) -> Iterator[Rule]:
        """Return the rules of an endpoint, or all."""
        return self._map().iter_rules(endpoint)

    def bind(self, *args: Any, **options: Any) -> MapAdapter:
        """Return the adapter that finds the rule for a path."""
        return self._map().bind(*args, **options)

    def bind_to_environ(self, *args: Any, **options: Any) -> MapAdapter:
        """Return the adapter that finds the rule for a request."""
        return self._map().bind_to_environ(*args, **options)

    def _map(self) -> Map:
        if self._shared is None:
            rules = [rule for each in self._declared for rule in each.get_rules(self)]
            converters = tuple(self.converters.items())
            alike = self.merge_slashes, self.host_matching, converters, tuple(map(_alike, rules))
            if alike not in _compiled:
                _compiled[alike] = Map(
                    rules,
                    merge_slashes=self.merge_slashes,
                    host_matching=self.host_matching,
                    converters=self.converters,
                )
            self._shared = _compiled[alike]
        return self._shared


def _alike(rule: Rule) -> tuple[Any, ...]:
    """Return the facts by which rules are equal: all that applications here declare."""
    automatic = getattr(rule, "provide_automatic_options", None)
    return type(rule), rule.rule, rule.endpoint, frozenset(rule.methods or ()), automatic


def register() -> None:
    """Have applications that are created from now on share the rules that are compiled."""
    Flask.url_map_class = AlikeMap
