"""CHAP, one-way and mutual: a wrong proof is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from provisioned import ISCSI_PORTAL

from lab.administrator import Administrator, Record
from lab.agent import GuestCommandFailed
from lab.initiator import Iscsi

CREDENTIALS = "protocols/san/iscsi/credentials"
HOST_SECRET, ARRAY_SECRET = "secret-of-the-host", "secret-of-the-array"


@pytest.fixture
def demanded(admin: Administrator, iscsi: Iscsi, lun: Record) -> Iterator[str]:
    """Mutual CHAP is demanded of the host; its credential's path."""
    svm = lun["svm"]["uuid"]
    chap = {
        "inbound": {"user": "host1", "password": HOST_SECRET},
        "outbound": {"user": "array1", "password": ARRAY_SECRET},
    }
    body = {"svm.uuid": svm, "initiator": iscsi.name, "authentication_type": "chap", "chap": chap}
    admin.api.post(CREDENTIALS, body)
    iscsi.discover(ISCSI_PORTAL)
    path = f"{CREDENTIALS}/{svm}/{iscsi.name}"
    yield path
    iscsi.log_out()
    admin.api.delete(path)


def prove(iscsi: Iscsi, secret: str) -> None:
    """Have the host prove who it is."""
    iscsi.set("node.session.auth.authmethod", "CHAP")
    iscsi.set("node.session.auth.username", "host1")
    iscsi.set("node.session.auth.password", secret)


def demand(iscsi: Iscsi, secret: str) -> None:
    """Have the host demand that the array proves itself."""
    iscsi.set("node.session.auth.username_in", "array1")
    iscsi.set("node.session.auth.password_in", secret)


def test_right_secret_is_let_in(iscsi: Iscsi, lun: Record, demanded: str) -> None:
    prove(iscsi, HOST_SECRET)
    iscsi.log_in()
    assert iscsi.device(lun["serial_number"])


def test_mutual_right_secrets_are_let_in(iscsi: Iscsi, lun: Record, demanded: str) -> None:
    prove(iscsi, HOST_SECRET)
    demand(iscsi, ARRAY_SECRET)
    iscsi.log_in()
    assert iscsi.device(lun["serial_number"])


def test_without_chap_is_kept_out(iscsi: Iscsi, demanded: str) -> None:
    with pytest.raises(GuestCommandFailed, match="authorization failure"):
        iscsi.log_in()


def test_wrong_secret_is_kept_out(iscsi: Iscsi, demanded: str) -> None:
    prove(iscsi, "secret-of-another")
    with pytest.raises(GuestCommandFailed, match="authorization failure"):
        iscsi.log_in()


def test_host_refuses_an_array_with_the_wrong_secret(iscsi: Iscsi, demanded: str) -> None:
    prove(iscsi, HOST_SECRET)
    demand(iscsi, "secret-of-another")
    with pytest.raises(GuestCommandFailed, match="non-retryable iSCSI login failure"):
        iscsi.log_in()


def test_denied_initiator_is_kept_out(admin: Administrator, iscsi: Iscsi, demanded: str) -> None:
    admin.api.patch(demanded, {"authentication_type": "deny"})
    with pytest.raises(GuestCommandFailed, match="authorization failure"):
        iscsi.log_in()
