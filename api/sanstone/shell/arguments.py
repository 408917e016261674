"""Words bound to a command's parameters.

A parameter is named by `-` and its word or a unique abbreviation of it; a value without a name goes
to the next positional parameter that the line names nowhere; one that is a list takes all that
follow. A list may have blanks around its commas. A truth value may be omitted: `-force` is `-force
true`; an omitted secret is prompted for. A { set } before everything else is an extended query: it
selects the objects to change or delete, or filters the objects to show.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from sanstone.shell import errors
from sanstone.shell.parameters import FLAG, Parameter
from sanstone.shell.tree import Command, matching
from sanstone.shell.values import localized
from sanstone.shell.words import Word, scan

REST = "rest"
"""The kind of a positional parameter that takes all remaining words."""
_TRUE = Word("true", 0)
PROMPTED = Word("", -1)
"""Marks a secret to be prompted for, so that it is not on the screen."""


@dataclass
class Arguments:
    """Values, `bound` by the parameter's word; `extended` are those of an extended query."""

    command: Command
    bound: dict[str, Word] = field(default_factory=dict)
    extended: dict[str, Word] = field(default_factory=dict)

    def text(self, word: str, default: str = "") -> str:
        """Return the text of a parameter."""
        value = self.bound.get(word)
        return value.text if value else default

    def parameters(self) -> list[tuple[Parameter, Word]]:
        """Return the bound parameters with their values."""
        by_word = {parameter.word: parameter for parameter in self.command.parameters}
        return [(by_word[word], value) for word, value in self.bound.items() if word in by_word]


def names_parameter(word: Word) -> bool:
    """Return whether a word names a parameter, as opposed to a value such as `-` or `-5`."""
    return not word.quoted and word.text[:1] == "-" and word.text[1:2].isalpha()


def named(parameters: list[Parameter], text: str) -> Parameter:
    """Return the parameter that a `-word` names. Raises ShellError."""
    word = text.removeprefix("-").lower()
    whole = next((p for p in parameters if word == p.word or word in p.aliases), None)
    if whole:
        return whole
    # Parameters without effect, or of one entry of a list, leave all abbreviations to the others.
    by_word = {p.word: p for p in parameters if not (p.idle or p.number)}
    matches = matching(list(by_word), word)
    if not matches:
        raise errors.invalid_argument(text, (f"-{word}" for word in by_word))
    if len(matches) > 1:
        raise errors.ambiguous("argument", text, (f"-{word}" for word in matches))
    return by_word[matches[0]]


def bind(
    command: Command, words: list[Word], privilege: str, vserver: str = "", zone: tzinfo = UTC
) -> Arguments:
    """Return all arguments of a command; `vserver` is the shell's current SVM, if any.

    Times are of the `zone`. Raises ShellError.
    """
    arguments = Arguments(command)
    if command.absent:
        return arguments
    if words and words[0].braced and command.queries:
        inner = [word for part in scan(words[0].text[1:-1]) for word in part]
        arguments.extended = _bound(_queried(command, privilege), inner)
        words = words[1:]
    parameters = command.visible(privilege)
    own = next((p for p in parameters if p.word == "vserver" and vserver), None)
    arguments.bound = _bound([p for p in parameters if p is not own], words)
    if own:
        arguments.bound[own.word] = Word(vserver, 0, quoted=True)
    compose(parameters, arguments.bound)
    for bound in (arguments.bound, arguments.extended):
        bound |= {
            p.word: localized(p, bound[p.word], zone)
            for p in (*parameters, *_queried(command, privilege))
            if p.kind == "timestamp" and p.word in bound
        }
    if not arguments.extended:
        needed = [p for p in parameters if p.required and p.word not in arguments.bound]
        lacking = [p.usage for p in needed if not p.secret]
        arguments.bound |= {p.word: PROMPTED for p in needed if p.secret}
        if lacking:
            raise errors.missing(lacking)
    return arguments


def _queried(command: Command, privilege: str) -> list[Parameter]:
    collection = command.collection
    shown = collection.shown if collection else ()
    return [p for p in shown if not p.advanced or privilege != "admin"]


