"""Orders for pools, as they come from a database in which others write."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import create_engine

from fakes import FakeKernel
from sanstone.kernel.host import HostError
from sanstone.reconcile.long_jobs import pool_work
from sanstone.reconcile.long_jobs.pool_work import PoolCreation

NOWHERE = create_engine("sqlite://")
AGGREGATE = "0b5ed3f6-30a5-4b3b-8f0c-6a1b0a1b2c3d"


@pytest.mark.parametrize(
    "wrong",
    [
        {"aggregate": "../../etc"},
        {"aggregate": None},
        {"groups": []},
        {"groups": 7},
        {"groups": ["0"]},
        {"groups": [-1]},
    ],
)
def test_an_order_that_the_reconciler_cannot_have_given_is_refused(wrong: dict[str, Any]) -> None:
    order = pool_work.order(AGGREGATE, [0]) | wrong
    with pytest.raises(HostError, match="no order for a pool"):
        PoolCreation(FakeKernel().host, NOWHERE, order)


def test_no_pool_is_created_on_some_of_its_groups() -> None:
    with pytest.raises(HostError, match="only 0 of 2 RAID groups run"):
        PoolCreation(FakeKernel().host, NOWHERE, pool_work.order(AGGREGATE, [0, 1]))
