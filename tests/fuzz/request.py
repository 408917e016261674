"""One request of a sequence as it is sent, so that a sequence can be kept and sent again."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Trouble(StrEnum):
    """A trouble of the machine while a request is under way."""

    NONE = ""
    REFUSED = "refused"
    """The kernel refuses one step, whenever it is tried."""
    KILLED = "killed"
    """The reconciler dies after the step, and is started again."""
    POWER_CUT = "power cut"
    """The machine dies before the step, and boots."""


@dataclass(frozen=True)
class Request:
    """A request. `number` is its place in the sequence that was drawn; UUIDs are derived from it.

    `path` begins with /api/ and holds the query; `body` is sent as it is, None sends none. `step`
    counts the machine's steps, from 1, up to that which the trouble is about.
    """

    number: int
    actor: str
    method: str
    path: str
    body: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    trouble: Trouble = Trouble.NONE
    step: int = 0

    def __str__(self) -> str:
        trouble = f"[{self.trouble} at step {self.step}] " if self.trouble else ""
        headers = "".join(f" {name}: {value}" for name, value in self.headers.items())
        text = f"{trouble}{self.actor}: {self.method} {self.path}{headers}"
        return text if self.body is None else f"{text} {shortened(self.body)}"


def shortened(text: str, most: int = 1500) -> str:
    """Return a text that fits on a screen."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"
