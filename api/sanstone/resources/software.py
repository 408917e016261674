"""`cluster/software`: which release the array runs.

It is ONTAP's place for upgrades too; here the array's image is replaced as a whole, so that there
is nothing to be changed over REST.
"""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.resource import Field, Items, Reader, Resource, constant
from sanstone.core.types import Text
from sanstone.resources.cluster import GENERATION, MAJOR, MINOR, Cluster
from sanstone.resources.node import Node, the_node

VERSION = f"{GENERATION}.{MAJOR}.{MINOR}"


class SoftwareResource(Resource[Cluster]):
    """The software."""

    path = "cluster/software"
    doc = "The release of ONTAP whose REST API this is; `cluster` tells that of Sanstone."
    model = Cluster
    keys = ()
    shared = True
    single = True
    methods = frozenset({"GET"})
    refusal = "The array's image is replaced as a whole, not over REST."
    fields = (
        Field("version", Text(), "Release in numbers.", get=constant(VERSION)),
        Items(
            "nodes",
            (
                Field("name", Text(64), "Name of the node."),
                Field("version", Text(), "Its release.", get=constant(VERSION)),
            ),
            "The node.",
            get=lambda _row, reader: _nodes(reader),
        ),
    )


def _nodes(reader: Reader) -> Sequence[Node]:
    return [the_node(reader.session)]
