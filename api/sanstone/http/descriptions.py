"""The API's descriptions of itself: in OpenAPI, and the declarations of its resources.

Both are long, never change, and anyone may request them, so each is written once in a process.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from flask import Flask

from sanstone.core.declaration import description
from sanstone.core.declaration.resource import Resource
from sanstone.http import openapi
from sanstone.http.answers import ready

Declared = tuple[Resource[Any], ...]
_WRITERS: dict[str, Callable[[Declared], Any]] = {
    "/api/openapi.json": openapi.describe,
    "/api/declarations.json": description.describe,
}
PATHS = frozenset(_WRITERS)


def register(app: Flask, declared: Declared) -> None:
    """Add the descriptions of resources and actions to the application."""
    for path in _WRITERS:
        app.add_url_rule(path, path, partial(ready, _text(path, declared)))


@cache
def _text(path: str, declared: Declared) -> str:
    return json.dumps(_WRITERS[path](declared), separators=(",", ":"))