def _bound(parameters: list[Parameter], words: list[Word]) -> dict[str, Word]:
    bound: dict[str, Word] = {}
    elsewhere = _named_in(parameters, words)
    elsewhere |= _left_out(parameters, words, elsewhere)
    queue = list(words)
    growing: Parameter | None = None
    while queue:
        word = queue.pop(0)
        if names_parameter(word):
            parameter = named(parameters, word.text)
            if parameter.word in bound:
                raise errors.ShellError(f'argument "-{parameter.word}" is given twice')
            bound[parameter.word] = _value(parameter, queue)
            continue
        taken = {*bound, *elsewhere}
        free = (p for p in parameters if p.positional and p.word not in taken)
        following = next(free, growing)
        if following is None:
            raise errors.invalid_argument(word.text)
        value = _whole(following, word, queue)
        if following is growing:
            value = Word(f"{bound[following.word].text},{value.text}", value.start)
        bound[following.word] = value
        growing = following if following.many else None
        if following.kind == REST:
            text = " ".join(part.text for part in [word, *queue])
            bound[following.word] = Word(text, word.start)
            return bound
    return bound


def _named_in(parameters: list[Parameter], words: list[Word]) -> set[str]:
    """Return the words of the parameters that a line names. Raises ShellError."""
    if any(parameter.kind == REST for parameter in parameters):
        return set()
    return {named(parameters, word.text).word for word in words if names_parameter(word)}


def _left_out(parameters: list[Parameter], words: list[Word], elsewhere: set[str]) -> set[str]:
    """Return the positional parameters for which a line has too few values without a name.

    They are the first of those that may be left out, where others may not.
    """
    free = [p for p in parameters if p.positional and p.word not in elsewhere]
    optional = [p.word for p in free if not p.required]
    if len(optional) == len(free):
        return set()
    spare = max(0, _count_free(parameters, words) - (len(free) - len(optional)))
    return set(optional[: max(0, len(optional) - spare)])


def _count_free(parameters: list[Parameter], words: list[Word]) -> int:
    """Return how many values without a name a line has. Raises ShellError."""
    count, queue = 0, list(words)
    while queue:
        word = queue.pop(0)
        if not names_parameter(word):
            count += 1
        elif named(parameters, word.text).kind != FLAG and queue and not names_parameter(queue[0]):
            _whole(named(parameters, word.text), queue.pop(0), queue)
    return count


def _whole(parameter: Parameter, word: Word, queue: list[Word]) -> Word:
    """Return a value with what belongs to it, which leaves the queue: `a, b` is one list."""
    while queue and goes_on(parameter, word, queue[0]):
        word = Word(word.text + queue.pop(0).text, word.start)
    return word


def goes_on(parameter: Parameter, word: Word, following: Word) -> bool:
    """Return whether a value that is a list goes on with the next word."""
    plain = not (word.quoted or word.braced or following.quoted or following.braced)
    comma = word.text.endswith(",") or following.text.startswith(",")
    lists = parameter.many or parameter.query
    return lists and plain and comma and not names_parameter(following)


def compose(parameters: list[Parameter], bound: dict[str, Word]) -> None:
    """Put a path in the place of the parts that it was given by. Raises ShellError."""
    by_word = {parameter.word: parameter for parameter in parameters}
    for path in parameters:
        parts_bound = [word for word in path.parts if word in bound]
        # Those that are fields of their own may stand beside a path.
        mere = [word for word in parts_bound if not by_word[word].field]
        if mere and path.word in bound:
            raise errors.ShellError(f'"-{mere[0]}" cannot be given beside "-{path.word}"')
        filters = not path.required and all(by_word[word].field for word in path.parts)
        if not parts_bound or filters or path.word in bound:
            continue
        lacking = [by_word[word].usage for word in path.parts if word not in bound]
        if lacking and path.required:
            raise errors.missing(lacking)
        texts = [bound.pop(word).text if word in bound else "*" for word in path.parts]
        bound[path.word] = Word("/vol/" + "/".join(texts), 0)


def _value(parameter: Parameter, queue: list[Word]) -> Word:
    if parameter.kind == FLAG:
        return _TRUE
    if queue and not names_parameter(queue[0]):
        return _whole(parameter, queue.pop(0), queue)
    if parameter.is_truth:
        return _TRUE
    if parameter.secret:
        return PROMPTED
    raise errors.ShellError(f'missing value for field "{parameter.usage}"')
