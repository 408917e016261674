"""The tree of commands, built from the array's description, the tables, and the shell's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import chain

from sanstone.shell import auto_provision, builtin, change, command_roles, file_clone, show, space
from sanstone.shell.arguments import Arguments
from sanstone.shell.collection import Collection
from sanstone.shell.description import ResourceData
from sanstone.shell.errors import ShellError
from sanstone.shell.parameters import Parameter
from sanstone.shell.place import Extra, Place, Verb
from sanstone.shell.session import Session
from sanstone.shell.tables import DIRECTORIES, PLACES, PRECEDENCE
from sanstone.shell.tables.elsewhere import ELSEWHERE, EMPTY
from sanstone.shell.tables.without_effect import IDLE
from sanstone.shell.tree import Command, Directory

METHODS = {"show": "GET", "create": "POST", "modify": "PATCH", "delete": "DELETE"}
RUN = {
    "show": show.run,
    "create": change.create,
    "modify": change.modify,
    "delete": change.delete,
}
_OWN = (builtin, auto_provision, command_roles, file_clone, space)
"""The modules of commands that are not generated."""
_DOCS = {
    "show": "Display {nouns}",
    "create": "Create {noun}",
    "modify": "Modify {noun}",
    "delete": "Delete {noun}",
}


def collections(resources: Mapping[str, ResourceData]) -> dict[str, Collection]:
    """Return the collections by the key of their place, each with its parent."""
    places = {place.path: place for place in PLACES if not place.only}
    by_path: dict[str, Collection] = {}
    for path in sorted(resources, key=len):
        resource = resources[path]
        above = path.split("/{")[0] if resource.placeholders else ""
        if above:
            above = max((p for p in by_path if path.startswith(f"{p}/{{")), key=len)
        place = places.get(path) or _unnamed(resource)
        by_path[path] = Collection(resource, place, by_path.get(above))
    parts = [place for place in PLACES if place.only and place.path in resources]
    return by_path | {place.key: Collection(resources[place.path], place) for place in parts}


def _unnamed(resource: ResourceData) -> Place:
    """Return the place of a resource that is in no table: its path without the keys."""
    parts = [part for part in resource.path.split("/") if not part.startswith("{")]
    return Place(resource.path, " ".join(parts), parts[-1].replace("-", " ").removesuffix("s"))


def build(resources: Iterable[Collection]) -> Directory:
    """Return the root of all commands."""
    root = Directory()
    for command in chain.from_iterable(module.COMMANDS for module in _OWN):
        root.add(command.path, command)
    for words, sentence in ELSEWHERE.items():
        root.add(words.split(), _refusal(tuple(words.split()), sentence))
    for words, (doc, parameters) in EMPTY.items():
        root.add(words.split(), _empty_list(tuple(words.split()), doc, parameters))
    for collection in resources:
        for verb in verbs(collection):
            path = path_of(collection, verb)
            root.add(path, _command(collection, verb, path))
    for words, doc in DIRECTORIES.items():
        for directory in _directories(root, words.split()):
            directory.doc = doc
            directory.precedence = words in PRECEDENCE
    return root


def _refusal(path: tuple[str, ...], sentence: str) -> Command:
    """Return a command that the array has not, and says so."""

    def run(_session: Session, _arguments: Arguments) -> None:
        raise ShellError(f"command failed: {sentence}")

    return Command(path, sentence, run, absent=True)


def _empty_list(path: tuple[str, ...], doc: str, parameters: tuple[Parameter, ...]) -> Command:
    """Return a command that shows objects of a kind that the array lacks."""

    def run(session: Session, _arguments: Arguments) -> None:
        session.write([show.NOTHING])

    return Command(path, doc, run, lambda: parameters)


def path_of(collection: Collection, verb: Verb) -> tuple[str, ...]:
    """Return the words of a command."""
    if verb.words.startswith("/"):
        return tuple(verb.words[1:].split())
    return (*collection.place.directory.split(), *verb.words.split())


def verbs(collection: Collection) -> Iterator[Verb]:
    """Yield a resource's commands: the plain ones, one for a new name, and those of its table."""
    place, methods = collection.place, collection.resource.methods
    nouns = place.noun if collection.resource.single else _plural(place.noun)
    for does, method in METHODS.items():
        word = place.plain.get(does, does)
        if method not in methods or not word:
            continue
        doc = _DOCS[does].format(noun=_article(place.noun), nouns=nouns)
        asks = _question(collection) if does == "delete" else ""
        yield Verb(word, does, doc, asks=asks, asks_programs=place.asks_programs)
    leaf = collection.resource.leaves.get("name")
    keys = (key.field for key in collection.keys)
    if leaf and leaf.modify and "name" in keys and place.rename[0]:
        yield _rename(place)
    yield from place.verbs


def _rename(place: Place) -> Verb:
    words, parameter = place.rename
    new = Extra(parameter, "text", "The new name.", lambda name: {"name": name}, required=True)
    return Verb(words, "modify", f"Rename {_article(place.noun)}", takes=(), extras=(new,))


def _question(collection: Collection) -> str:
    if collection.resource.single:
        return f"Are you sure you want to delete the {collection.place.noun}?"
    words = [key.word for key in collection.keys if key.word != "vserver"] or ["vserver"]
    own = f' "${{{words[-1]}}}"'
    in_svm = any(key.field.endswith("svm.name") for key in collection.keys) and words != ["vserver"]
    inside = ' in Vserver "$vserver"' if in_svm else ""
    return f"Are you sure you want to delete {collection.place.noun}{own}{inside}?"


def _article(noun: str) -> str:
    vowel = noun[0] in "aeioAEIO" or noun.startswith(("NVMe", "FC", "LDAP"))
    return f"an {noun}" if vowel else f"a {noun}"


def _plural(noun: str) -> str:
    if noun.endswith(("s", "x")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def _command(collection: Collection, verb: Verb, path: tuple[str, ...]) -> Command:
    def run(session: Session, arguments: Arguments) -> None:
        RUN[verb.does](session, collection, verb, arguments)

    creates = verb.does == "create"
    return Command(
        path,
        verb.doc,
        run,
        partial(_parameters, collection, verb, IDLE.get(" ".join(path), ())),
        collection,
        queries=not creates,
        creates=creates,
    )


def _parameters(
    collection: Collection, verb: Verb, idle: tuple[Parameter, ...]
) -> tuple[Parameter, ...]:
    controls = show.controls(collection) if verb.does == "show" else ()
    return (*controls, *collection.parameters(verb), *idle)


def _directories(root: Directory, words: list[str]) -> Iterator[Directory]:
    """Yield the directory of these words, if the array has its resources."""
    place: Directory = root
    for word in words:
        child = place.children.get(word)
        if not isinstance(child, Directory):
            return
        place = child
    yield place
