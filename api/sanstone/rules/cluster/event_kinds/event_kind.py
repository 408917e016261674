"""A kind of events."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import NamedTuple


class EventKind(NamedTuple):
    """A kind of events; `severity` is that of the gravest one, `pattern` fits their names."""

    name: str
    severity: str
    description: str
    corrective_action: str
    pattern: str = ""

    @property
    def manual(self) -> str:
        """Return the address of its page of the manual, as the array serves it."""
        return f"/docs/events/{self.name}/"

    def fits(self, name: str) -> bool:
        """Return whether an event of this name is of this kind."""
        return fnmatchcase(name, self.pattern or self.name)
