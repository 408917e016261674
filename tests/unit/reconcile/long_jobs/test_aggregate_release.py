"""Orders to release an aggregate, as they come from a database in which others write."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import create_engine

from fakes import FakeKernel
from sanstone.kernel.host import HostError
from sanstone.reconcile.long_jobs import aggregate_release
from sanstone.reconcile.long_jobs.aggregate_release import AggregateRelease

NOWHERE = create_engine("sqlite://")
AGGREGATE = "0b5ed3f6-30a5-4b3b-8f0c-6a1b0a1b2c3d"


@pytest.mark.parametrize(
    "wrong", [{"aggregate": "../../etc"}, {"aggregate": None}, {"groups": 7}, {"groups": ["0"]}]
)
def test_an_order_that_the_reconciler_cannot_have_given_is_refused(wrong: dict[str, Any]) -> None:
    order = aggregate_release.order(AGGREGATE, [0]) | wrong
    with pytest.raises(HostError, match="no order to release an aggregate"):
        AggregateRelease(FakeKernel().host, NOWHERE, order)


def test_an_aggregate_that_is_not_live_is_released_without_a_step() -> None:
    kernel = FakeKernel()
    AggregateRelease(kernel.host, NOWHERE, aggregate_release.order(AGGREGATE, [0, 1])).run()
    assert kernel.interrupt.log == []
