"""`show`: a table, selected fields, or all of one object.

If all keys are plain values, or with `-instance`, it shows every field with its label. With a
separator (`set -showseparator`) there is a line of parameter names, one of labels, and one for each
object.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sanstone.shell import layout, values
from sanstone.shell.arguments import Arguments, compose, named
from sanstone.shell.collection import Collection, Row
from sanstone.shell.errors import ShellError, invalid_argument
from sanstone.shell.layout import Column
from sanstone.shell.parameters import FLAG, Parameter
from sanstone.shell.place import Verb
from sanstone.shell.session import Session
from sanstone.shell.tree import Command

NOTHING = "There are no entries matching your query."
USUAL_COLUMNS = 6
CONTROLS = (
    Parameter("fields", "text", "Fields to show, by the words of their parameters.", many=True),
    Parameter("instance", FLAG, "Every field of each object."),
)


def controls(collection: Collection) -> tuple[Parameter, ...]:
    """Return the parameters of `show` that do not filter."""
    views = collection.place.views.items()
    flags = (Parameter(word, FLAG, f"As `{command}` shows it.") for word, command in views)
    fields, instance = CONTROLS
    return fields, replace(instance, aliases=collection.place.verbose), *flags


def run(session: Session, collection: Collection, verb: Verb, arguments: Arguments) -> None:
    """Show the objects that match."""
    for flag, path in collection.place.views.items():
        if flag in arguments.bound:
            _view(session, flag, path.split(), arguments)
            return
    query = filters(arguments) | options(arguments)
    for name, text in _fixed(verb).items():
        query[name] = _both(collection.words[name], query.get(name), text)
    single = _is_about_one(collection, arguments)
    parameters = arguments.command.visible(session.settings.privilege)
    visible = [p for p in parameters if p.field and not p.option]
    as_instance = single or "instance" in arguments.bound or session.settings.all_fields
    about_all = as_instance and not (verb.columns and collection.resource.single)
    columns = visible if about_all else _usual(collection, verb, visible)
    if "fields" in arguments.bound:
        known = [*visible, *collection.derived]
        as_instance, columns = False, _chosen(collection, known, arguments)
    fields = [name for p in columns for name in (p.field, p.network, *p.needs) if name]
    rows = list(collection.rows(session.array, query, fields))
    rows = _sorted(collection, rows)
    entries = [entry for row in rows for entry in collection.entries(row) if not verb.columns]
    if entries:
        rows, as_instance = entries, "instance" in arguments.bound
        columns = [column for column in columns if column.field in entries[0]]
    elif collection.place.listed:
        columns = [column for column in columns if column.field not in collection.listed]
    if not rows:
        session.write([NOTHING])
    elif session.settings.separator:
        session.write(_script(session, columns, rows))
    elif as_instance and not session.settings.all_fields:
        session.write(_instances(session, columns, rows))
    else:
        lower = "fields" in arguments.bound or session.settings.all_fields
        session.write(_table(session, columns, rows, lower=lower))


def filters(arguments: Arguments) -> dict[str, str]:
    """Return the API's filters for the arguments, by field."""
    shown = (
        {p.word: p for p in arguments.command.collection.shown}
        if (arguments.command.collection)
        else {}
    )
    conditions = [(shown[w], word) for w, word in arguments.extended.items() if w in shown]
    conditions += [(p, word) for p, word in arguments.parameters() if p.field and not p.option]
    by_field: dict[str, str] = {}
    for parameter, word in conditions:
        query = values.to_query(parameter, word)
        if parameter.network and "/" in query:
            query, _, by_field[parameter.network] = query.partition("/")
        by_field[parameter.field] = query
    return by_field


def options(arguments: Arguments) -> dict[str, str]:
    """Return the options among the arguments, which control the answer and do not filter."""
    pairs = [(p, values.to_body(p, word)) for p, word in arguments.parameters() if p.option]
    return {p.field: str(value).lower() if p.is_truth else str(value) for p, value in pairs}


def _fixed(verb: Verb) -> dict[str, str]:
    return {name: str(value).lower() for name, value in verb.fixed.items()}


