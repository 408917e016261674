"""A shell on an array in this process, driven as a terminal would."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sanstone.client.rest import Array
from sanstone.core.declaration import description as declarations
from sanstone.resources.declared import ACTIONS, RESOURCES
from sanstone.shell import commands, description, running
from sanstone.shell.collection import Collection
from sanstone.shell.session import Session
from sanstone.shell.tree import Directory


@dataclass
class Console:
    """A user at a shell: `output` is on the screen, `answers` go to questions in turn, then no."""

    array: Array
    answers: list[bool] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    output: list[str] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    columns: int = 120

    def __post_init__(self) -> None:
        collections, tree = _declared()
        self.session = Session(
            self.array,
            tree,
            self.output.extend,
            self.output.append,
            self._ask,
            self._ask_secret,
            self._ask_within,
            collections=collections,
            width=lambda: self.columns,
        )

    def _ask(self, question: str) -> bool:
        self.questions.append(question.strip())
        return self.answers.pop(0) if self.answers else False

    def _ask_secret(self, question: str) -> str:
        self.questions.append(question)
        return self.secrets.pop(0)

    def _ask_within(self, question: str, seconds: float) -> bool:
        return self._ask(question)

    def run(self, line: str) -> str:
        """Run a line that must succeed, and return its output."""
        status, text = self.attempt(line)
        assert status == 0, f"{line}: {text}"
        return text

    def attempt(self, line: str) -> tuple[int, str]:
        """Run a line, and return its exit status and output."""
        self.output.clear()
        status = running.run(self.session, line)
        return status, "\n".join(self.output)

    def refusal(self, line: str) -> str:
        """Run a line that must fail, and return its message."""
        status, text = self.attempt(line)
        assert status == 1, f"{line}: {text}"
        return text

    def table(self, line: str) -> list[list[str]]:
        """Return the words of a table's rows, without heading and count."""
        lines = self.run(line).splitlines()
        return [row.split() for row in lines[2:] if not row.endswith("were displayed.")]


@cache
def _declared() -> tuple[dict[str, Collection], Directory]:
    """Return the declared collections and their commands, which sessions only read."""
    collections = commands.collections(
        description.read(declarations.describe((*RESOURCES, *ACTIONS)))
    )
    return collections, commands.build(collections.values())


class Unplugged:
    """An array that must get no request."""

    def without_asking(self) -> AbstractContextManager[None]:
        """Do nothing, as an array does that asks for no code."""
        return nullcontext()

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the array got a request: {name}")
