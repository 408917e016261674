"""How a resource is declared.

A resource is one class in `resources/`: a path, a table, its fields, and what creating, changing
and deleting do. Everything else is derived from it: routes, the query language, the OpenAPI
description, the contract tests. Example:

    class VolumeResource(Resource[Volume]):
        path = "storage/volumes"
        model = Volume
        fields = (
            Field("uuid", Uuid(), "Identity of the volume."),
            Field("name", VolumeName(), "Name within the SVM.", access=WRITE, required=True),
            Reference("svm", Svm, "The SVM that owns the volume.", access=CREATE, required=True),
            Field("size", Size(), "Size in bytes.", access=WRITE, required=True),
        )
        def create(self, change, values): ...

Rules: a field is read-only unless its `access` says more; a value reaches a hook only after its
type has parsed it and every reference is resolved; a hook raises ApiError before it writes
anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from functools import cached_property, partial
from typing import Any, ClassVar, Generic, TypeVar
from urllib.parse import quote

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change, Owned
from sanstone.core.database.look_up import LookUp
from sanstone.core.database.store import Base
from sanstone.core.declaration import visibility
from sanstone.core.declaration.types import Type, Uuid
from sanstone.core.observed import Seen, load


class Access(Flag):
    """The requests that may set a field: none, POST, PATCH, or both."""

    READ = 0
    CREATE = auto()
    MODIFY = auto()


READ, CREATE, MODIFY = Access.READ, Access.CREATE, Access.MODIFY
WRITE = CREATE | MODIFY
_UUID = Uuid()


Model = TypeVar("Model", bound=Base)
Value = TypeVar("Value")


@dataclass
class Reader:
    """The sources of fields' values: the session and, loaded once, the observations.

    `keys` are those of the request's path and `options` its other parameters, for rows that are
    computed. `expected` are the keys, by kind, of the rows that are about to be shown.
    """

    session: Session
    keys: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    expected: dict[str, list[str]] = field(default_factory=dict)
    _observed: LookUp[str, Seen] = field(init=False, repr=False)
    _rows: LookUp[type[Any], Any] = field(init=False, repr=False)
    _computed: dict[Callable[[Session], Any], Any] = field(default_factory=dict)
    _last: Any = field(default=None, init=False, repr=False)
    _of_last: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self._observed = LookUp(partial(load, self.session))
        self._rows = LookUp(self._rows_of)

    def row(self, model: type[Model], uuid: str) -> Model | None:
        """Return a row of a table by its UUID, or None.

        The second call for a table loads all of it, so it must be a small one.
        """
        row: Model | None = self._rows.get(model, uuid)
        return row

    def once(self, compute: Callable[[Session], Value]) -> Value:
        """Return a function's result, computed on the first call and kept for all rows."""
        if compute not in self._computed:
            self._computed[compute] = compute(self.session)
        value: Value = self._computed[compute]
        return value

    def once_a_row(self, row: Any, compute: Callable[[Any, Reader], Value]) -> Value:
        """Return a function's result for a row, kept until the next row.

        It is for fields that have their values in common, since a row is shown field by field.
        """
        if row is not self._last:
            self._last, self._of_last = row, {}
        if compute not in self._of_last:
            self._of_last[compute] = compute(row, self)
        value: Value = self._of_last[compute]
        return value

    def _rows_of(self, model: type[Any], uuids: Sequence[str] | None) -> dict[str, Any]:
        statement = select(model)
        if uuids is not None:
            statement = statement.where(model.uuid.in_(uuids))
        return {row.uuid: row for row in self.session.scalars(statement)}

    def expect(self, rows: Sequence[Any]) -> None:
        """Announce rows to be shown, so that their facts are loaded together."""
        self.expected = {}
        for row in rows:
            if isinstance(row, Owned):
                self.expected.setdefault(row.kind, []).append(row.key)
        for kind, keys in self.expected.items():
            self._observed.expect(kind, keys)

    def observed(self, kind: str) -> Mapping[str, Seen]:
        """Return the observed rows of a kind by key."""
        return self._observed.all(kind)

    def seen(self, kind: str, key: str) -> dict[str, Any]:
        """Return the observed data of one object, {} when it was never seen."""
        row = self._observed.get(kind, key)
        return row.data if row else {}

    def fault(self, kind: str, key: str) -> str:
        """Return why one object is not as desired, '' when it is."""
        row = self._observed.get(kind, key)
        return row.error if row else ""


