"""`system greeting show`: the shell's greeting."""

from __future__ import annotations

from sanstone.shell.arguments import Arguments
from sanstone.shell.session import Session
from sanstone.shell.tree import Command


def _show(session: Session, _arguments: Arguments) -> None:
    session.write(["Good day."])


COMMANDS = (Command(("system", "greeting", "show"), "Say good day", _show),)
