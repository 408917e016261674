"""Run a line: its commands one after the other, or the answer to its `?`."""

from __future__ import annotations

import re
from itertools import pairwise

from sanstone.client.errors import ClientError, Refused
from sanstone.shell import arguments, completion, errors, tree, words
from sanstone.shell.session import Session
from sanstone.shell.tree import Command, Directory


def run(session: Session, line: str) -> int:
    """Run the commands of a line and return an exit status, 0 if all succeeded."""
    if line.strip():
        session.history.append(line.strip())
    before, is_question = line.rstrip()[:-1], line.rstrip()[-1:] == "?"
    if is_question and not (words.scan(before)[-1] or [words.Word("", 0)])[-1].open:
        return question(session, before)
    try:
        split = words.commands(line)
    except errors.ShellError as error:
        session.complain(f"Error: {error}")
        return 1
    status = 0
    for command in split:
        done = _run(session, command)
        status = status or done
        if done and session.settings.stop_on_error:
            break
    return status


def question(session: Session, line: str) -> int:
    """Show the candidates for the next word of a line, and return an exit status."""
    try:
        session.write(completion.candidates_for_help(session, line))
    except errors.ShellError as error:
        session.complain(f"Error: {error}")
        return 1
    return 0


def _run(session: Session, command: list[words.Word]) -> int:
    meant: Command | None = None
    session.undone = False
    try:
        node, count = tree.find(session.root, session.here, _path(command))
        if isinstance(node, Directory):
            if count < len(command):
                raise errors.unknown_command(command[count].text, node.children)
            session.here = node
            return 0
        node = meant = _instead(session, node, command[count:])
        bound = arguments.bind(
            node, command[count:], session.settings.privilege, session.vserver, session.zone
        )
        _ask_secrets(session, bound)
        node.run(session, bound)
    except errors.ShellError as error:
        session.complain(f"Error: {error}")
        return 1
    except Refused as error:
        session.complain(f"Error: {errors.failed(_in_words(error, meant))}")
        return 1
    except ClientError as error:
        session.complain(f"Error: {error}")
        return 1
    return int(session.undone)


def _ask_secrets(session: Session, bound: arguments.Arguments) -> None:
    """Prompt for the secrets that a command needs, twice each. Raises ShellError."""
    for parameter, word in bound.parameters():
        if word is arguments.PROMPTED:
            text = session.ask_secret(f"Enter the {parameter.label.lower()}: ")
            if text != session.ask_secret("Enter it again: "):
                raise errors.ShellError("the two are not the same")
            bound.bound[parameter.word] = words.Word(text, 0, quoted=True)


def _instead(session: Session, command: Command, line: list[words.Word]) -> Command:
    """Return the command that a value leads to, such as one for another kind of interface."""
    instead = command.collection.place.instead if command.collection and command.creates else {}
    for word, value in pairwise(line if instead else ()):
        if arguments.names_parameter(word) and not arguments.names_parameter(value):
            parameter = arguments.named(list(command.parameters), word.text)
            path = instead.get(parameter.word, {}).get(value.text.lower(), "").split()
            if path:
                other = session.root.at(path[:-1]).children[path[-1]]
                assert isinstance(other, Command)
                return other
    return command


def _path(command: list[words.Word]) -> list[str]:
    """Return the leading words that may name a command."""
    path: list[str] = []
    for word in command:
        if word.quoted or word.braced or arguments.names_parameter(word):
            break
        path.append(word.text)
    return path


def _in_words(error: Refused, command: Command | None) -> str:
    """Return an error's message with parameter words in place of field names."""
    collection = command.collection if command else None
    if not collection or not error.target:
        return error.message
    names = {error.target, f"{error.target}.name"}
    word = next((w for name, w in collection.words.items() if name in names), "")
    if not word:
        return error.message
    # The message names a field as `"space.size"`, an object as `svm "svm1"`.
    message = error.message.replace(f'"{error.target}"', f'"-{word}"')
    return re.sub(f'{re.escape(error.target)} "', f'{word} "', message, flags=re.IGNORECASE)