def _both(word: str, query: str | None, fixed: str) -> str:
    """Return the filter for what fits both. Raises ShellError where REST has no such condition."""
    if query and not fixed.startswith("!"):
        raise invalid_argument(f"-{word}")
    return f"{query},{fixed}" if query else fixed


def _view(session: Session, flag: str, path: list[str], arguments: Arguments) -> None:
    """Run the command that a flag stands for, with the other arguments. Raises ShellError."""
    command = session.root.at(path[:-1]).children[path[-1]]
    assert isinstance(command, Command)
    bound = {word: value for word, value in arguments.bound.items() if word != flag}
    known = {parameter.word for parameter in command.parameters}
    for word in {*bound, *arguments.extended} - known:
        raise ShellError(f'argument "-{word}" cannot be used with "-{flag}"')
    compose(command.visible(session.settings.privilege), bound)
    command.run(session, Arguments(command, bound, arguments.extended))


def _is_about_one(collection: Collection, arguments: Arguments) -> bool:
    by_field = {parameter.field: word for parameter, word in arguments.parameters()}
    return all(
        key.field in by_field and values.is_literal(key, by_field[key.field])
        for key in collection.keys
    )


def _usual(collection: Collection, verb: Verb, visible: list[Parameter]) -> list[Parameter]:
    by_field = {parameter.field: parameter for parameter in (*collection.shown, *visible)}
    if names := verb.columns or collection.place.columns:
        return [by_field[name] for name in names]
    rest = [
        p
        for p in collection.shown
        if p not in collection.keys and not p.costly and p.kind != "uuid" and not p.many
    ]
    return [*collection.keys, *rest][:USUAL_COLUMNS]


def _chosen(
    collection: Collection, visible: list[Parameter], arguments: Arguments
) -> list[Parameter]:
    texts = values.parts(arguments.bound["fields"])
    chosen = [named(visible, f"-{text.removeprefix('-')}") for text in texts]
    by_field = {parameter.field: parameter for parameter in visible}
    keys = [by_field.get(key.field, key) for key in collection.keys]
    # A key that is named too is shown once, where scripts look for it: at the front.
    return list({p.word: p for p in (*keys, *chosen)}.values())


def _sorted(collection: Collection, rows: list[Row]) -> list[Row]:
    """Sort objects of SVMs by SVM and name; leave others in the array's order."""
    keys = [key.field for key in collection.keys]
    if len(keys) < 2:
        return rows
    return sorted(rows, key=lambda row: [_rank(row.get(key)) for key in keys])


def _rank(value: Any) -> tuple[int, int, str]:
    """Return a key that sorts numbers by value, and texts after them."""
    return (0, value, "") if isinstance(value, int) else (1, 0, str(value or ""))


def _cells(session: Session, columns: Sequence[Parameter], row: Row) -> list[str]:
    return [
        column.derived(row)
        if column.derived
        else values.shown(column, row.get(column.field), session.style)
        + (f"/{row[column.network]}" if row.get(column.network) is not None else "")
        for column in columns
    ]


def _table(
    session: Session, columns: list[Parameter], rows: list[Row], *, lower: bool
) -> list[str]:
    headings = [
        Column(c.word if lower else c.label, c.kind in ("size", "integer") and not c.many)
        for c in columns
    ]
    cells = [[c.replace("\n", " ") for c in _cells(session, columns, row)] for row in rows]
    lines = layout.table(headings, cells, session.width())
    return [*lines, *([f"{len(rows)} entries were displayed."] if len(rows) > 1 else [])]


def _instances(session: Session, columns: list[Parameter], rows: list[Row]) -> list[str]:
    lines: list[str] = []
    for row in rows:
        cells = _cells(session, columns, row)
        pairs = [(column.label, cell) for column, cell in zip(columns, cells, strict=True)]
        lines += ["", *layout.instance(pairs)]
    return [*lines[1:], *([f"{len(rows)} entries were displayed."] if len(rows) > 1 else [])]


def _script(session: Session, columns: list[Parameter], rows: list[Row]) -> list[str]:
    separator = session.settings.separator
    lines = [[c.word for c in columns], [c.label for c in columns]]
    lines += [[c.replace("\n", " ") for c in _cells(session, columns, row)] for row in rows]
    return [layout.separated(line, separator) for line in lines]
