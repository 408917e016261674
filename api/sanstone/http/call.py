"""One request to a resource: its keys, parameters, options, body, and the rows that it addresses.

Clients vary in form: a body on DELETE, `null` for no body, options in the query string or the body,
numbers and truth values as text. Unknown parameters are refused here for all resources. The headers
`X-Dot-SVM-Name` and `X-Dot-SVM-UUID` confine a call to one SVM: objects of others do not exist for
it, and new objects belong to that SVM by default. An account of an SVM is always confined to it; of
objects that belong to no SVM it may read only those that are `shared`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn
from urllib.parse import unquote

from flask import current_app, g, request
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database import store
from sanstone.core.declaration import filters, query, values
from sanstone.core.declaration.action import Action
from sanstone.core.declaration.filters import Filter
from sanstone.core.declaration.resource import CREATE, Field, Reader, Reference, Resource
from sanstone.core.declaration.types import Uuid
from sanstone.security import accounts, confinement, roles
from sanstone.security.confinement import SVMS

CONTROL = frozenset(
    {
        "dry_run",
        "fields",
        "max_records",
        "offset",
        "order_by",
        "return_records",
        "return_timeout",
        "return_total",
        "start",
        "ignore_unknown_fields",
        "return_unmatched_nested_array_objects",
    }
)
CONFIRM_WITHIN = "confirm_within"
PLACEHOLDER = re.compile(r"{([a-z_.]+)}")
OWNERS = ("svm", "owner")
"""Names of the field that refers to an object's SVM."""


