"""A machine's answers, recorded and replayed: a capture from a real array becomes a unit test.

    host, recording = record(real_host())
    block.disks(host)
    Path("disks.json").write_text(recording.dump())

    host = replay(Path("disks.json").read_text())
    assert block.disks(host) == [...]

Every call is a question: door, method, arguments. A question that was recorded several times gets
its answers in that order, and the last one from there on; one that was never recorded raises
`Unrecorded`. Errors are answers, too. Secrets that were written are in the capture: look before you
commit one.
"""

from __future__ import annotations

import dataclasses
import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from sanstone.kernel import host as types
from sanstone.kernel.host import (
    CommandError,
    FileError,
    ForeignFolder,
    Host,
    HostError,
    MissingPrograms,
    RequestError,
)

_DOORS = tuple(field.name for field in dataclasses.fields(Host))
_ERRORS: dict[str, tuple[type[HostError], tuple[str, ...]]] = {
    "ForeignFolder": (ForeignFolder, ("path",)),
    "FileError": (FileError, ("action", "path", "errno")),
    "CommandError": (CommandError, ("argv", "status", "stderr", "stdout")),
    "MissingPrograms": (MissingPrograms, ("programs", "path")),
    "RequestError": (RequestError, ("request", "errno")),
}


class Unrecorded(Exception):
    """A question to which the recording has no answer."""


class Recording:
    """Questions and their answers, oldest first."""

    def __init__(self) -> None:
        self.answers: dict[str, list[Any]] = defaultdict(list)

    def dump(self) -> str:
        """Return the recording as text for `replay`."""
        return json.dumps(self.answers, indent=1)


def record(host: Host) -> tuple[Host, Recording]:
    """Return a host that asks `host`, and the recording that grows with each question."""
    recording = Recording()

    def asking(door: str) -> Callable[[str, Callable[..., Any]], Callable[..., Any]]:
        def ask(method: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*args: Any, **options: Any) -> Any:
                answers = recording.answers[_question(door, method, args, options)]
                try:
                    value = real(*args, **options)
                except HostError as error:
                    answers.append(_encode(error))
                    raise
                answers.append(_encode(value))
                return value

            return call

        return ask

    doors: dict[str, Any] = {name: _Door(asking(name), getattr(host, name)) for name in _DOORS}
    return Host(**doors), recording


def replay(text: str) -> Host:
    """Return a host that answers as `text`, from `Recording.dump`, says."""
    recorded: dict[str, list[Any]] = json.loads(text)

    def answering(door: str) -> Callable[[str, Callable[..., Any]], Callable[..., Any]]:
        def answer(method: str, _: object) -> Callable[..., Any]:
            def call(*args: Any, **options: Any) -> Any:
                question = _question(door, method, args, options)
                answers = recorded.get(question)
                if not answers:
                    raise Unrecorded(question)
                value = decode(answers.pop(0) if len(answers) > 1 else answers[0])
                if isinstance(value, HostError):
                    raise value
                return value

            return call

        return answer

    doors: dict[str, Any] = {name: _Door(answering(name), None) for name in _DOORS}
    return Host(**doors)


class _Door:
    """One of the doors; every method goes through `handle`."""

    def __init__(self, handle: Callable[[str, Any], Callable[..., Any]], real: object) -> None:
        self._handle, self._real = handle, real

    def __getattr__(self, method: str) -> Callable[..., Any]:
        return self._handle(method, getattr(self._real, method, None))


def _question(door: str, method: str, args: tuple[Any, ...], options: dict[str, Any]) -> str:
    return f"{door}.{method} {json.dumps([_encode(list(args)), _encode(options)])}"


def _encode(value: Any) -> Any:
    if isinstance(value, HostError):
        name = type(value).__name__
        return {"error": name, "with": [getattr(value, key) for key in _ERRORS[name][1]]}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: _encode(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"is": type(value).__name__, "with": fields}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, tuple):
        return {"tuple": [_encode(item) for item in value]}
    if isinstance(value, list):
        return [_encode(item) for item in value]
    if isinstance(value, dict):
        return {key: _encode(item) for key, item in value.items()}
    return value


def decode(value: Any) -> Any:
    """Return a value of a recording as a `Host` takes and gives it."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "error" in value:
        return _ERRORS[value["error"]][0](*value["with"])
    if "bytes" in value:
        return bytes.fromhex(value["bytes"])
    if "tuple" in value:
        return tuple(decode(item) for item in value["tuple"])
    fields = {key: decode(item) for key, item in value["with"].items()}
    return getattr(types, value["is"])(**fields)
