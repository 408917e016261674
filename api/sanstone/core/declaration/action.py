"""How an action is declared: a POST that does something and creates no object.

It is declared like a resource (see `resource`) but is none, such as changing a password or signing
a certificate: `fields` are its parameters, `answer` is its response, and `run` performs it. Keys in
the path reach it as they reach a resource's `create`. Accounts of SVMs may call a `shared` action,
although it belongs to no SVM.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Resource


class Action(Resource[Any], ABC):
    """Base of all actions; see the module's text."""

    methods = frozenset({"POST"})
    keys = ()

    @abstractmethod
    def run(self, change: Change, values: dict[str, Any]) -> dict[str, Any]:
        """Perform the action on parsed values; return the answer by field name. Raises ApiError."""
