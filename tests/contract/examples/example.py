"""An example of a resource, and the values that several examples share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from simulator import NODE_UUID

Body = dict[str, Any]
MIB, GIB = 1024**2, 1024**3
SVM1 = {"svm.name": "svm1"}
WWPN = "20:00:00:50:56:00:00:01"
SRP_PORT = "0x0000000000000000505400fffe5a6511"


def node(name: str) -> Body:
    """Return the node as a request names it under `name`."""
    return {f"{name}.name": "array-01", f"{name}.uuid": NODE_UUID}


@dataclass(frozen=True)
class Example:
    """Valid objects of one resource, and ONTAP's code for creating the first one again."""

    path: str
    objects: tuple[Body, ...] = ()
    another: Body = field(default_factory=dict)
    exists_code: str = ""
    changes: tuple[Body, ...] = ()
    shown_otherwise: dict[str, str] = field(default_factory=dict)
    below: int = 0
