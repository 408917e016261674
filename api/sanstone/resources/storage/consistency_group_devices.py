"""The LUNs and namespaces of a consistency group: those in its volumes, and new ones.

A request to a group may make LUNs and namespaces in its volumes, and map them at once to igroups
and subsystems that exist. An existing one is changed by its own resource: its entry may only repeat
its present state, as that of a client that sends back an answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Items, Node, Reader, constant
from sanstone.core.declaration.types import Choice
from sanstone.core.declaration.values import parse
from sanstone.model.svm import Svm
from sanstone.model.volumes import ConsistencyGroup
from sanstone.resources.nvme import subsystem_map
from sanstone.resources.nvme.subsystem_map import SubsystemMapResource
from sanstone.resources.san.lun_map import LunMapResource
from sanstone.resources.storage.lun import LunResource
from sanstone.resources.storage.namespace import NamespaceResource
from sanstone.resources.storage.thin_device_fields import rounded
from sanstone.resources.storage.thin_device_resource import ThinDeviceResource

ONLY_OF_NEW = "53411856"
ACTION, MAKE = "provisioning_options.action", "create"
SIZE, OS_TYPE, COMMENT = "space.size", "os_type", "comment"
Entry = Mapping[str, Any]
_OF_NEW = "to be given of a new one."


def _declared(nodes: Iterable[Node], name: str) -> Any:
    """Return a field as another resource declares it."""
    return next(node for node in nodes if node.name == name)


def _settable(nodes: Iterable[Node], name: str, **differing: Any) -> Any:
    """Return such a field, to be set here."""
    return replace(_declared(nodes, name), access=WRITE, **differing)


class Devices(ABC):
    """The LUNs or the namespaces of a group; `own` are fields that only this kind has."""

    name: ClassVar[str]
    noun: ClassVar[str]
    nouns: ClassVar[str]
    resource: ClassVar[ThinDeviceResource[Any]]
    own: ClassVar[tuple[str, ...]] = ()
    mapped: ClassVar[Any]
    """The field of an entry that says where the device is mapped."""

    @abstractmethod
    def map(self, change: Change, device: Any, mapping: Any) -> None:
        """Map a new device as an entry says. Raises ApiError."""

    @abstractmethod
    def is_mapped(self, device: Any, mapping: Any) -> bool:
        """Return whether a device has the maps of an entry."""

    @property
    def field(self) -> Items:
        """Return the declaration of the list."""
        declared = self.resource.fields
        return Items(
            self.name,
            (
                _settable(declared, "name", doc="Path, /vol/<volume>/<name>.", required=True),
                _declared(declared, "uuid"),
                _settable(declared, SIZE, doc=f"Size in bytes, rounded up to 4 KiB; {_OF_NEW}"),
                _settable(declared, OS_TYPE, doc=f"Operating system of the hosts; {_OF_NEW}"),
                *(_settable(declared, name) for name in self.own),
                _settable(declared, COMMENT, doc="Comment."),
                self.mapped,
                Field(
                    ACTION,
                    Choice(MAKE),
                    "Give create to have it refused if it exists already.",
                    access=WRITE,
                    get=constant(None),
                ),
            ),
            f"The {self.nouns} in its volumes. New ones are created; existing ones are changed and "
            "deleted by themselves.",
            access=WRITE,
            get=lambda group, _: self.of(group),
            costly=True,
        )

    def of(self, group: ConsistencyGroup) -> Iterator[Any]:
        """Yield those in the volumes of a group."""
        for volume in group.volumes:
            yield from getattr(volume, self.name)

    def make(self, change: Change, svm: Svm, entry: Entry) -> None:
        """Make the device of an entry and map it, unless it exists as that says."""
        model: Any = self.resource.model
        known = select(model).filter_by(svm_uuid=svm.uuid, name=entry["name"])
        device = change.session.scalar(known)
        if device is None:
            self._add(change, svm, entry)
        elif ACTION in entry:
            text = f'{self.noun} "{device.name}" already exists.'
            raise errors.conflict(text, f"{self.name}.name", self.resource.codes.taken)
        elif differing := self._differing(device, entry, Reader(change.session)):
            text = f'{self.noun} "{device.name}" exists; change it by itself.'
            raise errors.invalid(text, f"{self.name}.{differing}", ONLY_OF_NEW)

    def _add(self, change: Change, svm: Svm, entry: Entry) -> None:
        for name in (SIZE, OS_TYPE):
            if name not in entry:
                raise errors.missing(f"{self.name}.{name}", self.resource.codes.required)
        body = {n: value for n, value in entry.items() if n not in (ACTION, self.mapped.name)}
        parsed = parse(change.session, self.resource.fields, body, CREATE, {"svm": svm})
        device = self.resource.create(change, parsed)
        if mapping := entry.get(self.mapped.name):
            self.map(change, device, mapping)

    def _differing(self, device: Any, entry: Entry, reader: Reader) -> str:
        """Return the first field of an entry that a device has otherwise, '' for none."""
        entry_values = {
            name: entry[name] for name in (OS_TYPE, *self.own, COMMENT) if name in entry
        }
        if SIZE in entry:
            entry_values[SIZE] = rounded(entry[SIZE])
        for name, value in entry_values.items():
            node: Any = self.resource.node(name)
            if node.read(device, reader) != value:
                return name
        where: str = self.mapped.name
        return where if where in entry and not self.is_mapped(device, entry[where]) else ""


class Luns(Devices):
    """The LUNs of a group."""

    name, noun, nouns = "luns", "LUN", "LUNs"
    resource = LunResource()
    mapped = _settable(
        LunResource.fields,
        "lun_maps",
        doc="The igroups that see it; they exist already.",
        fields=(
            _settable(LunMapResource.fields, "igroup", always=False),
            _settable(LunMapResource.fields, "logical_unit_number", always=False),
        ),
    )

    def map(self, change: Change, device: Any, mapping: Any) -> None:
        """Map a LUN to each igroup that is given."""
        for each in mapping:
            LunMapResource().create(change, {"lun": device, **each})

    def is_mapped(self, device: Any, mapping: Any) -> bool:
        """Return whether each igroup that is given sees the LUN, under the number given."""
        numbers = {each.igroup_uuid: each.logical_unit_number for each in device.maps}
        maps = ((each["igroup"].uuid, each.get("logical_unit_number")) for each in mapping)
        return all(
            igroup in numbers and number in (None, numbers[igroup]) for igroup, number in maps
        )


class Namespaces(Devices):
    """The namespaces of a group."""

    name, noun, nouns = "namespaces", "Namespace", "namespaces"
    resource = NamespaceResource()
    own = ("space.block_size",)
    mapped = _settable(
        NamespaceResource.fields,
        "subsystem_map.subsystem",
        doc="The subsystem that it is mapped to; it exists already.",
        scope=("svm",),
        unknown_code=subsystem_map.UNKNOWN_SUBSYSTEM,
    )

    def map(self, change: Change, device: Any, mapping: Any) -> None:
        """Map a namespace to the subsystem that is given."""
        SubsystemMapResource().create(change, {"namespace": device, "subsystem": mapping})

    def is_mapped(self, device: Any, mapping: Any) -> bool:
        """Return whether the namespace is in the subsystem that is given."""
        return device.map is not None and device.map.subsystem_uuid == mapping.uuid


KINDS: tuple[Devices, ...] = (Luns(), Namespaces())


def _entries(values: Mapping[str, Any]) -> Iterator[tuple[Devices, Entry]]:
    for kind in KINDS:
        for entry in values.get(kind.name, ()):
            yield kind, entry


def sizes(values: Mapping[str, Any]) -> dict[str, int]:
    """Return the bytes that a request gives its LUNs and namespaces, by the volume's name."""
    by_volume: dict[str, int] = {}
    for _, entry in _entries(values):
        volume = entry["name"].split("/")[2]
        by_volume[volume] = by_volume.get(volume, 0) + rounded(entry.get(SIZE, 0))
    return by_volume


def make(change: Change, svm: Svm, values: Mapping[str, Any]) -> None:
    """Make the LUNs and namespaces of a request, in volumes that exist. Raises ApiError."""
    for kind, entry in _entries(values):
        kind.make(change, svm, entry)
