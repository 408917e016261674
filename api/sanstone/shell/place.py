"""How a resource maps to commands: the declarations used by the modules of `tables/`.

    Place(
        "storage/luns", "lun", "LUN",
        keys=("svm.name", "name"),
        names={"name": "path", "space.size": "size", "os_type": "ostype"},
        columns=("svm.name", "name", "status.state", "space.size"),
        verbs=(Verb("resize", "modify", "Change the size of a LUN", takes=("space.size",)),),
    )

makes `lun show`, `lun create`, `lun modify`, `lun delete` and `lun resize`; which of the first four
follows from the resource's methods. Everything that is not set here comes from the declaration: a
field's parameter is its name with dashes, without a final `.name`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Extra:
    """A parameter that is not a field: `body` computes the request from its value.

    `does` are the plain commands that take it, where it is one of a place.
    """

    word: str
    kind: str
    doc: str
    body: Callable[[Any], dict[str, Any]]
    required: bool = False
    many: bool = False
    choices: tuple[str, ...] = ()
    positional: bool = False
    does: tuple[str, ...] = ("create",)


@dataclass(frozen=True)
class Derived:
    """A value that `show -fields` shows beside fields: the `text` of several, from a row."""

    word: str
    doc: str
    needs: tuple[str, ...]
    text: Callable[[dict[str, Any]], str]


@dataclass(frozen=True)
class Verb:
    """A command on a resource's objects. `does` is show, create, modify or delete.

    `words` follow the directory; with a leading `/` they are the whole path. `takes` are the fields
    and options besides the keys, None for all; `fixed` is always sent, as are `options`. `asks` is
    the question before it acts, `says` the message afterwards; `$word` is a parameter's value.
    `each` is a field that creates an object for each of its values. `names` are words of fields in
    this command alone. Values of the field `adds` or `removes` are added to the entries of its
    list, or removed from them. The values of options that are `bare` need no names and come first.
    `tells` is said of an object where nothing is given to change in it. `optional` are keys that
    may be left out if the others suffice. `columns` are those of a show command, in place of its
    place's. Where ONTAP does not ask, `asks_programs` is false: then a question is for terminals
    alone.
    """

    words: str
    does: str
    doc: str
    takes: tuple[str, ...] | None = None
    required: tuple[str, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    extras: tuple[Extra, ...] = ()
    asks: str = ""
    says: str = ""
    each: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    adds: str = ""
    removes: str = ""
    bare: tuple[str, ...] = ()
    asks_programs: bool = True
    tells: str = ""
    columns: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """The directory of a resource's commands and their words.

    `keys` are the fields that identify an object to a person, `optional` those that may be omitted
    if the others suffice; they are the first parameters, and positional. `names` are the words of
    fields, `columns` what `show` shows, `required` what `create` needs beyond the declaration.
    `plain` renames the four plain commands (`{"create": "add"}`; "" leaves one out), `also` are
    more parameters of `create` and `modify`, `created` is the message after `create`,
    `create_options` the options that it takes. `words` are the two words of a truth value, `dashes`
    the fields whose words have dashes for the API's underscores, `sources` the resources that
    provide a field's values when it is not a reference, `networks` the field with the prefix length
    that is written after an address, `units` the units that a number may have behind it, each with
    how many of the API's it is. `rename` is the command for a new name, "" for none, and its
    parameter.

    `aliases` are other words of fields, `parts` the words by which a path may be given, and
    `positional` the fields that `create` takes without their names after the keys. `views` are the
    flags of `show` with the command that each stands for, `verbose` other words for its
    `-instance`. `asks_programs` is that of the plain commands, see Verb.

    `derived` are the values shown beside fields. `spelled` are the words of choices that are not
    the API's, each with that, and `instead` values of parameters with which another command is
    meant.

    `numbered` are lists with entries that `create` takes one by one too, as `-schedule1`, with the
    most that there are.

    `listed` is a list of a single object; `show` shows its entries as a table, if there are any.

    With `only`, values of fields, the commands are about that part of the resource's objects, which
    have no value where it is `null`; `hidden` are the prefixes of the names of fields that these do
    not have.
    """

    path: str
    directory: str
    noun: str
    keys: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    verbs: tuple[Verb, ...] = ()
    plain: Mapping[str, str] = field(default_factory=dict)
    also: tuple[Extra, ...] = ()
    required: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    dashes: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    networks: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    optional: tuple[str, ...] = ()
    rename: tuple[str, str] = ("rename", "newname")
    created: str = ""
    create_options: tuple[str, ...] = ()
    only: Mapping[str, str] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    listed: str = ""
    spelled: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    instead: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    derived: tuple[Derived, ...] = ()
    numbered: Mapping[str, int] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    positional: tuple[str, ...] = ()
    views: Mapping[str, str] = field(default_factory=dict)
    verbose: tuple[str, ...] = ()
    asks_programs: bool = True

    @property
    def key(self) -> str:
        """Return a unique key: the path, or the directory where several places share a path."""
        return self.directory if self.only else self.path
