"""Answers to the installer's screens, wherever they are shown."""

from __future__ import annotations

from lab.screen import ENTER, Screen


def answer_until_summary(screen: Screen, password: str, *, more_of_the_name: str = "") -> None:
    """Take the proposals from the name on; `more_of_the_name` is typed behind that of the name."""
    screen.see("Name of the array")
    screen.type(more_of_the_name + ENTER)
    screen.see("Address of the management port")
    screen.type(ENTER)
    screen.see("Time zone")
    screen.type(ENTER)
    screen.see("Password of admin")
    screen.type(password + ENTER)
    screen.see("The same again")
    screen.type(password + ENTER)
    screen.see("ERASED")
