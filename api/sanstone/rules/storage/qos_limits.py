"""A QoS policy's limits for an object: fixed ones, or such that grow with the object.

A fixed policy says the limits; those that have it share them if it is `capacity_shared`, else each
has them for itself. An adaptive policy allows operations for each TiB of the object: `peak_iops` of
the space that is allocated to it or used by it, and `absolute_min_iops` at least. With a
`block_size`, as many bytes pass as so many operations of that size have. `expected_iops` is a word
between people: nothing guarantees it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.declaration.resource import Reader
from sanstone.core.declaration.types import TIB
from sanstone.model.nodes import Node, this_node
from sanstone.model.policies import ADAPTIVE, QosPolicy, demands

LIMITS_THROUGHPUT = "limits_throughput"
"""Of a node's observation: whether its kernel can limit anything."""
MEGABYTE = 10**6
"""Bytes, as ONTAP counts megabytes per second."""
LEAST = 75
"""Operations per second that the smallest object may do where an adaptive policy says nothing."""
USED = "used_space"
UNFIT = "5375059"
KIB = 1024


class Limits(NamedTuple):
    """Most `operations` and bytes (`size`) per second, 0 for no limit."""

    operations: int = 0
    size: int = 0


def limits(policy: QosPolicy, allocated: int, used: int) -> Limits:
    """Return a policy's limits for an object with so many bytes allocated and used."""
    members = policy.members
    if policy.form != ADAPTIVE:
        megabytes = members.get("max_throughput_mbps", 0)
        return Limits(members.get("max_throughput_iops", 0), megabytes * MEGABYTE)
    size = used if by_use(policy) else allocated
    least = members.get("absolute_min_iops", 0) or LEAST
    operations = max(least, members["peak_iops"] * size // TIB)
    block = members.get("block_size", "any")
    return Limits(operations, 0 if block == "any" else operations * int(block[:-1]) * KIB)


def by_use(policy: QosPolicy) -> bool:
    """Return whether the limits follow the space in use."""
    is_adaptive = policy.form == ADAPTIVE
    return is_adaptive and policy.members.get("peak_iops_allocation", USED) == USED


def is_shared(policy: QosPolicy) -> bool:
    """Return whether all objects with the policy have one limit together."""
    return policy.form != ADAPTIVE and bool(policy.members.get("capacity_shared"))


def check_kept(session: Session, name: str, form: str, members: Mapping[str, Any]) -> None:
    """Raise ApiError unless the array can keep what a policy demands of it."""
    if form != ADAPTIVE and any(members.get(f"min_throughput_{u}") for u in ("iops", "mbps")):
        text = (
            f'QoS policy "{name}" guarantees a minimum, which the array cannot keep; limits of '
            "those beside it can be."
        )
        raise errors.invalid(text, "fixed", UNFIT)
    node = this_node(session)
    able = Reader(session).seen(Node.kind, node.key).get(LIMITS_THROUGHPUT, True)
    if demands(form, dict(members)) and not able:
        text = (
            f'QoS policy "{name}" limits throughput, which the kernel that the array runs cannot '
            "do; a policy without limits, or none, can be assigned."
        )
        raise errors.invalid(text, "fixed", UNFIT)
