"""The steps of a run, in the order in which they start where several could.

Machines wait much, for boots above all. Suites in one process fill that time, two at once, and have
a third of a machine's weight: with a hundredth, a second of theirs took a minute. Emulated machines
come before the racks in User-mode Linux: emulated processors that have to wait for one another take
twice the time. The server has one, and runs beside the racks. Debian's packages are installed
before any test begins: apt has a lock.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path


class Kind(Enum):
    """The kind of a step, with the number of its kind that run at once and their nice value.

    With a nice value steps get a session of their own and so an autogroup (sched(7)). The others
    stay in that of the terminal, where sudo can ask for a password.
    """

    PREPARATION = (4, 0)
    MACHINES = (5, 0)
    IN_PROCESS = (2, 5)

    def __init__(self, at_once: int, nice: int) -> None:
        self.at_once = at_once
        self.nice = nice


@dataclass(frozen=True)
class Step:
    """A program that a run starts once the steps that it `needs` have passed, and those that it
    comes `after` have ended.

    With `tests` it writes a record of its tests, and failed ones run once more: those that the file
    `only` lists.
    """

    name: str
    kind: Kind
    command: tuple[str, ...]
    needs: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    tests: bool = False
    only: Path | None = None

    def again(self, only: Path) -> Step:
        """Return the same for a part of its tests."""
        return replace(self, name=f"{self.name}.again", needs=(), after=(), only=only)


def steps() -> list[Step]:
    """Return the steps of `make test`."""
    return [
        _preparation("dependencies", _make("output/dependencies")),
        _preparation("layers", _lab("layers"), "dependencies"),
        _preparation("virtualenv", _make("output/venv/stamp"), "dependencies"),
        _preparation(
            "packages",
            _lab("dependencies", "--browser", "--clients", "--servers"),
            "dependencies",
        ),
        _preparation("collection", _make("collection"), "virtualenv"),
        _preparation("web-interface", _make("webui/dist/index.html"), "collection"),
        _preparation("kernel", _lab("kernel"), "layers"),
        _preparation("clients-virtualenv", _make("output/clients/stamp"), "dependencies"),
        _preparation("images", _lab("build"), "kernel", "web-interface"),
        _machines("emulated"),
        _machines("server", after="emulated"),
        _machines("rack1", after="emulated"),
        _machines("rack2", after="emulated"),
        _machines("rack3", after="emulated"),
        _check("lint", "collection"),
        _check("check-image"),
        _suite("contract", "virtualenv"),
        _suite("unit", "virtualenv"),
        _suite("clients", "collection", "clients-virtualenv"),
        _suite("browser", "web-interface"),
        _check("web-lint", "web-interface"),
        _suite("web-units", "web-interface"),
    ]


def _make(*words: str) -> tuple[str, ...]:
    return ("make", "--no-print-directory", *words)


def _lab(*words: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "lab", *words)


def _preparation(name: str, command: tuple[str, ...], *needs: str) -> Step:
    return Step(name, Kind.PREPARATION, command, needs)


def _check(target: str, *needs: str) -> Step:
    return Step(target, Kind.IN_PROCESS, _make(target), needs)


def _suite(target: str, *needs: str) -> Step:
    return Step(target, Kind.IN_PROCESS, _make(target), (*needs, "packages"), tests=True)


def _machines(part: str, *, after: str = "") -> Step:
    """Return the step of a part of the tests on machines, as `lab.suites` names them."""
    needs = ("images", "packages", "clients-virtualenv")
    command = _make("e2e", f"PART={part}")
    return Step(part, Kind.MACHINES, command, needs, (after,) if after else (), tests=True)
