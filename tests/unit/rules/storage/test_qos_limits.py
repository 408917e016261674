"""The limits of QoS policies for an object of a size."""

from __future__ import annotations

from typing import Any

import pytest

from sanstone.model.policies import QosPolicy
from sanstone.rules.storage.qos_limits import Limits, by_use, is_shared, limits

TIB, GIB = 2**40, 2**30


def policy(form: str, **members: Any) -> QosPolicy:
    """Return a policy."""
    return QosPolicy(name="p", form=form, members=members)


@pytest.mark.parametrize(
    ("members", "allowed"),
    [
        ({}, Limits()),
        ({"max_throughput_iops": 100}, Limits(100, 0)),
        ({"max_throughput_mbps": 3}, Limits(0, 3_000_000)),
        ({"max_throughput_iops": 100, "max_throughput_mbps": 3}, Limits(100, 3_000_000)),
    ],
)
def test_fixed_limits_know_no_size(members: dict[str, Any], allowed: Limits) -> None:
    assert limits(policy("fixed", **members), TIB, TIB) == allowed


def test_an_adaptive_limit_is_of_the_used_space_by_default() -> None:
    scale: dict[str, Any] = {"expected_iops": 1000, "peak_iops": 2000}
    assert by_use(policy("adaptive", **scale))
    assert limits(policy("adaptive", **scale), 10 * TIB, TIB) == Limits(2000)
    scale["peak_iops_allocation"] = "allocated_space"
    assert not by_use(policy("adaptive", **scale))
    assert limits(policy("adaptive", **scale), 10 * TIB, TIB) == Limits(20_000)


def test_the_smallest_object_may_do_something() -> None:
    scale: dict[str, Any] = {"expected_iops": 1000, "peak_iops": 2000}
    assert limits(policy("adaptive", **scale), GIB, 0) == Limits(75)
    assert limits(policy("adaptive", absolute_min_iops=500, **scale), GIB, 0) == Limits(500)


def test_a_block_size_limits_bytes_too() -> None:
    scale = {"expected_iops": 1000, "peak_iops": 2000, "block_size": "32k"}
    assert limits(policy("adaptive", **scale), TIB, TIB) == Limits(2000, 2000 * 32768)
    assert limits(policy("adaptive", **scale | {"block_size": "any"}), TIB, TIB) == Limits(2000)


def test_only_a_fixed_policy_can_be_shared() -> None:
    assert is_shared(policy("fixed", capacity_shared=True))
    assert not is_shared(policy("fixed"))
    assert not is_shared(policy("adaptive", capacity_shared=True))
