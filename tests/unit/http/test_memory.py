"""Requests leave nothing behind in memory, however many are under way at once.

The number of connections limits SQLite's memory (`core/test_store.py`).
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from toy_api import LOGIN, Toys, key

CLIENTS, ROUNDS = 20, 2
REQUESTS = 5
"""Of a round."""
MOST = 500
"""Bytes for each request: half of an answer of these, and twice the difference that the threads'
last work makes."""


@pytest.fixture
def traced() -> Iterator[None]:
    """Python counts the bytes that it allocates and frees."""
    tracemalloc.start()
    yield
    tracemalloc.stop()


def allocated() -> int:
    """Return the bytes that are in use."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def ask(api: Toys, client: int) -> None:
    """Read lists, and make and delete something."""
    web = api.client.application.test_client()
    shelf = {"name": f"of_client{client}", "svm": "svm1"}
    for _ in range(ROUNDS):
        for path in ("toys/shelves?fields=**", "toys/shelves?name=a", "svm/svms"):
            assert web.get(f"/api/{path}", auth=LOGIN).status_code == 200
        response = web.post("/api/toys/shelves", json=shelf, auth=LOGIN)
        deleted = web.delete(f"/api/toys/shelves/{key(response)}", auth=LOGIN)
        assert deleted.status_code < 300


@pytest.mark.usefixtures("traced")
def test_simultaneous_requests_leave_no_memory_behind(shelves: Toys) -> None:
    with ThreadPoolExecutor(CLIENTS) as clients:
        # Statements are compiled, and connections opened, by the first ones.
        list(clients.map(partial(ask, shelves), range(CLIENTS)))
        before = allocated()
        list(clients.map(partial(ask, shelves), range(CLIENTS)))
        grown = allocated() - before
    assert grown < MOST * CLIENTS * ROUNDS * REQUESTS
