"""Candidates for the next word on a line: for Tab, and for `?`.

`situation` depends on the line alone; values that only the array knows come from `live`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sanstone.shell import help, live, tree
from sanstone.shell.arguments import goes_on, named, names_parameter
from sanstone.shell.errors import ShellError
from sanstone.shell.parameters import FLAG, Parameter
from sanstone.shell.session import Session
from sanstone.shell.tree import Command, Directory
from sanstone.shell.words import Word, quote, scan


@dataclass
class Situation:
    """The position that a line has reached.

    `place` is a directory or a command; `awaited` the parameter of the next value, `certain` when
    it was named, as opposed to the next positional one; `bound` the words so far.
    """

    place: Directory | Command
    path: int = 0
    awaited: Parameter | None = None
    certain: bool = False
    bound: dict[str, Word] = field(default_factory=dict)
    free: list[Parameter] = field(default_factory=list)


@dataclass(frozen=True)
class Candidate:
    """One candidate: `text` replaces the line from `start`."""

    text: str
    start: int
    doc: str = ""


def situation(session: Session, words: list[Word]) -> Situation:
    """Return the position after complete words. Raises ShellError for an invalid one."""
    texts: list[str] = []
    for word in words:
        if word.quoted or names_parameter(word) or word.braced:
            break
        texts.append(word.text)
    place, count = tree.find(session.root, session.here, texts)
    current = Situation(place, count)
    if isinstance(place, Directory):
        if len(words) > count:
            raise ShellError("no command yet")
        return current
    visible = place.visible(session.settings.privilege)
    if session.vserver:
        visible = [p for p in visible if p.word != "vserver"]
    _consume(current, visible, words[count:])
    current.free = [p for p in visible if p.word not in current.bound and p is not current.awaited]
    if not current.awaited:
        current.awaited = next((p for p in current.free if p.positional), None)
    return current


def _consume(current: Situation, parameters: list[Parameter], words: list[Word]) -> None:
    current_parameter: Parameter | None = None
    for word in words:
        if current_parameter and goes_on(
            current_parameter, current.bound[current_parameter.word], word
        ):
            before = current.bound[current_parameter.word]
            current.bound[current_parameter.word] = Word(before.text + word.text, before.start)
        elif current.awaited and not names_parameter(word):
            current_parameter = current.awaited
            current.bound[current_parameter.word] = word
            current.awaited = None
        elif names_parameter(word):
            current_parameter = None
            if current.awaited:
                current.bound[current.awaited.word] = Word("true", word.start)
            current.awaited = named(parameters, word.text)
            if current.awaited.kind == FLAG:
                current.bound[current.awaited.word] = Word("true", word.start)
                current.awaited = None
        elif not word.braced:
            free = (p for p in parameters if p.positional and p.word not in current.bound)
            current_parameter = next(free, None)
            if current_parameter:
                current.bound[current_parameter.word] = word
    if (
        current_parameter
        and current.bound[current_parameter.word].text.endswith(",")
        and (current_parameter.many or current_parameter.query)
    ):
        current.awaited = current_parameter
    current.certain = current.awaited is not None


def complete(session: Session, line: str) -> list[Candidate]:
    """Return the candidates at the end of a line."""
    words = scan(line)[-1]
    unfinished = words and (words[-1].open or not line[-1:].isspace())
    partial = words.pop() if unfinished else Word("", len(line))
    try:
        current = situation(session, words)
    except ShellError:
        # The line so far is invalid, so nothing can follow; running it reports why.
        return []
    if isinstance(current.place, Directory):
        return list(_commands(session, current.place, bool(words), partial))
    return list(_arguments(session, current, partial))


def _commands(
    session: Session, place: Directory, inside: bool, partial: Word
) -> Iterator[Candidate]:
    text = partial.text.lower()
    children = place.offered(text)
    if not inside and session.here is not session.root and text:
        children = {**session.root.offered(text), **children}
    matches = {word: child.doc for word, child in children.items()}
    if not matches and not inside and text:
        matches = {d.word: d.doc for d in tree.shortcuts(session.root, text)}
    for word, doc in sorted(matches.items()):
        yield Candidate(f"{word} ", partial.start, doc)


def _arguments(session: Session, current: Situation, partial: Word) -> Iterator[Candidate]:
    command = current.place
    assert isinstance(command, Command)
    if not current.certain and (
        not partial.text or names_parameter(partial) or partial.text == "-"
    ):
        prefix = partial.text.removeprefix("-").lower()
        for parameter in current.free:
            if parameter.word.startswith(prefix):
                yield Candidate(f"-{parameter.word} ", partial.start, parameter.doc)
        if partial.text:
            return
    if current.awaited:
        before, last = partial.text, partial.text
        before = ""
        if current.awaited.many and not partial.quoted and "," in partial.text:
            before, _, last = partial.text.rpartition(",")
            before += ","
        for value in live.values(session, command, current.awaited, current.bound, last):
            text = quote(value)
            ends = "" if value.endswith("/") else " "
            yield Candidate(f"{before}{text}{ends}", partial.start)


def candidates_for_help(session: Session, line: str) -> list[str]:
    """Return the help for `?` at the end of a line. Raises ShellError for an invalid line."""
    words = scan(line)[-1]
    unfinished = words and not line[-1:].isspace()
    partial = words.pop() if unfinished else Word("", len(line))
    current = situation(session, words)
    if isinstance(current.place, Directory):
        return _places(session, current.place, words, partial)
    if current.awaited and (current.certain or (partial.text and not names_parameter(partial))):
        candidates = live.values(
            session, current.place, current.awaited, current.bound, partial.text
        )
        return [*help.parameters([current.awaited]), *(f"      {value}" for value in candidates)]
    prefix = partial.text.removeprefix("-").lower()
    return help.parameters([p for p in current.free if p.word.startswith(prefix)])


def _places(session: Session, place: Directory, words: list[Word], partial: Word) -> list[str]:
    prefix = partial.text.lower()
    lines = help.directory(place, prefix)
    if not lines and not words:
        place = Directory(children={d.word: d for d in tree.shortcuts(session.root, prefix)})
        lines = help.directory(place)
    if len(lines) == 1 and prefix:
        # `lun?` asks for the meaning of `lun` and `lun ?` for its content; this answers both.
        [child] = place.offered(prefix).values()
        lines += help.directory(child) if isinstance(child, Directory) else []
    return lines or [f'There is nothing that begins with "{partial.text}".']