Getter = Callable[[Any, Reader], Any]


class _Named:
    """Facts derived from a node's declaration; computed once, since each request or row needs them.

    `leaves` are the dotted names under which a node's values are filtered and shown.
    """

    name: str
    attribute: str

    @cached_property
    def column(self) -> str:
        """Return the name of the row's attribute."""
        return self.attribute or self.name.replace(".", "_")

    @cached_property
    def place(self) -> tuple[tuple[str, ...], str]:
        """Return the names of the objects that JSON nests it in, and the last part of its own."""
        *parents, last = self.name.split(".")
        return tuple(parents), last


@dataclass(frozen=True)
class Field(_Named):
    """One value of a resource. `name` is dotted as in ONTAP's REST API.

    `attribute` is the row's attribute (the name with underscores when empty), `get` computes the
    value instead. A `costly` field is shown only on request by name or with `**`; a `secret` one
    never. `always` shows the field even where a collection's default fields are few. `code` is
    ONTAP's error code for a value that the type refuses, or a function that derives it from the raw
    value; `missing_code` is the one for a required field that is absent. `also` yields other texts
    that a client may ask for in place of the value, as it may send them.
    """

    name: str
    type: Type
    doc: str
    access: Access = READ
    required: bool = False
    default: Any = None
    attribute: str = ""
    get: Getter | None = None
    costly: bool = False
    secret: bool = False
    always: bool = False
    code: str | Callable[[Any], str] = errors.BAD_VALUE
    missing_code: str = errors.INVALID
    also: Getter | None = None

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """A secret has none: it is not shown, and filters cannot be used to guess it."""
        return () if self.secret else (self.name,)

    @cached_property
    def read(self) -> Getter:
        """Return the getter of a row's value as JSON shows it, which yields None for no value."""
        get, shown = self.get or self._get_column, self.type.format
        if isinstance(get, Constant):
            value = None if get.value is None else shown(get.value)
            return lambda _row, _reader: value
        if self.as_stored:
            return get

        def read(row: Any, reader: Reader) -> Any:
            value = get(row, reader)
            return None if value is None else shown(value)

        return read

    def _get_column(self, row: Any, _reader: Reader) -> Any:
        return getattr(row, self.column)

    @cached_property
    def as_stored(self) -> bool:
        """Return whether JSON shows a value exactly as the row holds it."""
        return type(self.type).format is Type.format


@dataclass(frozen=True)
class Reference(_Named):
    """Another object, referred to by name, UUID, or a bare name; shown as {name, uuid}.

    `scope` lists references of the same request that narrow the search by name, such as the SVM.
    `none` are names that mean no object; where there are any, `null` does too. The value is None.
    """

    name: str
    to: type[Base]
    doc: str
    access: Access = READ
    required: bool = False
    attribute: str = ""
    get: Getter | None = None
    scope: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    costly: bool = False
    always: bool = False
    unknown_code: str = errors.UNKNOWN
    mismatch_code: str = "2621706"
    missing_code: str = errors.INVALID

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """Another object is known by its name and by its UUID."""
        return (f"{self.name}.name", f"{self.name}.uuid")

    def target(self, row: Any, reader: Reader) -> Any:
        """Return the row that is referred to, or None."""
        return self.get(row, reader) if self.get else getattr(row, self.column)

    def find(self, session: Session, identity: dict[str, str], values: dict[str, Any]) -> Any:
        """Return the row that `identity` (name, uuid or both) refers to. Raises ApiError."""
        model: Any = self.to
        query = select(model)
        for key, text in identity.items():
            shown = _UUID.spelled(text) if key == "uuid" else text
            query = query.where(getattr(model, key) == shown)
        if "uuid" not in identity:
            for name in self.scope:
                if values.get(name) is not None:
                    query = query.where(getattr(model, f"{name}_uuid") == values[name].uuid)
        query = visibility.visible(session, model, query)
        rows = list(session.scalars(query.limit(2)))
        if len(rows) == 1:
            return rows[0]
        shown = " ".join(f'"{text}"' for text in identity.values())
        if rows:
            raise errors.invalid(f"{self.name} {shown} is not unique; give its UUID.", self.name)
        by_uuid = select(model).where(model.uuid == _UUID.spelled(identity.get("uuid", "")))
        if len(identity) == 2 and session.scalar(visibility.visible(session, model, by_uuid)):
            text = f"The name and UUID given for {self.name} do not belong together."
            raise errors.invalid(text, self.name, self.mismatch_code)
        # Clients know ONTAP's sentence, and that there is nothing to delete in such an SVM.
        called = "SVM" if self.name == "svm" else self.name
        raise errors.unknown_reference(f"{called} {shown}", self.name, self.unknown_code)


