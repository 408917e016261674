"""Errors as ONTAP reports them.

An `ApiError` carries the HTTP status, ONTAP's code (digits, as a string), a message for a person
and the field at fault. The same error ends a request or a job. Codes are those of ONTAP's REST
reference; a resource names its own in its declaration and raises them through the functions here,
so that the shape of an error is decided in one place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

EXISTS = "1"
INVALID = "2"
NO_ENDPOINT = "3"
UNKNOWN = "4"
FORBIDDEN = "6"
IN_USE = "8"
UNEXPECTED_ARGUMENT = "262179"
EXCLUSIVE = "262186"
GIVEN_TWICE = "262188"
BAD_VALUE = "262197"
INTERNAL = "65538"
BUSY = INTERNAL
"""Clients act on the status, not on this code."""
NOT_AUTHENTICATED = "6691623"


class Cause(NamedTuple):
    """Why a change failed: ONTAP's code, and a message with its `arguments` (see ApiError)."""

    code: str
    message: str
    arguments: tuple[str, ...] = ()


class ApiError(Exception):
    """A request is refused and nothing was changed. `target` is the dotted name of the field.

    `arguments` are parts of the message as they stand in it, in order: who shows it in another
    language translates the text around them.

    `retry_after` is the number of seconds after which to repeat the request, 0 where that does not
    apply.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        target: str = "",
        retry_after: int = 0,
        arguments: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.target = target
        self.retry_after = retry_after
        self.arguments = arguments

    def body(self) -> dict[str, Any]:
        """Return ONTAP's error envelope."""
        error: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.target:
            error["target"] = self.target
        if self.arguments:
            error["arguments"] = listed(self.arguments)
        return {"error": error}


def listed(arguments: Iterable[str]) -> list[dict[str, str]]:
    """Return the arguments of a message as ONTAP lists them."""
    return [{"code": str(number), "message": text} for number, text in enumerate(arguments)]


def invalid(
    message: str, target: str = "", code: str = BAD_VALUE, arguments: tuple[str, ...] = ()
) -> ApiError:
    """Return the error for an invalid value (400)."""
    return ApiError(400, code, message, target, arguments=arguments)


def missing(target: str, code: str = INVALID) -> ApiError:
    """Return the error for a required field that is missing (400)."""
    text = f'Field "{target}" is required.'
    return ApiError(400, code, text, target, arguments=(target,))


def unexpected(name: str) -> ApiError:
    """Return the error for a field or parameter that does not exist (400)."""
    text = f'Unexpected argument "{name}".'
    return ApiError(400, UNEXPECTED_ARGUMENT, text, name, arguments=(name,))


def unknown(name: str, target: str = "", code: str = UNKNOWN) -> ApiError:
    """Return the error for an object, named in the path, that does not exist (404)."""
    # Clients look for ONTAP's words, which are the first ones, or for "not exist".
    text = f"entry doesn't exist: {name} does not exist."
    return ApiError(404, code, text, target, arguments=(name,))


def unknown_reference(name: str, target: str, code: str) -> ApiError:
    """Return the error for an object, named in a body, that does not exist (400)."""
    return ApiError(400, code, f"{name} does not exist.", target, arguments=(name,))


def conflict(message: str, target: str = "", code: str = IN_USE) -> ApiError:
    """Return the error for a request that conflicts with other objects (409)."""
    return ApiError(409, code, message, target)


def again(status: int, message: str, seconds: float) -> ApiError:
    """Return the error for a request to be repeated after some seconds (429, 503)."""
    return ApiError(status, BUSY, message, retry_after=max(1, math.ceil(seconds)))
