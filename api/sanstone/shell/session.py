"""State of a shell between commands.

The session does not depend on a terminal or on the connection: it gets the array, a function that
writes lines, and those that ask questions. So a test can drive it like a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from sanstone.client.rest import Array
from sanstone.shell import tree
from sanstone.shell.collection import Collection
from sanstone.shell.tree import Directory
from sanstone.shell.values import Style

Ask = Callable[[str], bool]


@dataclass
class Settings:
    """Settings of `set` and `rows`; `rows` 0 shows everything without a pause."""

    privilege: str = "admin"
    confirmations: bool = True
    units: str = "auto"
    separator: str = ""
    all_fields: bool = False
    rows: int = 0
    stop_on_error: bool = False
    dry_run: bool = False


@dataclass
class Session:
    """One user's shell on one array."""

    array: Array
    root: Directory
    write: Callable[[Sequence[str]], None]
    complain: Callable[[str], None]
    ask: Ask
    ask_secret: Callable[[str], str]
    ask_within: Callable[[str, float], bool]
    collections: dict[str, Collection] = field(default_factory=dict)
    name: str = "sanstone"
    width: Callable[[], int] = lambda: 80
    idle: float = 0
    """Seconds without any key after which the session ends, 0 for never."""
    interactive: bool = True
    """Whether a user is at a terminal, as opposed to another program."""
    settings: Settings = field(default_factory=Settings)
    history: list[str] = field(default_factory=list)
    vserver: str = ""
    here: Directory = field(init=False)
    zone: tzinfo = UTC
    """The array's time zone."""
    undone: bool = False
    """Whether the running command failed in part without raising an error."""

    def __post_init__(self) -> None:
        self.here = self.root

    @property
    def style(self) -> Style:
        """Return the style in which values are shown."""
        return Style(self.settings.units, bool(self.settings.separator), self.zone)

    @property
    def prompt(self) -> str:
        """Return ONTAP's prompt: name, directory, and a star beyond the admin level."""
        mode = "(dry run)" if self.settings.dry_run else ""
        star = "" if self.settings.privilege == tree.PRIVILEGES[0] else "*"
        return f"{self.vserver or self.name}::{' '.join(self.here.path)}{star}{mode}> "

    def confirm(self, question: str, *, programs: bool = True) -> bool:
        """Ask, unless confirmations are off or nothing is done; return whether to go on.

        Other programs must confirm only where `programs` is set.
        """
        asks = self.settings.confirmations and not self.settings.dry_run
        asks = asks and (programs or self.interactive)
        agreed = not asks or self.ask(f"\nWarning: {question} {{y|n}}: ")
        self.undone |= not agreed
        return agreed
