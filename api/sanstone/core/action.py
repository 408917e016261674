"""How an action is declared: a POST that does something and leaves no object to be looked at.

It is declared as a resource is (see `resource`), but for what is not one, such as changing a
password or signing a certificate: `fields` are what is taken, `answer` is what is given back, and
`run` does it. Keys in the path reach it as they reach a resource's `create`. A `shared` one is for
accounts of SVMs too, though it is about no SVM.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sanstone.core.change import Change
from sanstone.core.resource import Field, Resource


class Action(Resource[Any]):
    """Base of all actions; see the module's text."""

    methods = frozenset({"POST"})
    keys = ()
    answer: ClassVar[tuple[Field, ...]] = ()

    def run(self, change: Change, values: dict[str, Any]) -> dict[str, Any]:
        """Do it with parsed values; return what is answered by field name. Raises ApiError."""
        raise NotImplementedError
