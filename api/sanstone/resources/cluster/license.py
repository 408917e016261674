"""`cluster/licensing/licenses`: what the array does, in the names of ONTAP's licences.

Everything is included, so that there is no key to add and none to remove. Programs ask here whether
clones, restored snapshots or a protocol may be used. What the array has not is not listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from sanstone.core.declaration.resource import Field, Items, Reader, Resource, constant
from sanstone.core.declaration.types import Boolean, Choice, Text
from sanstone.model.cluster import Cluster

INSTALLED = "Sanstone"


@dataclass(frozen=True)
class License:
    """One of ONTAP's licences. `arrays` is the array alone, which has it."""

    name: str
    description: str
    arrays: tuple[Cluster, ...] = ()


INCLUDED = (
    ("fcp", "Fibre Channel."),
    ("flexclone", "Clones of volumes, LUNs and namespaces."),
    ("iscsi", "iSCSI."),
    ("nvme_of", "NVMe over fabrics."),
    ("snaprestore", "Going back to snapshots."),
)


class LicenseResource(Resource[License]):
    """The functions of the array."""

    path = "cluster/licensing/licenses"
    doc = "What the array does, as ONTAP's licences are called; all of it is included."
    model = Cluster
    keys = ("name",)
    order = ("name",)
    methods = frozenset({"GET"})
    shared = True
    refusal = "Nothing is licensed by keys: all that the array does is included."
    fields = (
        Field("name", Text(), "Name of the licence.", always=True),
        Field("description", Text(), "Licensed function."),
        Field("scope", Choice("cluster"), "What has it.", get=constant("cluster")),
        Field("state", Choice("compliant"), "Whether it may be used.", get=constant("compliant")),
        Items(
            "licenses",
            (
                Field("owner", Text(), "The array.", attribute="name"),
                Field("serial_number", Text(), "Serial number of the array."),
                Field(
                    "installed_license",
                    Text(),
                    "Package of the licence.",
                    get=constant(INSTALLED),
                ),
                Field("active", Boolean(), "Whether it can be used.", get=constant(True)),
                Field("evaluation", Boolean(), "Whether it ends.", get=constant(False)),
            ),
            "What there is of it.",
            attribute="arrays",
        ),
    )

    def rows(self, reader: Reader) -> Sequence[License]:
        """Return all that is included."""
        arrays = tuple(reader.session.scalars(select(Cluster)))
        return [License(name, description, arrays) for name, description in INCLUDED]
