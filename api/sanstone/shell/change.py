"""The commands that create, change and delete.

The objects are looked up first: an error names a missing one, a confirmation names the effect, and
a query (`-lun *`, or an extended one) acts on each match. Without a query exactly one object must
match; if a name exists in several SVMs, nothing is done.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sanstone.client.rest import Record
from sanstone.shell import guard, rehearsal, simulation, values
from sanstone.shell.arguments import Arguments
from sanstone.shell.collection import UP, Collection, Row, value_at
from sanstone.shell.errors import ShellError
from sanstone.shell.parameters import Parameter
from sanstone.shell.place import Verb
from sanstone.shell.session import Session
from sanstone.shell.show import NOTHING, filters, options
from sanstone.shell.values import Difference

DONE = {"modify": "modified", "delete": "deleted"}


class Sentence(string.Template):
    """A template with `$word` for the value of a parameter.

    `${word-raw}` is a size in bytes, `${word-short}` one with a letter for its unit.
    """

    idpattern = r"(?a:[a-z][a-z0-9-]*)"


def create(session: Session, collection: Collection, verb: Verb, arguments: Arguments) -> None:
    """Create an object."""
    body, options = _request(verb, arguments)
    body |= {name: value for name, value in collection.place.only.items() if value != "null"}
    above = _parent(session, collection, arguments)
    path, sentence = collection.collection_path(above), verb.says or collection.place.created
    if simulation.is_requested(options):
        _simulate(session, "POST", path, body, options)
        return
    for part in [{**body, verb.each: value} for value in body[verb.each]] if verb.each else [body]:
        record = guard.make(session, collection, options, partial(session.array.create, path, part))
        if session.settings.dry_run:
            _tell(session)
            continue
        if record is None:
            continue
        if sentence:
            session.write(_fill(sentence, session, collection, arguments, record).splitlines())
        session.write(_answer(session, collection, record))


def _answer(session: Session, collection: Collection, record: Record) -> list[str]:
    """Return the answer of an action, as lines."""
    leaves = collection.resource.answer.values()
    parameters = [Parameter(leaf.field.replace("_", "-"), leaf.kind, leaf.doc) for leaf in leaves]
    lines = []
    for parameter, leaf in zip(parameters, leaves, strict=True):
        text = values.shown(parameter, value_at(record, leaf.field), session.style)
        # A certificate must start at the left edge to be usable elsewhere.
        lines += [f"{parameter.label}:", *text.splitlines()]
    return lines


def modify(session: Session, collection: Collection, verb: Verb, arguments: Arguments) -> None:
    """Change the selected objects."""
    body, options = _request(verb, arguments)
    if not body and not options and verb.tells:
        _tell_of(session, collection, verb, arguments)
        return
    if not body and not options:
        raise ShellError("Nothing was given that could be changed.")

    simulates = simulation.is_requested(options)
    differences = [name for name, value in body.items() if isinstance(value, Difference)]
    edited = [name for name in (verb.adds, verb.removes) if name]

    def act(row: Row) -> bool:
        path, changed = collection.path_of(row), body | _edited(verb, arguments, row)
        changed |= {name: _reached(row, name, body[name]) for name in differences}
        if simulates:
            _simulate(session, "PATCH", path, changed, options)
            return False
        row |= changed
        modify = partial(session.array.modify, path, changed)
        return guard.make(session, collection, options, modify) is not None

    asks, also = "" if simulates else verb.asks, [*edited, *differences]
    _each(session, collection, verb, arguments, act, asks, also)


def _tell_of(session: Session, collection: Collection, verb: Verb, arguments: Arguments) -> None:
    """Write the command's fields of each selected object."""
    words = placeholders(verb.tells)
    also = [p.field for p in collection.shown if words & {p.word, f"{p.word}-short"}]
    for row in targets(session, collection, arguments, also):
        session.write([_fill(verb.tells, session, collection, arguments, row)])


