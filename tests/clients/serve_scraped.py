"""An array in memory for Prometheus to scrape, over TLS on a TCP port.

    python tests/clients/serve_scraped.py FOLDER [LUNS]

It has an example of everything, with a past, a fault and a job that failed; or so many LUNs, and as
many namespaces. Otherwise it is as in `serve`. FOLDER/tls.crt is its certificate.
"""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path

from furnished_array import FurnishedArray
from passwords import hashed_quickly
from serve import certificate, serve
from simulator import Simulator, simulated
from web_history import add_history

from bench.in_process import fill
from sanstone.core import events, jobs
from sanstone.core.database.store import writing
from sanstone.core.events import Event
from sanstone.core.jobs import Job

SCRAPER = ("prometheus", "scrapes 4 us")


def let_scrape(array: Simulator) -> None:
    """Make the account that may do nothing but scrape."""
    privileges = [{"path": "/api/metrics", "access": "readonly"}]
    array.make("security/roles", {"name": "scraper", "privileges": privileges})
    http = [{"application": "http", "authentication_methods": ["password"]}]
    name, password = SCRAPER
    body = {"name": name, "role": "scraper", "password": password, "applications": http}
    array.make("security/accounts", body)


def furnish(array: Simulator) -> None:
    """Add an example of everything, and alerts."""
    FurnishedArray(array).furnish()
    add_history(array)
    with writing(array.database) as session:
        event = {"name": "raid.degraded", "message": "A disk is missing.", "condition": "a group"}
        session.add(Event(severity=events.ALERT, open=True, **event))
        now = time.time()  # noqa: TID251 - as Prometheus reads it
        session.add(Job(description="POST /api", state=jobs.FAILURE, end_time=now))


if __name__ == "__main__":
    logging.getLogger("sanstone").setLevel(logging.ERROR)
    with hashed_quickly(), simulated(Path(sys.argv[1])) as simulator:
        if len(sys.argv) > 2:
            fill(simulator, int(sys.argv[2]))
        else:
            furnish(simulator)
        let_scrape(simulator)
        serve(simulator, certificate(Path(sys.argv[1])))
