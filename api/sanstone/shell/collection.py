"""One resource with its place: the parameters of its commands, and the objects they select.

A resource below another's objects (`…/igroups/{igroup.uuid}/initiators`) has the parent's keys as
its own first parameters, their fields marked with `../`; a request goes to every parent that they
match. So nobody needs to know a UUID.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import quote

from sanstone.client.errors import NotFound
from sanstone.client.rest import Array, Record
from sanstone.shell.description import Leaf, ResourceData
from sanstone.shell.parameters import TRUTH, Parameter
from sanstone.shell.place import Extra, Place, Verb

UP = "../"
_COUNTERS = ("statistics.", "metric.")
"""Fields for monitoring, which would clutter the view of one object."""
_COMMON = {"svm.name": "vserver", "svm.uuid": "vserver-uuid"}
_SOURCES = {
    "node.name": "cluster/nodes",
    "home_node.name": "cluster/nodes",
    "port.name": "network/ethernet/ports",
    "home_port.name": "network/ethernet/ports",
    "base_port.name": "network/ethernet/ports",
    "member_ports.name": "network/ethernet/ports",
    "service_policy.name": "network/ip/service-policies",
    "disks.name": "storage/disks",
}
"""Resources that provide values of fields without a reference, by the last part of the name."""
Row = dict[str, Any]
"""Values of an object by field."""


@dataclass
class Collection:
    """A resource and its place; `parent` is that of the resource above."""

    resource: ResourceData
    place: Place
    parent: Collection | None = None

    @cached_property
    def words(self) -> dict[str, str]:
        """Return a unique parameter word for each field."""
        taken = {parameter.word for parameter in self._above}
        by_name: dict[str, str] = {}
        names = [*self.leaves, *self.resource.options]
        # Names from the table go first, so that no other field takes their word.
        for name in sorted(names, key=lambda name: name not in self.place.names):
            long = name.replace(".", "-").replace("_", "-")
            word = self.place.names.get(name) or _COMMON.get(name) or long.removesuffix("-name")
            if word in taken:
                word = long if long not in taken else f"{self.place.noun.lower()}-{long}"
            taken.add(word)
            by_name[name] = word
        return {name: by_name[name] for name in names}

    @cached_property
    def leaves(self) -> dict[str, Leaf]:
        """Return the resource's leaves, except those that the parent's keys or the place set."""
        above = {name.replace(".uuid", ".name") for name in self.resource.placeholders}
        words = {parameter.word for parameter in self._above}
        above |= {name for name, word in _COMMON.items() if word in words} | self.place.only.keys()
        return {
            name: leaf
            for name, leaf in self.resource.leaves.items()
            if name not in above and not name.startswith(self.place.hidden)
        }

    @cached_property
    def _above(self) -> list[Parameter]:
        """Return the keys of the parent as parameters here."""
        if not self.parent:
            return []
        return [replace(key, field=UP + key.field, body="") for key in self.parent.identity]

    @cached_property
    def keys(self) -> list[Parameter]:
        """Return the parameters that identify an object to a person, the parent's first."""
        shown = set(self.leaves)
        own = [self._key(name) for name in self._own_keys if name in shown]
        return [*self._above, *own]

    @cached_property
    def _own_keys(self) -> tuple[str, ...]:
        if self.place.keys or self.resource.single:
            return self.place.keys
        leaves = self.leaves
        keys = tuple(name for name in ("svm.name", "name") if name in leaves)
        if "name" in keys:
            return keys
        return self.resource.own_keys

    def _key(self, name: str) -> Parameter:
        parts = self.place.parts.get(name, ())
        parameter = self.parameter(self.leaves[name])
        return replace(parameter, positional=True, required=True, parts=parts)

    @cached_property
    def shown(self) -> list[Parameter]:
        """Return the parameters that `show` shows and filters by, the keys first."""
        keys = {parameter.field for parameter in self.keys}
        above = {parameter.word for parameter in self._above}
        leaves = (leaf for leaf in self.leaves.values() if not leaf.secret)
        rest = [self.parameter(leaf) for leaf in leaves if leaf.field not in keys]
        return [*self.keys, *(p for p in rest if p.word not in above)]

    @cached_property
    def derived(self) -> list[Parameter]:
        """Return columns beside fields, which `-fields` does not take."""
        return [
            Parameter(each.word, "text", each.doc, needs=each.needs, derived=each.text)
            for each in self.place.derived
        ]

    def parameter(self, leaf: Leaf, *, option: bool = False) -> Parameter:
        """Return the parameter of a leaf or an option."""
        last = ".".join(leaf.field.split(".")[-2:])
        place = self.place
        return Parameter(
            word=self.words[leaf.field],
            kind=leaf.kind,
            doc=leaf.doc,
            field=leaf.field,
            body=leaf.body,
            entry=leaf.entry,
            listed=leaf.listed,
            many=leaf.many,
            choices=leaf.choices,
            source=leaf.to or place.sources.get(leaf.field, "") or _SOURCES.get(last, ""),
            secret=leaf.secret,
            costly=leaf.costly,
            advanced=leaf.field.endswith(".uuid") or leaf.field.startswith(_COUNTERS),
            option=option,
            truth=place.words.get(leaf.field, TRUTH),
            dashed=leaf.field in place.dashes,
            aliases=place.aliases.get(leaf.field, ()),
            network=place.networks.get(leaf.field, ""),
            units=place.units.get(leaf.field, ()),
            spelled=place.spelled.get(leaf.field, ()),
        )

    def parameters(self, verb: Verb) -> tuple[Parameter, ...]:
        """Return the parameters of a command; those that a path may give come last."""
        parameters = self._parameters(verb)
        known = {parameter.word for parameter in parameters}
        parts = (word for parameter in parameters for word in parameter.parts)
        return (*parameters, *(_part(word) for word in parts if word not in known))

    def _parameters(self, verb: Verb) -> tuple[Parameter, ...]:
        options = [self.parameter(o, option=True) for o in self.resource.options.values()]
        chosen = [
            replace(option, required=option.field in verb.required)
            for option in options
            if option.field in self._options(verb)
        ]
        if verb.does == "show":
            bare = [replace(o, positional=True) for o in chosen if o.field in verb.bare]
            rest = [option for option in chosen if option.field not in verb.bare]
            filters = (
                replace(
                    shown,
                    word=verb.names.get(shown.field, shown.word),
                    required=False,
                    query=True,
                )
                for shown in self.shown
            )
            return (*bare, *filters, *rest)
        plain = self.place.also if verb.takes is None else ()
        extras = [*verb.extras, *(extra for extra in plain if verb.does in extra.does)]
        if verb.does == "delete":
            return (*self._selected(verb), *chosen)
        modifies = verb.does == "modify"
        extra_parameters = [_extra(extra, relative=modifies) for extra in extras]
        keys = self._selected(verb) if modifies else self._above
        return (*keys, *self._settable(verb, keys), *extra_parameters, *chosen)

    def _options(self, verb: Verb) -> set[str]:
        """Return the options of a command; by default the most destructive command takes them."""
        if verb.takes is not None:
            return set(verb.takes)
        if verb.does == "create":
            return set(self.place.create_options)
        methods = self.resource.methods
        usual = "delete" if "DELETE" in methods else "modify" if "PATCH" in methods else "show"
        return (
            set(self.resource.options) - set(self.place.create_options)
            if (verb.does == usual)
            else set()
        )

    @property
    def identity(self) -> list[Parameter]:
        """Return the keys for a change: an SVM only where one is required."""
        leaf = self.leaves.get("svm.name")
        free = set(self.place.optional)
        if leaf and not leaf.required and "svm.name" not in self.place.required:
            free.add("svm.name")
        own = self.keys[len(self._above) :]
        keys = [*self._above, *(replace(key, required=key.field not in free) for key in own)]
        return [replace(key, query=True) for key in keys]

    def _selected(self, verb: Verb) -> list[Parameter]:
        """Return the keys by the words that a command has for them."""
        return [
            replace(
                key,
                word=verb.names.get(key.field, key.word),
                required=key.required and key.field not in verb.optional,
            )
            for key in self.identity
        ]

    def _settable(self, verb: Verb, before: list[Parameter]) -> Iterator[Parameter]:
        fields = {parameter.field for parameter in before}
        words = {parameter.word for parameter in before}
        bare = (*self._own_keys, *self.place.positional)
        order = {name: index for index, name in enumerate(bare)}
        leaves = sorted(self.leaves.values(), key=lambda leaf: order.get(leaf.field, len(order)))
        for leaf in leaves:
            settable = leaf.create if verb.does == "create" else leaf.modify
            taken = verb.takes is None or leaf.field in verb.takes
            word = verb.names.get(leaf.field, self.words[leaf.field])
            if not settable or not taken or leaf.field in fields or word in words:
                continue
            if leaf.field in verb.fixed:
                continue
            needed = leaf.required if verb.does == "create" else False
            needed |= leaf.field in verb.required
            if verb.does == "create":
                needed |= leaf.field in self.place.required
            parameter = replace(self.parameter(leaf), word=word, required=needed)
            parameter = replace(parameter, many=parameter.many or leaf.field == verb.each)
            creates = verb.does == "create"
            if creates:
                parameter = replace(parameter, parts=self.place.parts.get(leaf.field, ()))
            yield replace(
                parameter, positional=creates and leaf.field in order, relative=not creates
            )
            for number in range(1, self.place.numbered.get(leaf.body, 0) * creates + 1):
                yield replace(parameter, word=f"{word}{number}", number=number, many=False)

    def rows(self, array: Array, query: Mapping[str, str], fields: list[str]) -> Iterator[Row]:
        """Yield the objects that match, with the requested fields and the keys of their paths."""
        own = {name: text for name, text in query.items() if not name.startswith(UP)}
        own |= self.place.only
        requested = [name for name in fields if not name.startswith(UP)]
        for above in self._rows_above(array, query, fields):
            path = self.collection_path(above)
            for record in self._records(array, path, own, requested):
                names = {*requested, *self.resource.keys, *filter(None, [self.place.listed])}
                row = {name: value_at(record, name) for name in names}
                yield row | {UP + name: value for name, value in above.items()}

    def _rows_above(
        self, array: Array, query: Mapping[str, str], fields: list[str]
    ) -> Iterator[Row]:
        if not self.parent:
            yield {}
            return
        upper = {n.removeprefix(UP): text for n, text in query.items() if n.startswith(UP)}
        requested = [name.removeprefix(UP) for name in fields if name.startswith(UP)]
        yield from self.parent.rows(array, upper, requested)

    def _records(
        self, array: Array, path: str, query: Mapping[str, str], fields: list[str]
    ) -> Iterator[Record]:
        # Beyond a few names, request all fields: the length of a request line is limited.
        names = ",".join(fields) if len(fields) < 40 else "**"
        parameters = {**query, "fields": names}
        if self.resource.single:
            options = {name: text for name, text in query.items() if name in self.resource.options}
            # Where one can be created there may be none.
            absent = (NotFound,) if "POST" in self.resource.methods else ()
            with suppress(*absent):
                yield array.get(path, options | {"fields": names})
        else:
            yield from array.records(path, parameters)

    def collection_path(self, above: Row) -> str:
        """Return the collection's path below a parent; `above` are the parent's values."""
        if not self.parent:
            return self.resource.path
        rest = self.resource.path[len(self.parent.resource.path) :]
        for name, key in zip(self._placeholders, self.parent.resource.own_keys, strict=True):
            rest = rest.replace(f"{{{name}}}", quote(str(above[key]), safe=":"), 1)
        higher = {n.removeprefix(UP): value for n, value in above.items() if n.startswith(UP)}
        return self.parent.collection_path(higher) + rest

    @property
    def _placeholders(self) -> tuple[str, ...]:
        """Return the placeholders that are not in the parent's own path."""
        above = self.parent.resource.placeholders if self.parent else ()
        return self.resource.placeholders[len(above) :]

    @cached_property
    def listed(self) -> list[str]:
        """Return the fields of the list that the place shows as a table."""
        within = f"{self.place.listed}."
        return [name for name in self.leaves if self.place.listed and name.startswith(within)]

    def entries(self, row: Row) -> list[Row]:
        """Return the entries of that list in an object."""
        within = f"{self.place.listed}."
        return [
            {name: value_at(entry, name.removeprefix(within)) for name in self.listed}
            for entry in row.get(self.place.listed) or ()
        ]

    def path_of(self, row: Row) -> str:
        """Return the path of an object."""
        above = {n.removeprefix(UP): value for n, value in row.items() if n.startswith(UP)}
        keys = () if self.resource.single else self.resource.own_keys
        values = [quote(str(row[key]), safe=":") for key in keys]
        return "/".join([self.collection_path(above), *values])


def _part(word: str) -> Parameter:
    """Return the parameter for a part of a path, where the resource has no such field."""
    source = "storage/volumes" if word == "volume" else ""
    kind = "name" if source else "text"
    return Parameter(
        word, kind, f"In place of the path, with the rest of it: the {word}.", source=source
    )


def _extra(extra: Extra, *, relative: bool) -> Parameter:
    return Parameter(
        word=extra.word,
        kind=extra.kind,
        doc=extra.doc,
        required=extra.required,
        many=extra.many,
        choices=extra.choices,
        positional=extra.positional,
        relative=relative,
        make=extra.body,
    )


def value_at(record: Any, name: str) -> Any:
    """Return the value at a dotted name, a list if its path leads through one, or None."""
    first, _, rest = name.partition(".")
    if isinstance(record, list):
        values = [value_at(item, name) for item in record]
        return [value for value in values if value is not None]
    if not isinstance(record, dict) or first not in record:
        return None
    return value_at(record[first], rest) if rest else record[first]
