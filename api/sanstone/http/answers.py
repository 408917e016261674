"""Answers: JSON in the media type that the client accepts, with ONTAP's links."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, request

from sanstone.core.declaration import fields
from sanstone.core.declaration.resource import Node, Reader, Resource

HAL, PLAIN = "application/hal+json", "application/json"


def wants_links() -> bool:
    """Return whether the client prefers HAL to plain JSON, or accepts both equally."""
    return request.accept_mimetypes.best_match((HAL, PLAIN), HAL) == HAL


def answer(body: dict[str, Any], status: int = 200) -> Response:
    """Return a JSON answer in the media type that the client accepts."""
    response = jsonify(body)
    response.status_code = status
    response.mimetype = HAL if wants_links() else PLAIN
    return response


def ready(text: str) -> Response:
    """Return an answer from JSON that is serialised already."""
    return Response(text, mimetype=HAL if wants_links() else PLAIN)


def identity(resource: Resource[Any], row: Any, reader: Reader) -> dict[str, str]:
    """Return the values of an object's keys, in the order of its path."""
    values = {}
    for key in resource.keys:
        node = next(n for n in resource.fields if key == n.name or key in n.leaves)
        values[key] = str(fields.values_of(node, key, row, reader)[0])
    return values


def location(resource: Resource[Any], row: Any, reader: Reader) -> str:
    """Return the path of an object."""
    return f"/api/{resource.place(identity(resource, row, reader))}"


def shown(resource: Resource[Any], nodes: list[Node], row: Any, reader: Reader) -> dict[str, Any]:
    """Return one row as JSON with its link."""
    record = fields.show(nodes, row, reader, wants_links())
    if wants_links() and not resource.single:
        other = resource.stands_for(row)
        href = f"/api/{other}" if other else location(resource, row, reader)
        record["_links"] = {"self": {"href": href}}
    return record
