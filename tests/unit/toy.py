"""A small world of resources on tables of its own, so that core and http are tested by themselves.

Shelves belong to an SVM and hold boxes; a shelf has every kind of field that a declaration can
have. SQLAlchemy knows the tables as it does all others, but `Base.metadata` does not: the product's
schema, which migrations are compared with, does not contain them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ForeignKey, MetaData
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core import errors
from sanstone.core.database.change import COUNTER, Change, Owned, Removal
from sanstone.core.database.store import Base, Identified, Secret
from sanstone.core.declaration.resource import (
    CREATE,
    MODIFY,
    WRITE,
    Field,
    Items,
    Reader,
    Reference,
    References,
    Resource,
    constant,
)
from sanstone.core.declaration.types import (
    Boolean,
    Choice,
    Integer,
    Netmask,
    Password,
    Size,
    Strings,
    Text,
    Timestamp,
    Type,
    Uuid,
)

NODE = "10000000-0000-4000-8000-000000000000"
"""The node that the tests of toys are on."""


class ToyBase(Base):
    """Base of the toy tables."""

    __abstract__ = True
    metadata = MetaData(naming_convention=Base.metadata.naming_convention)


class ToySvm(Owned, Identified, ToyBase):
    """Owner of shelves; `counter` hands out numbers."""

    __tablename__ = "toy_svm"
    kind = "svm/svms"

    name: Mapped[str] = mapped_column(unique=True)
    counter: Mapped[int] = mapped_column(default=1, info={COUNTER: 1})


class Shelf(Owned, Identified, ToyBase):
    """A shelf."""

    __tablename__ = "toy_shelf"
    kind = "toys/shelves"

    name: Mapped[str] = mapped_column(unique=True)
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("toy_svm.uuid"))
    size: Mapped[int] = mapped_column(default=0)
    enabled: Mapped[bool] = mapped_column(default=True)
    color: Mapped[str] = mapped_column(default="red")
    comment: Mapped[str | None]
    create_time: Mapped[float] = mapped_column(default=time.time)  # noqa: TID251 - as the product does
    mask: Mapped[int] = mapped_column(default=24)
    password: Mapped[str | None] = mapped_column(Secret)
    notes: Mapped[dict[str, Any]] = mapped_column(default=dict)
    svm: Mapped[ToySvm] = relationship()
    boxes: Mapped[list[Box]] = relationship(order_by="Box.name", back_populates="shelf")
    tall: Mapped[bool] = mapped_column(default=False)

    def leftover(self) -> Removal:
        """Return the removal of the wood."""
        return Removal(kind="thin", owner=self.owner, data={"shelf": self.uuid})


class Box(ToyBase):
    """A box on a shelf, known by its name there."""

    __tablename__ = "toy_box"

    shelf_uuid: Mapped[str] = mapped_column(ForeignKey("toy_shelf.uuid"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(default=0)
    shelf: Mapped[Shelf] = relationship(back_populates="boxes")


class SvmResource(Resource[ToySvm]):
    """Owners; they change asynchronously, as ONTAP's SVMs do."""

    path = "svm/svms"
    doc = "Owners."
    model = ToySvm
    asynchronous = True
    fields = (
        Field("uuid", Uuid(), "Identity."),
        Field("name", Text(47, 1, "[a-z0-9_-]+"), "Name.", access=WRITE, required=True),
    )

    def create(self, change: Change, values: dict[str, Any]) -> ToySvm:
        """Add an owner."""
        svm = ToySvm(name=values["name"])
        change.add(svm)
        return svm

    def update(self, change: Change, row: ToySvm, values: dict[str, Any]) -> None:
        """Rename an owner, without a look at other names."""
        row.name = values.get("name", row.name)

    def delete(self, change: Change, row: ToySvm, options: dict[str, Any]) -> None:
        """Delete an owner, without a look at what it owns."""
        change.delete(row)


BOX_FIELDS = (
    Field("name", Text(20, 1, "[a-z0-9.:]+"), "Name.", access=CREATE, required=True),
    Field("number", Integer(0, 9), "Number.", access=WRITE, default=3),
)


