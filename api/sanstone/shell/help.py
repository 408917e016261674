"""Help from the texts of the declarations: `?` anywhere on a line, `help`, `man`."""

from __future__ import annotations

import textwrap

from sanstone.shell import errors, tree
from sanstone.shell.parameters import Parameter
from sanstone.shell.session import Session
from sanstone.shell.tree import Command, Directory, Node

_MARGIN, _MOST = 2, 44
MAN_INDENT = "    "


def directory(place: Directory, prefix: str = "") -> list[str]:
    """Return the commands of a directory with their texts; `>` marks directories."""
    pairs = [
        (f"{word}>" if isinstance(child, Directory) else word, child.doc)
        for word, child in sorted(place.offered(prefix).items())
    ]
    return _columns(pairs)


def parameters(listed: list[Parameter]) -> list[str]:
    """Return parameters with their types and texts, in brackets where they are optional."""
    return _columns([(parameter.synopsis, parameter.doc) for parameter in listed])


def _columns(pairs: list[tuple[str, str]]) -> list[str]:
    width = min(max((len(left) for left, _ in pairs), default=0), _MOST)
    lines = []
    for left, right in pairs:
        if len(left) > width and right:
            lines.append(f"{'':{_MARGIN}}{left}")
            left = ""
        lines.append(f"{'':{_MARGIN}}{left:<{width}}  {right}".rstrip())
    return lines


def about(session: Session, words: list[str]) -> list[str]:
    """Return the help of a command or directory. Raises ShellError."""
    node = _node(session, words)
    if isinstance(node, Directory):
        return directory(node)
    return [node.doc, *parameters(node.visible(session.settings.privilege))]


def _node(session: Session, words: list[str]) -> Node:
    if not words:
        return session.here
    node, count = tree.find(session.root, session.here, words)
    if count < len(words):
        raise errors.invalid_argument(words[count])
    return node


def manual(session: Session, words: list[str]) -> list[str]:
    """Return the manual page of a command or directory. Raises ShellError."""
    node = _node(session, words)
    width = min(session.width(), 100)
    name = " ".join(node.path) or "sanstone"
    lines = ["NAME", f"{MAN_INDENT}{name} - {node.doc or 'all commands'}", ""]
    if isinstance(node, Directory):
        return [*lines, "COMMANDS", *(MAN_INDENT + line for line in directory(node))]
    return [*lines, *_manual_of(node, session, name, width)]


def _manual_of(command: Command, session: Session, name: str, width: int) -> list[str]:
    visible = command.visible(session.settings.privilege)
    usage = textwrap.wrap(
        " ".join([name, *(parameter.synopsis for parameter in visible)]),
        width,
        initial_indent=MAN_INDENT,
        subsequent_indent=MAN_INDENT * 2,
        break_long_words=False,
        break_on_hyphens=False,
    )
    lines = ["SYNOPSIS", *usage, "", "DESCRIPTION"]
    doc = command.collection.resource.doc if command.collection else f"{command.doc}."
    lines += textwrap.wrap(doc, width, initial_indent=MAN_INDENT, subsequent_indent=MAN_INDENT)
    if command.collection:
        lines += [f"{MAN_INDENT}REST: /api/{command.collection.resource.path}"]
    lines += [f"{MAN_INDENT}Manual: https://<array>{page(command)}"]
    if visible:
        lines += ["", "PARAMETERS"]
    for parameter in visible:
        lines += [f"{MAN_INDENT}{parameter.usage}"]
        text = [parameter.doc, *_more(parameter)]
        lines += textwrap.wrap(
            " ".join(text), width, initial_indent=MAN_INDENT * 2, subsequent_indent=MAN_INDENT * 2
        )
    return lines


def page(command: Command) -> str:
    """Return the address of a command in the manual, as the array serves it."""
    place = command.path[0] if len(command.path) > 1 else "session"
    return f"/docs/commands/{place}/#{'-'.join(command.path)}"


def _more(parameter: Parameter) -> list[str]:
    facts = []
    if parameter.required:
        facts.append("It must be given.")
    if parameter.parts:
        facts.append(f"Or give {' and '.join(f'-{word}' for word in parameter.parts)}.")
    if parameter.aliases:
        facts.append(f"Also: {', '.join(f'-{word}' for word in parameter.aliases)}.")
    if parameter.field and "/" not in parameter.field:
        facts.append(f"REST: {parameter.field}.")
    return facts
