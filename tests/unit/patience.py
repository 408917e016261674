"""Have the product wait for programs and servers as long as these take.

They run in processes and threads beside a test, which on a busy machine may not get a turn for
longer than the product has patience. A test of a limit sets it: to one that is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sanstone.client import connection
from sanstone.core.database import store
from sanstone.http import admission
from sanstone.kernel import questions
from sanstone.kernel.directory import ldap
from sanstone.kernel.network import isns_client
from sanstone.kernel.notification import mail, syslog, webhook
from sanstone.kernel.oidc import provider
from sanstone.kernel.snmp import agent_connection
from sanstone.security import asking, gate, openssl

HOUR = 3600.0
LIMITS = (
    (connection, "TIMEOUT"),
    (store, "PATIENCE"),
    (admission, "PATIENCE"),
    (questions, "PATIENCE"),
    (ldap, "PATIENCE"),
    (isns_client, "TIMEOUT"),
    (mail, "TIMEOUT"),
    (syslog, "TIMEOUT"),
    (webhook, "TIMEOUT"),
    (provider, "PATIENCE"),
    (provider, "STEP"),
    (asking, "PATIENCE"),
    (openssl, "TIMEOUT"),
)


@contextmanager
def patiently() -> Iterator[None]:
    """Have limits that no machine is too busy for."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in LIMITS:
            patch.setattr(module, name, HOUR)
        # snmpd gets it in one byte.
        patch.setattr(agent_connection, "PATIENCE", 255)
        patch.setattr(gate.hashing, "_patience", HOUR)
        yield


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Tests are patient if their conftest.py imports this fixture."""
    with patiently():
        yield