def _reached(row: Row, name: str, difference: Difference) -> int:
    """Return the size in bytes that an object is to get. Raises ShellError."""
    size = int(row[name]) + difference.count
    if size <= 0:
        raise ShellError(f"{values.size(row[name], 'auto')} cannot become smaller by that much.")
    return size


def delete(session: Session, collection: Collection, verb: Verb, arguments: Arguments) -> None:
    """Delete the selected objects."""

    def act(row: Row) -> bool:
        delete = partial(session.array.delete, collection.path_of(row))
        return guard.make(session, collection, options(arguments), delete) is not None

    _each(session, collection, verb, arguments, act, verb.asks)


def _each(
    session: Session,
    collection: Collection,
    verb: Verb,
    arguments: Arguments,
    act: Callable[[Row], bool],
    asks: str,
    also: Sequence[str] = (),
) -> None:
    """Act on each selected object, after confirmation where the command `asks` for it.

    `act` gets an object's keys and its fields in `also`, and returns whether its change lasts.
    """
    done = 0
    for row in targets(session, collection, arguments, also):
        question = asks and _fill(asks, session, collection, arguments, row)
        if question and not session.confirm(question, programs=verb.asks_programs):
            continue
        stays = act(row)
        if session.settings.dry_run:
            _tell(session)
            continue
        if not stays:
            continue
        done += 1
        if verb.says:
            session.write([_fill(verb.says, session, collection, arguments, row)])
    if _is_query(arguments, selecting(collection, arguments)) and not session.settings.dry_run:
        noun = "entry was" if done == 1 else "entries were"
        session.write([f"{done} {noun} {DONE[verb.does]}."])


def _simulate(
    session: Session, method: str, path: str, body: Record, options: Mapping[str, str]
) -> None:
    """Write the objects that a change would create."""
    answer = session.array.simulate(method, path, body, options)
    session.write(simulation.lines(answer, session.width(), session.settings.units))


def _tell(session: Session) -> None:
    """Write the effects of the change that was tried last."""
    session.write(rehearsal.lines(session.array.tried, session.settings.units))


def _request(verb: Verb, arguments: Arguments) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the body and the options of a request, without what selects its objects."""
    body: dict[str, Any] = dict(verb.fixed)
    by_whom: dict[str, str] = {}
    lists: dict[str, dict[int, dict[str, list[Any]]]] = {}
    for parameter, word in arguments.parameters():
        if parameter.query or parameter.option or parameter.field.startswith(UP):
            continue
        value = values.to_body(parameter, word)
        if parameter.idle:
            continue
        if parameter.make:
            fields = parameter.make(value)
            _require_agreement(parameter, fields, body, by_whom)
            body |= fields
        elif parameter.entry:
            value = [value] if parameter.number else value
            entries = lists.setdefault(parameter.body, {}).setdefault(parameter.number, {})
            entries[parameter.entry] = [[entry] for entry in value] if parameter.listed else value
        else:
            _require_agreement(parameter, {parameter.body: value}, body, by_whom)
            body[parameter.body] = value
    for name, by_number in lists.items():
        body[name] = [e for _, parts in sorted(by_number.items()) for e in _entries(name, parts)]
    return body, {**verb.options, **options(arguments)}


def _require_agreement(
    parameter: Parameter, fields: dict[str, Any], body: dict[str, Any], by_whom: dict[str, str]
) -> None:
    """Note the parameter of a field's value. Raises ShellError where another set another value."""
    for name, value in fields.items():
        if body.get(name, value) != value and name in by_whom:
            raise ShellError(f'"-{parameter.word}" contradicts "-{by_whom[name]}".')
        by_whom[name] = parameter.word


