"""The growth of the API's memory by many requests.

There should be none: connections, statements and threads reach their share early.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from typing import Any, Protocol

from bench import contents
from bench.clients import CLIENTS
from bench.report import Line
from bench.stage import Stage
from lab.api import Refused

REQUESTS = 100_000
WARM = 5_000
LUNS = 100
LISTS = (
    "storage/luns?fields=**",
    "storage/volumes",
    "protocols/san/lun-maps",
    "protocols/san/igroups?fields=**",
    "storage/aggregates?fields=**",
    "network/ip/interfaces",
    "cluster/jobs?max_records=50",
    "cluster/overview",
)
ROUND = len(LISTS) + 3
"""Requests of a round: each list, and a policy that is created, found and deleted."""
RETRY_AFTER = 5.0
"""Seconds, as the API asks for where twenty clients are too many for a slow machine."""
ANONYMOUS = (
    "group=$(systemctl show --property=ControlGroup --value sanstone-api.service);"
    "sed -n 's/^anon //p' /sys/fs/cgroup$group/memory.stat"
)


class Session(Protocol):
    """Sends a client's requests."""

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Send one request and return the answer's JSON. Raises Refused."""


def measure(stage: Stage) -> Iterator[Line]:
    """Yield how much the API grew by its requests."""
    session = stage.session()
    contents.have(session, LUNS)
    yield from growth(
        "memory of the API",
        lambda: int(stage.array.run(ANONYMOUS)),
        lambda requests: ask([stage.session() for _ in range(CLIENTS)], requests),
    )


def growth(
    what: str, used: Callable[[], int], work: Callable[[int], None], requests: int = REQUESTS
) -> Iterator[Line]:
    """Yield the bytes that are `used`, and how many more after so many requests."""
    work(WARM)
    before = used()
    work(requests)
    grown = (used() - before) / contents.MIB
    what = f"{what}, {CLIENTS} clients"
    yield Line(what, f"after {WARM:,} requests", before / contents.MIB, "MiB")
    yield Line(what, f"{requests:,} requests later", grown, "MiB more")


def ask(sessions: Sequence[Session], requests: int) -> None:
    """Send so many requests by CLIENTS clients at once."""
    rounds = requests // ROUND // CLIENTS
    with ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(partial(_rounds, rounds), sessions, range(CLIENTS)))


def _rounds(rounds: int, session: Session, client: int) -> None:
    policies = "storage/qos/policies"
    policy = contents.SVM | {"name": f"of_client{client}", "fixed.max_throughput_iops": 1000}
    for _ in range(rounds):
        for path in LISTS:
            _sent(session, "GET", path)
        _sent(session, "POST", policies, policy)
        (created,) = _sent(session, "GET", f"{policies}?name={policy['name']}")["records"]
        _sent(session, "DELETE", f"{policies}/{created['uuid']}")


def _sent(session: Session, method: str, path: str, body: Any = None) -> Any:
    """Return the answer of a request, once the API has room for it."""
    while True:
        try:
            return session.send(method, path, body)
        except Refused as refused:
            if refused.status != HTTPStatus.SERVICE_UNAVAILABLE:
                raise
        time.sleep(RETRY_AFTER)