@dataclass(frozen=True)
class Items(_Named):
    """A list of small objects, such as the initiators of an igroup; these may hold such lists.

    `fields` describe one item; `bare` is the field that a bare text is taken for. An empty list is
    left out, as ONTAP does, unless it is `shown_empty`.
    """

    name: str
    fields: tuple[Field | Reference | Items, ...]
    doc: str
    access: Access = READ
    required: bool = False
    attribute: str = ""
    get: Getter | None = None
    bare: str = "name"
    shown_empty: bool = False
    costly: bool = False
    always: bool = False
    maximum: int = 1024

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """Those of an item, each behind the list's name."""
        return tuple(f"{self.name}.{leaf}" for child in self.fields for leaf in child.leaves)

    def rows(self, row: Any, reader: Reader) -> Iterable[Any]:
        """Return the rows of the items."""
        if self.get:
            return self.get(row, reader) or ()
        return getattr(row, self.column) or ()


@dataclass(frozen=True)
class References(_Named):
    """A list of other objects, each set and shown like a `Reference`."""

    name: str
    to: type[Base]
    doc: str
    access: Access = READ
    required: bool = False
    attribute: str = ""
    get: Getter | None = None
    scope: tuple[str, ...] = ()
    costly: bool = False
    always: bool = False
    unknown_code: str = errors.UNKNOWN
    maximum: int = 1024

    @property
    def leaves(self) -> tuple[str, ...]:
        """Those of one entry."""
        return self.one.leaves

    @cached_property
    def one(self) -> Reference:
        """Return the declaration of one entry."""
        return Reference(
            self.name, self.to, self.doc, scope=self.scope, unknown_code=self.unknown_code
        )

    def targets(self, row: Any, reader: Reader) -> Iterable[Any]:
        """Return the rows that are referred to."""
        if self.get:
            return self.get(row, reader) or ()
        return getattr(row, self.column) or ()


Node = Field | Reference | Items | References
Row = TypeVar("Row")


