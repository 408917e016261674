"""Commands that the manual and the catalogue of events name are there, and have their places."""

from __future__ import annotations

import re

import manual_text
import pytest

from sanstone.core.declaration import description as declarations
from sanstone.resources.declared import ACTIONS, RESOURCES
from sanstone.rules.cluster.event_catalog import CATALOG
from sanstone.rules.cluster.event_kinds.event_kind import EventKind
from sanstone.shell import commands, description, errors, help, tree

ROOT = commands.build(
    commands.collections(description.read(declarations.describe((*RESOURCES, *ACTIONS)))).values()
)
_DOES = "add|create|delete|halt|modify|online|reboot|resize|show|start|unlock|update"
_COMMAND = re.compile(
    rf"\b(?:{'|'.join(ROOT.children)})(?: [a-z-]+)*? (?:{_DOES})\b(?: -[a-z.-]+)*"
)


def unknown(text: str) -> list[str]:
    """Return the commands named in a text that the array has not, or without a parameter."""
    return [
        command for command in _COMMAND.findall(" ".join(text.split())) if not _is_there(command)
    ]


def _is_there(command: str) -> bool:
    texts = command.split()
    words = [text for text in texts if not text.startswith("-")]
    try:
        node, count = tree.find(ROOT, ROOT, words)
    except errors.ShellError:
        return False
    if not isinstance(node, tree.Command) or count < len(words):
        return False
    known_words = {f"-{word}" for each in node.parameters for word in (each.word, *each.aliases)}
    return {text for text in texts if text.startswith("-")} <= known_words


def test_unknown_commands_are_found() -> None:
    text = "See lun show -fields size, lun modify -disks and storage disk paint show."
    assert unknown(text) == ["lun modify -disks", "storage disk paint show"]


@pytest.mark.parametrize("kind", CATALOG, ids=lambda kind: kind.name)
def test_an_event_names_commands_that_there_are(kind: EventKind) -> None:
    assert unknown(f"{kind.description} {kind.corrective_action}") == []


@pytest.mark.parametrize("page", manual_text.pages())
def test_a_page_names_commands_that_there_are(page: str) -> None:
    assert [
        command
        for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", manual_text.read(page))
        for command in unknown(code)
    ] == []


def test_every_command_has_its_place_in_the_manual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(manual_text.FOLDER.parent / "generate"))
    reference = __import__("reference").reference()
    pages = {
        f"/docs/commands/{place}/#{command['words'].replace(' ', '-')}"
        for place, listed in reference["commands"].items()
        for command in listed
    }
    offered = [command for command in ROOT.commands() if not command.absent]
    assert len(offered) > 300
    assert {help.page(command) for command in offered} == pages
