"""Everything that is declared is in the shell: operations as commands, fields as parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from sanstone.core.declaration import description as declarations
from sanstone.core.declaration.resource import CREATE, MODIFY, Access, Field, Items, Node, Resource
from sanstone.resources.declared import ACTIONS, RESOURCES
from sanstone.shell import commands, description
from sanstone.shell.collection import Collection
from sanstone.shell.parameters import FLAG
from sanstone.shell.place import Verb
from sanstone.shell.tables import PLACES, PRECEDENCE
from sanstone.shell.tables.without_effect import IDLE
from sanstone.shell.tree import Directory

COLLECTIONS = commands.collections(description.read(declarations.describe((*RESOURCES, *ACTIONS))))
ROOT = commands.build(COLLECTIONS.values())
ALL = (*RESOURCES, *ACTIONS)
BY_RESOURCE = {
    resource.path: [c for c in COLLECTIONS.values() if c.resource.path == resource.path]
    for resource in ALL
}
"""Collections by resource; parts of one may have commands of their own."""
EACH = pytest.mark.parametrize("resource", ALL, ids=lambda resource: resource.path)
COMMANDS = [pytest.param(command, id=" ".join(command.path)) for command in ROOT.commands()]


def parameters(resource: Resource[Any], does: str) -> dict[str, str]:
    """Return the word of each field that commands of a kind take, by the field's name."""
    words_by_field: dict[str, str] = {}
    for collection, verb in verbs(resource):
        if verb.does == does:
            words_by_field |= {p.field: p.word for p in collection.parameters(verb) if p.field}
            words_by_field |= dict.fromkeys({**verb.fixed, **collection.place.only}, verb.words)
            for extra in verb.extras:
                value = list(extra.choices[:1]) if extra.many else "x"
                words_by_field |= dict.fromkeys(extra.body(value), extra.word)
    return words_by_field


def verbs(resource: Resource[Any]) -> Iterator[tuple[Collection, Verb]]:
    """Yield the commands on a resource's objects."""
    for collection in BY_RESOURCE[resource.path]:
        yield from ((collection, verb) for verb in commands.verbs(collection))


def settable(nodes: tuple[Node, ...], access: Access) -> Iterator[str]:
    """Yield the names of the leaves that a request may set."""
    for node in nodes:
        if node.access & access and isinstance(node, Items):
            yield from (f"{node.name}.{name}" for name in settable(node.fields, access))
        elif node.access & access:
            yield node.name if isinstance(node, Field) else node.leaves[0]


@EACH
def test_every_operation_has_a_command(resource: Resource[Any]) -> None:
    verbs_there = {verb.does for _, verb in verbs(resource)}
    expected = {does for does, method in commands.METHODS.items() if method in resource.methods}
    assert verbs_there == expected
    for collection, verb in verbs(resource):
        *path, last = commands.path_of(collection, verb)
        command = ROOT.at(path).children[last]
        assert not isinstance(command, Directory)
        assert command.collection is collection and command.doc


@EACH
def test_every_field_is_shown_and_can_be_queried(resource: Resource[Any]) -> None:
    if "GET" not in resource.methods:
        return
    words = parameters(resource, "show")
    above = {name.replace(".uuid", ".name") for name in re.findall(r"{([^}]*)}", resource.path)}
    names = {name for node in resource.fields for name in node.leaves}
    above |= {"svm.name"} if above else set()
    assert names - words.keys() == above & names, "what repeats the keys of the parent is left out"


@pytest.mark.parametrize(("does", "access"), [("create", CREATE), ("modify", MODIFY)])
@EACH
def test_every_field_can_be_set(resource: Resource[Any], does: str, access: Access) -> None:
    if commands.METHODS[does] not in resource.methods:
        return
    # A collection below an object of an SVM is that SVM's without saying so.
    implied = {"svm.name"} if "{" in resource.path else set()
    assert set(settable(resource.fields, access)) - implied <= parameters(resource, does).keys()


@EACH
def test_every_option_can_be_given(resource: Resource[Any]) -> None:
    fields = {p.field for c, v in verbs(resource) for p in c.parameters(v)}
    assert {option.name for option in resource.options} <= fields


@pytest.mark.parametrize("command", COMMANDS)
def test_parameters_have_words_of_their_own(command: Any) -> None:
    words = [word for parameter in command.parameters for word in parameter.aliases]
    words += [parameter.word for parameter in command.parameters]
    assert len(set(words)) == len(words), sorted(words)
    for parameter in command.parameters:
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", parameter.word)
        assert parameter.doc and parameter.label
        assert bool(parameter.type_text) == (parameter.kind != FLAG)
    assert command.doc


def test_stand_ins_name_existing_commands() -> None:
    command_names = {" ".join(command.path) for command in ROOT.commands()}
    assert IDLE.keys() <= command_names
    assert {command for place in PLACES for command in place.views.values()} <= command_names
    assert {" ".join(d.path) for d in ROOT.directories() if d.precedence} == PRECEDENCE


def test_no_two_commands_have_one_name() -> None:
    paths = [commands.path_of(c, v) for c in COLLECTIONS.values() for v in commands.verbs(c)]
    assert len(set(paths)) == len(paths)
    assert not {" ".join(path) for path in paths} & {" ".join(d.path) for d in ROOT.directories()}


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_tables_name_what_is_declared(place: Any) -> None:
    collection: Collection = COLLECTIONS[place.key]
    resource = collection.resource
    declared = {*resource.leaves, *resource.options}
    assert {*place.names, *place.only} <= declared
    assert {*place.keys, *place.required, *place.words, *place.dashes, *place.sources} <= declared
    assert {*place.networks, *place.networks.values(), *place.optional} <= declared
    assert {*place.aliases, *place.parts, *place.positional} <= declared
    assert set(place.columns) <= {parameter.field for parameter in collection.shown}
    assert set(place.create_options) <= resource.options.keys()
    for verb in place.verbs:
        assert {*(verb.takes or ()), *verb.required, *verb.fixed, *verb.names} <= declared
        assert set(verb.required) <= {p.field for p in collection.parameters(verb) if p.required}


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.key)
def test_sentences_use_words_that_the_commands_have(place: Any) -> None:
    collection = COLLECTIONS[place.key]
    for verb in commands.verbs(collection):
        words = {p.word for p in (*collection.parameters(verb), *collection.shown)} | {"job"}
        for text in (verb.asks, verb.says, verb.tells, place.created):
            variables = set(re.findall(r"\$\{?([a-z][a-z0-9-]*)", text))
            plain = {word.removesuffix("-raw").removesuffix("-short") for word in variables}
            assert plain <= words | {"new-size"}


def test_every_directory_has_a_description() -> None:
    paths = {tuple(place.directory.split()) for place in PLACES}
    assert not {d.path for d in ROOT.directories() if d.path in paths and not d.doc}
