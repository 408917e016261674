"""The parser of the bodies of requests, without sending one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from examples import Body
from furnished_array import FurnishedArray
from simulator import LOGIN

from sanstone.core.declaration import values
from sanstone.core.declaration.resource import CREATE, MODIFY, Reader, Resource
from sanstone.core.errors import ApiError
from sanstone.http.call import Call

Parser = Callable[[Body], ApiError | None]
"""Returns the error of a body, None where its fields are as declared."""


@contextmanager
def parser(
    array: FurnishedArray, resource: Resource[Any], method: str, path: str
) -> Iterator[Parser]:
    """Give the parser of a POST or PATCH to a path, which runs before any hook."""
    app = array.simulator.client.application
    with app.test_request_context(f"/api/{path}", method=method, json={}, auth=LOGIN) as context:
        assert app.preprocess_request() is None
        variables = context.request.view_args or {}
        keys = {name.replace("__", "."): text for name, text in variables.items()}
        call = Call(resource, keys, method == "PATCH")
        with call.reading() as session:
            if method == "POST":
                access, implied = CREATE, call.implied(session)
            else:
                row = call.rows(Reader(session))[0]
                svm = getattr(row, "svm", None) if resource.node("svm") else None
                access, implied = MODIFY, {"svm": svm} if svm else {}

            def error_of(body: Body) -> ApiError | None:
                try:
                    values.parse(session, resource.fields, body, access, implied)
                except ApiError as error:
                    return error
                return None

            yield error_of
