"""How a resource becomes commands: the declarations that the modules of `tables/` consist of.

    Place(
        "storage/luns", "lun", "LUN",
        keys=("svm.name", "name"),
        names={"name": "path", "space.size": "size", "os_type": "ostype"},
        columns=("svm.name", "name", "status.state", "space.size"),
        verbs=(Verb("resize", "modify", "Change the size of a LUN", takes=("space.size",)),),
    )

makes `lun show`, `lun create`, `lun modify`, `lun delete` and `lun resize`; which of the first four
follows from the resource's methods. All that is not said here comes from the declaration: a field's
parameter is its name with dashes, without a final `.name`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Extra:
    """A parameter that is no field: `body` makes of its value what is sent."""

    word: str
    kind: str
    doc: str
    body: Callable[[Any], dict[str, Any]]
    required: bool = False
    many: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verb:
    """A command on a resource's objects. `does` is show, create, modify or delete.

    `words` follow the directory; with a leading `/` they stand by themselves. `takes` are the
    fields and options besides the keys, None for all; `fixed` is sent always. `asks` is the
    question before anything is done, and `says` what is told afterwards; in both `$word` is the
    value of a parameter. `each` is a field of which several values create several objects. `names`
    are words of fields in this command alone. What is given for the field `adds` or `removes` is
    added to the entries of its list, or taken out of them.
    """

    words: str
    does: str
    doc: str
    takes: tuple[str, ...] | None = None
    required: tuple[str, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    extras: tuple[Extra, ...] = ()
    asks: str = ""
    says: str = ""
    each: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    adds: str = ""
    removes: str = ""


@dataclass(frozen=True)
class Place:
    """Where and under which words a resource's commands are.

    `keys` are the fields that identify an object to a person, `optional` those that need not be
    given where the others are enough; they are the first parameters, and positional. `names` are
    the words of fields, `columns` what `show` shows, `required` what `create` needs beyond the
    declaration. `plain` renames the four plain commands (`{"create": "add"}`; "" leaves one out),
    `also` are more parameters of `create`, `created` is what is told after it, `create_options` the
    options that it takes. `words` are the two words of a truth value, `dashes` the fields whose
    words have dashes for the API's underscores, `sources` where a field's values come from when it
    is no reference, `networks` the field with the length of the prefix that is written behind an
    address. `rename` is the command for a new name and its parameter.

    With `only`, values of fields, the commands are about that part of the resource's objects;
    `hidden` are the beginnings of the names of fields that these have not got.
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
    optional: tuple[str, ...] = ()
    rename: tuple[str, str] = ("rename", "newname")
    created: str = ""
    create_options: tuple[str, ...] = ()
    only: Mapping[str, str] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Return what tells the place from others: its directory where the path alone does not."""
        return self.directory if self.only else self.path
