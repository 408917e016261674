"""The cost of a list of hundreds of hosts and their paths in statements: never one for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from beginnings import prepared_once
from in_process import NODE_UUID, Array
from paths_of_hosts import IGROUPS, PATHS, add_paths, lif, paths
from sqlalchemy import event

from sanstone.core.database.store import writing
from sanstone.core.observed import Observed

HOSTS = "protocols/san/hosts"
FEW, MANY, LIFS = 3, 300, 4
QUERIES = (
    f"{HOSTS}?fields=*&max_records=10000",
    f"{HOSTS}?fields=**&order_by=name desc",
    f"{HOSTS}?state=lost&fields=*",
    f"{HOSTS}?initiator.name=*host1&fields=*",
    f"{PATHS}?fields=**&max_records=10000",
    f"{PATHS}?state=connected&fields=*,luns",
    "cluster/search?query=host1",
)


@pytest.fixture
@prepared_once
def san(api: Array) -> Array:
    """An SVM with four LIFs, and a LUN that hosts of one igroup see."""
    add_paths(api)
    for number in range(3, LIFS + 1):
        lif(api, f"lif{number}", f"10.10.1.{number}")
    return api


@pytest.fixture
def statements(san: Array) -> Iterator[Callable[[str], int]]:
    """Ask for something, and return with how many statements it was answered."""
    engine = san.client.application.extensions["sanstone"]
    log: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        log.append(statement)

    def count(path: str) -> int:
        log.clear()
        san.get(path)
        return len(log)

    event.listen(engine, "before_cursor_execute", note)
    yield count
    event.remove(engine, "before_cursor_execute", note)


def add_hosts(san: Array, first: int, last: int) -> None:
    """Name hosts in the igroup; each was seen by two paths and has lost one of them."""
    [group] = san.records(IGROUPS)
    names = [{"name": f"iqn.1994-05.com.example:many{n:03}"} for n in range(first, last)]
    san.call("POST", f"{IGROUPS}/{group['uuid']}/initiators", {"records": names})
    facts = {"since": 5000.0, "alias": "", "addresses": ["10.10.1.100"]}
    with writing(san.database) as session:
        for path in paths(san, "&initiator.name=*many*&interface.name=lif1|lif2"):
            key = f"{path['svm']['uuid']}/{path['uuid']}"
            data = facts | {"connected": path["interface"]["name"] == "lif1"}
            session.merge(Observed(kind=PATHS, key=key, node_uuid=NODE_UUID, data=data))


def test_hundreds_of_hosts_take_as_many_statements_as_a_few(
    san: Array, statements: Callable[[str], int]
) -> None:
    add_hosts(san, 0, FEW)
    few = {path: statements(path) for path in QUERIES}
    add_hosts(san, FEW, MANY)
    many = {path: statements(path) for path in QUERIES}
    assert len(paths(san)) == LIFS * (MANY + 1)
    assert many == few


def test_one_of_hundreds_takes_as_few_statements(
    san: Array, statements: Callable[[str], int]
) -> None:
    def statement_counts() -> list[int]:
        host = san.records(f"{HOSTS}?initiator.name=*many001")[0]
        key = f"{host['svm']['uuid']}/{host['uuid']}"
        own = f"{PATHS}?host.uuid={host['uuid']}&fields=*,luns,namespaces"
        assert len(san.records(own)) == LIFS
        return [statements(f"{HOSTS}/{key}?fields=**"), statements(own)]

    add_hosts(san, 0, FEW)
    few = statement_counts()
    add_hosts(san, FEW, MANY)
    assert statement_counts() == few