@dataclass
class Call:
    """One request to a resource. `keys` are the path's; `instance` tells one object from many.

    The keys are taken in any spelling in which a client may write their values.
    """

    resource: Resource[Any]
    keys: dict[str, str]
    instance: bool

    def __post_init__(self) -> None:
        self.keys = {
            name: filters.spelled(self.resource, name, text) for name, text in self.keys.items()
        }

    @property
    def place(self) -> str:
        """Return the path of the addressed object in its own spelling, as privileges name it."""
        if self.instance and not self.resource.single:
            return unquote(f"/api/{self.resource.place(self.keys)}")
        return "/api/" + PLACEHOLDER.sub(lambda m: self.keys[m[1]], self.resource.path)

    @cached_property
    def _body(self) -> Any:
        data = request.get_data()
        return load_json(data) if data.strip() else None

    @property
    def database(self) -> Engine:
        """Return the application's database."""
        return current_app.extensions["sanstone"]  # type: ignore[no-any-return]

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a session for reading, on behalf of the caller."""
        with store.reading(self.database) as session:
            self._confine(session)
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a session for writing, on behalf of the caller."""
        with store.writing(self.database) as session:
            self._confine(session)
            yield session

    def _confine(self, session: Session) -> None:
        """Confine the session to the caller's SVM. Raises ApiError for what that may not see."""
        accounts.act(session, g.actor)
        if not g.actor.owner_uuid:
            return
        confinement.confine(session, g.actor.owner_uuid, account=True)
        looking = request.method in roles.READING
        if self.resource.path == SVMS:
            permitted = request.method not in ("POST", "DELETE")
        else:
            acting = isinstance(self.resource, Action)
            permitted = _belongs(self.resource) or (self.resource.shared and (looking or acting))
        if not permitted:
            text = f"Accounts of an SVM may not {request.method} {self.resource.path}."
            raise errors.ApiError(403, errors.FORBIDDEN, text)

    def parameter(self, name: str, kind: Any, default: Any) -> Any:
        """Return a control parameter of the query string. Raises ApiError."""
        texts = request.args.getlist(name)
        if not texts:
            return default
        field = Field(name, kind, "", code=errors.INVALID)
        return values.checked(field, texts[-1])

    def filter_parameters(self) -> dict[str, list[str]]:
        """Return the query parameters that are neither control parameters nor options."""
        options = {option.name for option in self.resource.options}
        if self.resource.confirmable:
            options.add(CONFIRM_WITHIN)
        return {
            name: texts
            for name, texts in request.args.lists()
            if name not in CONTROL and name not in options
        }

    def options(self) -> dict[str, Any]:
        """Return the resource's options, from the query string or the body. Raises ApiError."""
        return self.divided({})[0]

    def divided(self, part: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the options for the body, or for one of its records, and its fields.

        ONTAP takes options in the query string or in the body. What a record says of itself goes
        before what the body says of all. Raises ApiError, also where query and body disagree.
        """
        declared = {option.name: option for option in self.resource.options}
        query = {name: texts[-1] for name, texts in request.args.lists() if name in declared}
        body = {} if request.method in roles.READING else values.divide(self.body(), declared)[0]
        own, fields = values.divide(part, declared)
        options = {}
        for name, option in declared.items():
            sources = [source for source in (query, body | own) if name in source]
            parsed = [values.checked(option, source[name]) for source in sources]
            if parsed and parsed[0] != parsed[-1]:
                raise values.duplicate(name)
            options[name] = parsed[-1] if parsed else option.default
        return options, fields

    def body(self) -> dict[str, Any]:
        """Return the JSON object of the body, {} when there is none. Raises ApiError."""
        if not isinstance(self._body, dict | None):
            raise errors.invalid("The body must be a JSON object.", code=errors.INVALID)
        return self._body or {}

    def prepared(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a POST's values that are computed before its transaction. Raises ApiError."""
        if not self.resource.prepares:
            return {}
        with self.reading() as session:
            parsed = values.parse(
                session, self.resource.fields, body, CREATE, self.implied(session)
            )
            return self.resource.prepare(session, parsed | self.keys)

    def implied(self, session: Session) -> dict[str, Any]:
        """Return the values that the path and the headers imply. Raises ApiError."""
        values_by_name: dict[str, Any] = {}
        named = _svm_named()
        for name in OWNERS:
            node = self.resource.node(name)
            if isinstance(node, Reference) and named:
                values_by_name[name] = node.find(session, named, {})
                confinement.confine(session, values_by_name[name].uuid)
        for key in PLACEHOLDER.findall(self.resource.path):
            name, _, attribute = key.rpartition(".")
            node = self.resource.node(name)
            if isinstance(node, Reference):
                try:
                    values_by_name[name] = node.find(session, {attribute: self.keys[key]}, {})
                except errors.ApiError as error:
                    raise errors.unknown(f'{name} "{self.keys[key]}"') from error
            elif isinstance(self.resource.node(key), Field):
                values_by_name[key] = self.keys[key]
        return values_by_name

    def filters(self) -> list[Filter]:
        """Return the conditions that path, headers and query put on rows. Raises ApiError."""
        leaf_names = {leaf for node in self.resource.fields for leaf in node.leaves}
        prefixes = ("",) if self.resource.path == SVMS else tuple(f"{name}." for name in OWNERS)
        confined = {prefix + key: text for prefix in prefixes for key, text in _svm_named().items()}
        applicable = {name: text for name, text in confined.items() if name in leaf_names}
        # As on ONTAP, where `*` queries all fabrics for a switch or zone.
        keys = {name: text for name, text in self.keys.items() if self.instance or text != "*"}
        return [
            *filters.exactly(self.resource, keys),
            *filters.exactly(self.resource, applicable),
            *filters.parse(self.resource, self.filter_parameters()),
        ]

    def rows(self, reader: Reader, keys: Mapping[str, str] | None = None) -> list[Any]:
        """Return the rows that the request addresses, or of these the one with `keys`.

        Raises ApiError: 404 when one object is addressed and does not exist.
        """
        self.implied(reader.session)
        conditions = self.filters() + filters.exactly(self.resource, keys or {})
        rows = query.match_all(self.resource, reader, conditions)
        if not rows and (self.instance or keys is not None):
            named = "/".join((keys or self.keys).values())
            code = errors.UNKNOWN if request.method == "GET" else self.resource.unknown_code
            raise errors.unknown(f'"{named}"' if named else self.resource.path, code=code)
        return rows

    def refuse_filters(self) -> None:
        """Raise ApiError for a query parameter where nothing is queried."""
        for name in self.filter_parameters():
            raise errors.unexpected(name)


def _svm_named() -> dict[str, str]:
    """Return the name, the UUID or both of the SVM that a call is confined to. Raises ApiError."""
    named = {key: request.headers.get(f"X-Dot-SVM-{key}", "") for key in ("name", "uuid")}
    named = {key: text for key, text in named.items() if text}
    if "uuid" in named:
        named["uuid"] = Uuid().spelled(named["uuid"])
    own = g.actor.owner_uuid
    if own and named.get("uuid", own) != own:
        raise errors.unknown_reference(f'SVM "{named["uuid"]}"', "svm", "2621462")
    return named | {"uuid": own} if own else named


def _belongs(resource: Resource[Any]) -> bool:
    """Return whether each object of a resource belongs to an SVM, or to an object that does."""
    above = (key.rpartition(".")[0] for key in PLACEHOLDER.findall(resource.path))
    return any(isinstance(resource.node(name), Reference) for name in (*OWNERS, *above))


def load_json(data: bytes) -> Any:
    """Parse JSON strictly, with no NaN and no repeated name. Raises ApiError."""
    try:
        return json.loads(data, object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        text = f"The body is not valid JSON: {error}."
        raise errors.invalid(text, code=errors.INVALID) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise errors.invalid(f'Field "{name}" is given twice.', name, errors.GIVEN_TWICE)
        members[name] = value
    return members


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")