class ShelfResource(Resource[Shelf]):
    """Shelves, with one field of every kind."""

    path = "toys/shelves"
    doc = "Shelves."
    model = Shelf
    options = (Field("force", Boolean(), "Delete its content.", default=False),)
    fields = (
        Field("uuid", Uuid(), "Identity."),
        Field("name", Text(20, 1, "[a-z0-9_.-]+"), "Name.", access=WRITE, required=True),
        Reference("svm", ToySvm, "Owner.", access=CREATE, required=True, unknown_code="2621462"),
        Field("space.size", Size(0, 10**15), "Size.", access=WRITE, default=0, attribute="size"),
        Field(
            "space.used",
            Size(),
            "Seen.",
            get=lambda row, reader: reader.seen(row.kind, row.key).get("used"),
        ),
        Field("space.depth.left", Integer(), "Deep.", get=constant(7)),
        Field("space.depth.right", Integer(), "Deep.", get=constant(8), costly=True),
        Field("enabled", Boolean(), "On or off.", access=WRITE, default=True),
        Field("color", Choice("red", "green"), "Color.", access=WRITE, default="red", code="777"),
        Field("comment", Text(2000), "Comment.", access=WRITE),
        Field("create_time", Timestamp(), "When."),
        Field("ip.netmask", Netmask(), "Mask.", access=WRITE, attribute="mask", default=24),
        Field("chap.password", Password(), "Hidden.", WRITE, secret=True, attribute="password"),
        Field("policy.name", Text(9), "Policy.", CREATE, get=constant("default"), always=True),
        Field("tall", Boolean(), "Tall.", access=MODIFY),
        Field("words", Strings(), "Words.", get=constant(["one", "two"])),
        Field("slow", Text(), "Costly.", get=constant("found at last"), costly=True),
        Field("fault", Text(), "Trouble.", get=lambda row, r: r.fault(row.kind, row.key) or None),
        Items("boxes", BOX_FIELDS, "Boxes.", access=CREATE, maximum=4),
        References("friends", ToySvm, "Friends.", access=WRITE, get=constant(()), maximum=3),
        Reference("twin", Shelf, "Another.", CREATE, get=constant(None), scope=("svm",)),
    )

    def create(self, change: Change, values: dict[str, Any]) -> Shelf:
        """Add a shelf with its boxes; the database alone sees to unique names."""
        values["svm"].counter += 1
        shelf = Shelf(
            name=values["name"],
            svm_uuid=values["svm"].uuid,
            size=values["space.size"],
            enabled=values["enabled"],
            color=values["color"],
            comment=values.get("comment"),
            mask=values["ip.netmask"],
            password=values.get("chap.password"),
        )
        change.add(shelf)
        for box in values.get("boxes", ()):
            change.add(Box(shelf_uuid=shelf.uuid, **box))
        return shelf

    def update(self, change: Change, row: Shelf, values: dict[str, Any]) -> None:
        """Change the given fields; the caller flushes."""
        columns = {"space.size": "size", "ip.netmask": "mask", "chap.password": "password"}
        for name in ("name", "enabled", "color", "comment", "tall", *columns):
            if name in values:
                setattr(row, columns.get(name, name), values[name])

    def delete(self, change: Change, row: Shelf, options: dict[str, Any]) -> None:
        """Delete a shelf, with its boxes only by force."""
        if row.boxes and not options["force"]:
            raise errors.conflict(f'Shelf "{row.name}" holds boxes.', "force")
        for box in list(row.boxes):
            change.delete(box)
        change.remove("thin", row.owner, shelf=row.uuid)
        change.delete(row)


class BoxResource(Resource[Box]):
    """Boxes, whose path goes through their shelf."""

    path = "toys/shelves/{shelf.uuid}/boxes"
    doc = "Boxes of a shelf."
    model = Box
    keys = ("shelf.uuid", "name")
    order = ("shelf_uuid", "name")
    fields = (Reference("shelf", Shelf, "The shelf."), *BOX_FIELDS)

    def create(self, change: Change, values: dict[str, Any]) -> Box:
        """Put a box on the shelf."""
        box = Box(shelf_uuid=values["shelf"].uuid, name=values["name"], number=values["number"])
        change.add(box)
        return box

    def update(self, change: Change, row: Box, values: dict[str, Any]) -> None:
        """Renumber a box."""
        row.number = values.get("number", row.number)

    def delete(self, change: Change, row: Box, options: dict[str, Any]) -> None:
        """Take a box away."""
        change.delete(row)


class EveryBoxResource(Resource[Box]):
    """All boxes: their own path has two keys, and their shelf has one field more."""

    path = "toys/every-box"
    doc = "Boxes of all shelves."
    model = Box
    keys = ("shelf.uuid", "name")
    order = ("shelf_uuid", "name")
    methods = frozenset({"GET", "PATCH"})
    fields = (
        Field("shelf.color", Text(), "Color of the shelf.", get=lambda row, _: row.shelf.color),
        Reference("shelf", Shelf, "The shelf."),
        *BOX_FIELDS,
    )

    def update(self, change: Change, row: Box, values: dict[str, Any]) -> None:
        """Renumber a box."""
        row.number = values.get("number", row.number)


class RoomResource(Resource[ToySvm]):
    """The room: one object without a key."""

    path = "toys/room"
    doc = "The room."
    model = ToySvm
    single = True
    keys = ()
    methods = frozenset({"GET", "PATCH"})
    fields = (Field("name", Text(20), "Name.", access=MODIFY),)

    def update(self, change: Change, row: ToySvm, values: dict[str, Any]) -> None:
        """Rename the room."""
        row.name = values.get("name", row.name)


class Number(Type):
    """A number, or `none`, which is 0."""

    schema = {"type": ["string", "integer"]}

    def format(self, value: Any) -> Any:
        return value or "none"


class Planet:
    """Something that is in no table."""

    def __init__(self, name: str, moons: int) -> None:
        self.name = name
        self.moons = moons


class PlanetResource(Resource[Planet]):
    """Planets: rows that are computed, and can only be looked at."""

    path = "toys/planets"
    doc = "Planets."
    model = ToySvm
    keys = ("name",)
    order = ("name",)
    methods = frozenset({"GET"})
    fields = (
        Field("name", Text(), "Name."),
        Field("moons", Integer(), "Moons."),
        Field("moons_or_none", Number(), "Moons, or none.", get=lambda planet, _: planet.moons),
    )

    def rows(self, reader: Reader) -> Sequence[Planet]:
        """Return four of them, in no order."""
        return [Planet(n, m) for n, m in (("mars", 2), ("earth", 1), ("venus", 0), ("pluto", 5))]


RESOURCES = (
    SvmResource(),
    ShelfResource(),
    BoxResource(),
    EveryBoxResource(),
    RoomResource(),
    PlanetResource(),
)
