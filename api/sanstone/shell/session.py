"""What a shell remembers between commands.

The session knows neither a terminal nor how it was reached: it is given the array, a function that
writes lines, and one that asks questions. So a test drives it as a terminal would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sanstone.client.rest import Array
from sanstone.shell import tree
from sanstone.shell.collection import Collection
from sanstone.shell.tree import Directory
from sanstone.shell.values import Style

Ask = Callable[[str], bool]


@dataclass
class Settings:
    """What `set` and `rows` change; `rows` 0 shows everything without a pause."""

    privilege: str = "admin"
    confirmations: bool = True
    units: str = "auto"
    separator: str = ""
    all_fields: bool = False
    rows: int = 0
    stop_on_error: bool = False


@dataclass
class Session:
    """One user's shell on one array."""

    array: Array
    root: Directory
    write: Callable[[Sequence[str]], None]
    complain: Callable[[str], None]
    ask: Ask
    ask_secret: Callable[[str], str]
    collections: dict[str, Collection] = field(default_factory=dict)
    name: str = "sanstone"
    width: Callable[[], int] = lambda: 80
    settings: Settings = field(default_factory=Settings)
    history: list[str] = field(default_factory=list)
    vserver: str = ""
    here: Directory = field(init=False)
    undone: bool = False
    """Whether the command that runs has left something undone without an error of its own."""

    def __post_init__(self) -> None:
        self.here = self.root

    @property
    def style(self) -> Style:
        """Return how values are shown."""
        return Style(self.settings.units, bool(self.settings.separator))

    @property
    def prompt(self) -> str:
        """Return ONTAP's prompt: name, directory, and a star beyond the admin level."""
        star = "" if self.settings.privilege == tree.PRIVILEGES[0] else "*"
        return f"{self.vserver or self.name}::{' '.join(self.here.path)}{star}> "

    def confirm(self, question: str) -> bool:
        """Ask, unless confirmations are off; return whether to go on."""
        agreed = not self.settings.confirmations or self.ask(f"\nWarning: {question} {{y|n}}: ")
        self.undone |= not agreed
        return agreed
