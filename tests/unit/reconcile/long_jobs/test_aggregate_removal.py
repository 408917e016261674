"""Orders to take an aggregate apart, as they come from a database in which others write."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import create_engine

from fakes import FakeKernel
from sanstone.kernel.host import HostError
from sanstone.reconcile.long_jobs import aggregate_removal
from sanstone.reconcile.long_jobs.aggregate_removal import AggregateRemoval

NOWHERE = create_engine("sqlite://")
AGGREGATE = "0b5ed3f6-30a5-4b3b-8f0c-6a1b0a1b2c3d"


@pytest.mark.parametrize(
    "wrong",
    [
        {"aggregate": "../../etc"},
        {"aggregate": None},
        {"raid_type": "raid9"},
        {"groups": 7},
        {"groups": [7]},
        {"groups": [[["a"]]]},
    ],
)
def test_an_order_that_the_reconciler_cannot_have_given_is_refused(wrong: dict[str, Any]) -> None:
    order = aggregate_removal.order(AGGREGATE, "raid_dp", [["wwn:nobody's"]]) | wrong
    with pytest.raises(HostError, match="no order to remove an aggregate"):
        AggregateRemoval(FakeKernel().host, NOWHERE, order)