def _entries(name: str, parts: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Combine a list for each field into a list of objects; a single value applies to all."""
    count = max(len(column) for column in parts.values())
    for field, column in parts.items():
        if len(column) not in (1, count):
            raise ShellError(f"{name}: {count} entries, but {len(column)} values for {field}.")
    spread = {f: column if len(column) == count else column * count for f, column in parts.items()}
    return [{field: column[index] for field, column in spread.items()} for index in range(count)]


def _parent(session: Session, collection: Collection, arguments: Arguments) -> Row:
    """Return the parent of an object to be created. Raises ShellError."""
    if not collection.parent:
        return {}
    query = {n.removeprefix(UP): t for n, t in filters(arguments).items() if n.startswith(UP)}
    fields = [key.field for key in collection.parent.keys]
    parents = list(collection.parent.rows(session.array, query, fields))
    if len(parents) != 1:
        names = ", ".join(f'"{text}"' for text in query.values())
        noun = collection.parent.place.noun
        problem = f"There is no {noun}" if not parents else f"There is more than one {noun}"
        raise ShellError(f"command failed: {problem} {names}.")
    return parents[0]


def _edited(verb: Verb, arguments: Arguments, row: Row) -> dict[str, Any]:
    """Return a list with the command's entries added or removed. Raises ShellError."""
    edited = verb.adds or verb.removes
    edits = [(p, word) for p, word in arguments.parameters() if edited and p.field == edited]
    for parameter, word in edits:
        before, entries = list(row.get(edited) or ()), values.to_body(parameter, word)
        for name in entries:
            if (name in before) == bool(verb.adds):
                state = "there already" if verb.adds else "not there"
                raise ShellError(f'command failed: {parameter.word} "{name}" is {state}.')
        kept = before + entries if verb.adds else [name for name in before if name not in entries]
        names = [{parameter.entry: name} if parameter.entry else name for name in kept]
        return {parameter.body: names}
    return {}


def targets(
    session: Session, collection: Collection, arguments: Arguments, also: Sequence[str] = ()
) -> list[Row]:
    """Return the objects that arguments select, with their keys and the fields in `also`.

    Raises ShellError for none, or too many.
    """
    keys = selecting(collection, arguments)
    bound = {word: value for word, value in arguments.bound.items() if word in keys}
    query = filters(Arguments(arguments.command, bound, arguments.extended))
    fields = [*(parameter.field for parameter in collection.keys), *also]
    rows = list(collection.rows(session.array, query, fields))
    if not rows:
        raise ShellError(NOTHING)
    if len(rows) > 1 and not _is_query(arguments, keys):
        lacking = ", ".join(f"-{word}" for word in keys if word not in arguments.bound)
        raise ShellError(f"{len(rows)} entries match; give {lacking} as well.")
    return rows


def selecting(collection: Collection, arguments: Arguments) -> dict[str, Parameter]:
    """Return the parameters by which a command names an object, by word."""
    fields = {key.field for key in collection.keys}
    return {p.word: p for p in arguments.command.parameters if p.query and p.field in fields}


def _is_query(arguments: Arguments, keys: Mapping[str, Parameter]) -> bool:
    bound = arguments.bound
    named = [(key, bound[word]) for word, key in keys.items() if word in bound]
    return bool(arguments.extended) or not all(values.is_literal(k, w) for k, w in named)


def _fill(
    text: str, session: Session, collection: Collection, arguments: Arguments, record: Record
) -> str:
    """Fill the values of an object, as a record or as a row, into a sentence."""
    texts = {word: bound_word.text for word, bound_word in arguments.bound.items()}
    texts["job"] = session.array.job
    for parameter in collection.shown:
        value = record.get(parameter.field)
        value = value_at(record, parameter.field) if value is None else value
        if value is not None:
            texts[parameter.word] = values.shown(parameter, value, session.style)
            texts[f"{parameter.word}-raw"] = str(value)
        if parameter.kind == "size" and isinstance(value, int):
            short = values.size(value, session.settings.units)
            texts[f"{parameter.word}-short"] = short.removesuffix("B").lower()
    return Sentence(text).substitute(
        {word: texts.get(word, values.NOTHING) for word in placeholders(text)}
    )


def placeholders(text: str) -> set[str]:
    """Return the words that a sentence has values for."""
    return {match.lower() for match in re.findall(r"\$\{?([a-z][a-z0-9-]*)", text)}