class Resource(Generic[Row]):
    """Base of all resources; see the module's text.

    `unknown_code` is ONTAP's for changing or deleting an object that does not exist; GET always
    answers 4. Accounts of SVMs do not see objects that belong to no SVM, unless it is `shared`:
    those they may read. `slashed` are keys with values that may contain slashes, `spaced` those
    that may contain blanks and no plus sign: clients that encode a path like a form send a blank as
    one. With `prepares`, `prepare` runs before the transaction of a POST, for which all other
    writers wait. `refusal` explains why other `methods` are impossible, where a client may try
    them. `etag` is the attribute that tells whether a `single` object shows something else: GET has
    it as its ETag, and answers 304 to who knows it. `searched` are the fields in which the search
    over all resources looks, the object's name first; SQLite must know them (see `expressions`).
    `answer` are fields that the answer to a POST has besides, and no other: values that the array
    generates and shows once (`Change.tell`). Changes of a `confirmable` one may be conditional on a
    confirmation (see `confirmations`): they destroy nothing.
    """

    path: ClassVar[str]
    doc: ClassVar[str]
    model: ClassVar[type[Base]]
    fields: ClassVar[tuple[Node, ...]]
    keys: ClassVar[tuple[str, ...]] = ("uuid",)
    order: ClassVar[tuple[str, ...]] = ("name", "uuid")
    methods: ClassVar[frozenset[str]] = frozenset({"GET", "POST", "PATCH", "DELETE"})
    asynchronous: ClassVar[bool] = False
    single: ClassVar[bool] = False
    shared: ClassVar[bool] = False
    slashed: ClassVar[frozenset[str]] = frozenset()
    spaced: ClassVar[frozenset[str]] = frozenset()
    prepares: ClassVar[bool] = False
    refusal: ClassVar[str] = ""
    etag: ClassVar[str] = ""
    options: ClassVar[tuple[Field, ...]] = ()
    unknown_code: ClassVar[str] = errors.UNKNOWN
    searched: ClassVar[tuple[str, ...]] = ()
    answer: ClassVar[tuple[Field, ...]] = ()
    confirmable: ClassVar[bool] = False

    def place(self, keys: Mapping[str, str]) -> str:
        """Return the path, below `/api/`, of the object with these keys."""
        path = self.path
        for key in self.keys:
            text, placeholder = quote(keys[key], safe=":"), f"{{{key}}}"
            path = path.replace(placeholder, text) if placeholder in path else f"{path}/{text}"
        return path

    def stands_for(self, row: Row) -> str:
        """Return the path, below `/api/`, of the object of another resource that a row is about.

        '' where a row is an object of this resource, as it mostly is.
        """
        return ""

    def select(self) -> Select[Any]:
        """Return the statement for the rows, which loads what they need to be shown."""
        return select(self.model)

    def rows(self, reader: Reader) -> Sequence[Any] | None:
        """Return the rows of a resource that is computed; None means use `select`."""
        return self.instead(reader)

    def instead(self, reader: Reader) -> Sequence[Any] | None:
        """Return the rows that `reader.options` select in place of the table's, if they do."""
        return None

    def simulated(self, row: Row, reader: Reader) -> Any:
        """Return a row to show as a simulated change would leave it."""
        return row

    def beside(
        self, reader: Reader, rows: Sequence[Any], conditions: Mapping[str, str]
    ) -> dict[str, Any]:
        """Return the fields of an answer beside its records; `conditions` are the query's."""
        return {}

    def node(self, name: str) -> Node | None:
        """Return the declared node of exactly this name."""
        return next((node for node in self.fields if node.name == name), None)

    def prepare(self, session: Session, values: dict[str, Any]) -> dict[str, Any]:
        """Return further values for a POST, which take long to compute. Raises ApiError."""
        return {}

    def create(self, change: Change, values: dict[str, Any]) -> Row:
        """Add a row. `values` has parsed values by field name, references as rows."""
        raise errors.ApiError(405, errors.NO_ENDPOINT, f"{self.path} cannot be created.")

    def update(self, change: Change, row: Row, values: dict[str, Any]) -> None:
        """Set values of a row."""
        raise errors.ApiError(405, errors.NO_ENDPOINT, f"{self.path} cannot be changed.")

    def delete(self, change: Change, row: Row, options: dict[str, Any]) -> None:
        """Delete a row and what belongs to it."""
        raise errors.ApiError(405, errors.NO_ENDPOINT, f"{self.path} cannot be deleted.")


def seen(key: str) -> Getter:
    """Return a getter for a resource with observations as rows: `data[key]`, None if absent."""
    return lambda row, _reader: row.data.get(key)


@dataclass(frozen=True, eq=False)
class Constant:
    """A getter of a constant, which the API's description can show."""

    value: Any

    def __call__(self, _row: Any, _reader: Reader) -> Any:
        """Return the value."""
        return self.value


def constant(value: Any) -> Constant:
    """Return a getter for a field that is the same on every Sanstone array; None shows none."""
    return Constant(value)
