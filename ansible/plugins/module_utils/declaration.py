# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""What a module says of its resource; modules are written with it by `generate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Parent:
    """The object that others are below: `placeholder` stands for its UUID, or name, in their path.

    `identity` are the queries that find it in the collection `path`, by the option that has the
    value.
    """

    placeholder: str
    path: str
    identity: Mapping[str, str]

    @property
    def shown(self) -> str:
        """Return the field of that object which stands in the path."""
        return "owner.uuid" if self.placeholder == "owner.uuid" else self.placeholder.split(".")[-1]


@dataclass(frozen=True)
class Members:
    """A list of an object that is changed entry by entry, in a collection below the object.

    `keys` are the fields that distinguish entries; each entry has one of them.
    """

    path: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Resource:
    """A resource of the API, with objects that a module creates, changes and removes.

    `path`       of its collection, with the placeholders of `parents`; its own, if `single`
    `noun`       the word for an object
    `identity`   the queries that find an object, each with the option that has the value
    `otherwise`  the queries that find it where an option has no value
    `parents`    the objects above the collection, from the top
    `new_name`   the option whose value a PATCH can change, which `from_name` stands for
    `fields`     the options that are sent, each with the name that the field has in the API
    `at_first`   dotted fields that can be set when an object is created, and not later
    `later`      dotted fields that can be set only when there is an object
    `secrets`    dotted fields that are never shown: nobody can tell whether they differ
    `unlike`     dotted fields that are shown in another form than they are sent
    `implied`    values that are sent with each new object
    `lists`      fields that are changed entry by entry
    `switches`   options that are parameters of deleting
    `creatable`  whether objects are created and removed; others are there or not
    """

    path: str
    noun: str
    identity: Mapping[str, str] = field(default_factory=dict)
    otherwise: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    parents: tuple[Parent, ...] = ()
    new_name: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    at_first: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    secrets: frozenset[str] = frozenset()
    unlike: frozenset[str] = frozenset()
    implied: Mapping[str, Any] = field(default_factory=dict)
    lists: Mapping[str, Members] = field(default_factory=dict)
    switches: tuple[str, ...] = ()
    single: bool = False
    creatable: bool = True
