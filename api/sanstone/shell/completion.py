"""What may come next on a line: for Tab, and for `?`.

`situation` looks at the line alone; the values that only the array knows come from `live`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sanstone.shell import help, live, tree
from sanstone.shell.arguments import named, names_parameter
from sanstone.shell.errors import ShellError
from sanstone.shell.parameters import FLAG, Parameter
from sanstone.shell.session import Session
from sanstone.shell.tree import Command, Directory
from sanstone.shell.words import Word, quote, scan


@dataclass
class Situation:
    """Where a line has come to.

    `place` is a directory or a command; `awaited` the parameter whose value comes next, `certain`
    when it was named, as against the next positional one; `given` what there is already.
    """

    place: Directory | Command
    path: int = 0
    awaited: Parameter | None = None
    certain: bool = False
    given: dict[str, Word] = field(default_factory=dict)
    free: list[Parameter] = field(default_factory=list)


@dataclass(frozen=True)
class Candidate:
    """One way to go on: `text` takes the place of the line from `start`."""

    text: str
    start: int
    doc: str = ""


def situation(session: Session, words: list[Word]) -> Situation:
    """Return where complete words lead. Raises ShellError where they lead nowhere."""
    texts: list[str] = []
    for word in words:
        if word.quoted or names_parameter(word) or word.braced:
            break
        texts.append(word.text)
    place, count = tree.find(session.root, session.here, texts)
    found = Situation(place, count)
    if isinstance(place, Directory):
        if len(words) > count:
            raise ShellError("no command yet")
        return found
    visible = place.visible(session.settings.privilege)
    if session.vserver:
        visible = [p for p in visible if p.word != "vserver"]
    _consume(found, visible, words[count:])
    found.free = [p for p in visible if p.word not in found.given and p is not found.awaited]
    if not found.awaited:
        found.awaited = next((p for p in found.free if p.positional), None)
    return found


def _consume(found: Situation, parameters: list[Parameter], words: list[Word]) -> None:
    for word in words:
        if found.awaited and not names_parameter(word):
            found.given[found.awaited.word] = word
            found.awaited = None
        elif names_parameter(word):
            if found.awaited:
                found.given[found.awaited.word] = Word("true", word.start)
            found.awaited = named(parameters, word.text)
            if found.awaited.kind == FLAG:
                found.given[found.awaited.word] = Word("true", word.start)
                found.awaited = None
        elif not word.braced:
            free = (p for p in parameters if p.positional and p.word not in found.given)
            following = next(free, None)
            if following:
                found.given[following.word] = word
    found.certain = found.awaited is not None


def complete(session: Session, line: str) -> list[Candidate]:
    """Return the candidates at the end of a line."""
    words = scan(line)[-1]
    unfinished = words and (words[-1].open or not line[-1:].isspace())
    partial = words.pop() if unfinished else Word("", len(line))
    try:
        found = situation(session, words)
    except ShellError:
        # What is typed so far means nothing, so nothing can follow; running it says why.
        return []
    if isinstance(found.place, Directory):
        return list(_commands(session, found.place, bool(words), partial))
    return list(_arguments(session, found, partial))


def _commands(
    session: Session, place: Directory, inside: bool, partial: Word
) -> Iterator[Candidate]:
    text = partial.text.lower()
    children = dict(place.children)
    if not inside and session.here is not session.root and text:
        children = {**session.root.children, **children}
    found = {word: child.doc for word, child in children.items() if word.startswith(text)}
    if not found and not inside and text:
        found = {d.word: d.doc for d in tree.shortcuts(session.root, text)}
    for word, doc in sorted(found.items()):
        yield Candidate(f"{word} ", partial.start, doc)


def _arguments(session: Session, found: Situation, partial: Word) -> Iterator[Candidate]:
    command = found.place
    assert isinstance(command, Command)
    if not found.certain and (not partial.text or names_parameter(partial) or partial.text == "-"):
        prefix = partial.text.removeprefix("-").lower()
        for parameter in found.free:
            if parameter.word.startswith(prefix):
                yield Candidate(f"-{parameter.word} ", partial.start, parameter.doc)
        if partial.text:
            return
    if found.awaited:
        before, last = partial.text, partial.text
        before = ""
        if found.awaited.many and not partial.quoted and "," in partial.text:
            before, _, last = partial.text.rpartition(",")
            before += ","
        for value in live.values(session, command, found.awaited, found.given, last):
            text = quote(value)
            ends = "" if value.endswith("/") else " "
            yield Candidate(f"{before}{text}{ends}", partial.start)


def candidates_for_help(session: Session, line: str) -> list[str]:
    """Return what `?` at the end of a line shows. Raises ShellError where it leads nowhere."""
    words = scan(line)[-1]
    unfinished = words and not line[-1:].isspace()
    partial = words.pop() if unfinished else Word("", len(line))
    found = situation(session, words)
    if isinstance(found.place, Directory):
        return _places(session, found.place, words, partial)
    if found.awaited and (found.certain or (partial.text and not names_parameter(partial))):
        known = live.values(session, found.place, found.awaited, found.given, partial.text)
        return [*help.parameters([found.awaited]), *(f"      {value}" for value in known)]
    prefix = partial.text.removeprefix("-").lower()
    return help.parameters([p for p in found.free if p.word.startswith(prefix)])


def _places(session: Session, place: Directory, words: list[Word], partial: Word) -> list[str]:
    prefix = partial.text.lower()
    lines = help.directory(place, prefix)
    if not lines and not words:
        place = Directory(children={d.word: d for d in tree.shortcuts(session.root, prefix)})
        lines = help.directory(place)
    if len(lines) == 1 and prefix:
        # `lun?` asks about what `lun` is and `lun ?` about what is in it; both are answered.
        (word,) = [w for w in place.children if w.startswith(prefix)]
        child = place.children[word]
        lines += help.directory(child) if isinstance(child, Directory) else []
    return lines or [f'There is nothing that begins with "{partial.text}".']
