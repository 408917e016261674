"""Initiators that were refused, and why."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array

REFUSED_INITIATORS = "protocols/san/refused-initiators"
HOST = "iqn.1994-05.com.example:host1"
KNOCK = {"initiator": HOST, "transport": "iscsi", "first": 5000.0, "last": 6000.0, "count": 3}


@pytest.fixture
@prepared_once
def svm(api: Array) -> str:
    """The UUID of an SVM."""
    return str(api.svm()["uuid"])


def refusal(api: Array, svm: str, **facts: Any) -> dict[str, Any]:
    """Return the record of a refusal."""
    api.observe(
        REFUSED_INITIATORS, f"{svm}/5a000000-0000-4000-8000-000000000001", **(KNOCK | facts)
    )
    [record] = api.records(f"{REFUSED_INITIATORS}?fields=*")
    return record


def test_a_stranger(api: Array, svm: str) -> None:
    record = refusal(api, svm, reason="not_allowed")
    assert record["message"].startswith('It is in no igroup of SVM "svm1"')
    assert (record["count"], record["last_time"]) == (3, "1970-01-01T01:40:00+00:00")
    assert "address" not in record["initiator"]


def test_a_member_of_an_igroup_is_kept_out_by_something_else(api: Array, svm: str) -> None:
    group = {"name": "hosts", "svm.name": "svm1", "os_type": "linux", "initiators": [HOST]}
    api.make("protocols/san/igroups", group)
    assert 'It is in igroup "hosts", but' in refusal(api, svm, reason="not_allowed")["message"]


def test_a_wrong_secret(api: Array, svm: str) -> None:
    assert "CHAP secret" in refusal(api, svm, reason="not_authenticated")["message"]


def test_refusals_of_a_deleted_svm_are_left_out(api: Array, svm: str) -> None:
    refusal(api, svm)
    api.delete(f"svm/svms/{svm}")
    assert api.records(REFUSED_INITIATORS) == []
