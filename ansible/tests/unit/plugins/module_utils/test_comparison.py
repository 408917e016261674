# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""What counts as the same without asking the array."""

from __future__ import annotations

from typing import Any

import pytest
from ansible_collections.sanstone.array.plugins.module_utils import comparison


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("svm1", {"name": "svm1", "uuid": "1"}),
        ("1GB", 1024**3),
        ("1073741824", 1024**3),
        (["b", "a"], [{"name": "a"}, {"name": "b"}]),
        ([{"name": "a"}], [{"name": "a", "comment": "more"}]),
        ({"schedule": "daily"}, {"schedule": {"name": "daily"}, "count": 2}),
        ([], None),
        (False, False),
    ],
)
def test_the_same(wanted: Any, shown: Any) -> None:
    assert comparison.same(wanted, shown)


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("svm1", {"name": "svm2"}),
        ("2GB", 1024**3),
        ("large", 1024**3),
        (["a", "b"], ["b", "a"]),
        (["a"], [{"name": "a"}, {"name": "b"}]),
        ([{"name": "a", "comment": "x"}], [{"name": "a"}]),
        ("", None),
    ],
)
def test_not_the_same(wanted: Any, shown: Any) -> None:
    assert not comparison.same(wanted, shown)


def test_what_a_task_leaves_out_is_not_compared() -> None:
    given = {"space": {"size": "1GB", "guarantee": None}, "hosts": [{"nqn": "n", "tls": None}]}
    assert comparison.flat(given) == {"space.size": "1GB", "hosts": [{"nqn": "n"}]}
