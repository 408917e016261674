"""The kernel's messages about hosts that its targets refused."""

from __future__ import annotations

import pytest

from sanstone.kernel.host import LogRecord
from sanstone.kernel.target.refusals import LONGEST_NAME, Refusal, refusals, shown

IQN = "iqn.1994-05.com.example:host1"
NQN = "nqn.2014-08.org.nvmexpress:uuid:5a000000-0000-4000-8000-000000000001"
SUBSYSTEM = "nqn.2014-08.org.example:subsystem"
PORTALS = "is not authorized to access iSCSI target portal group"


def parsed(text: str) -> list[Refusal]:
    """Return the refusals in one message."""
    return refusals([LogRecord(7, 12.5, text)])


def test_an_initiator_without_an_acl() -> None:
    refusals = parsed(f"iSCSI Initiator Node: {IQN} {PORTALS}: 1026.")
    assert refusals == [Refusal(7, 12.5, IQN, tag=1026)]


def test_a_host_that_a_subsystem_does_not_list() -> None:
    refusals = parsed(f"nvmet: connect by host {NQN} for subsystem {SUBSYSTEM} not allowed")
    assert refusals == [Refusal(7, 12.5, NQN, subsystem=SUBSYSTEM)]


def test_a_host_that_came_without_its_tls_key() -> None:
    text = f"nvmet: connect by host {NQN} for subsystem {SUBSYSTEM} not allowed"
    refusals = parsed(f"{text} without its TLS key")
    assert refusals == [Refusal(7, 12.5, NQN, subsystem=SUBSYSTEM, lacks_key=True)]


UNKNOWN_INITIATOR = (
    "ib_srpt Received SRP_LOGIN_REQ with i_port_id 0000:0000:0000:0000:5054:00ff:fe5a:6511, "
    "t_port_id 0200:0000:0000:0001:0200:0000:0000:0001 and it_iu_len 8260 on port 1 "
    "(guid=fe80:0000:0000:0000:5054:00ff:fe5a:0101); pkey 0xffff"
)
SRP_REJECTION = "ib_srpt Rejected login for initiator 10.10.1.101: ret = -13."


def test_a_refusal_of_srp_takes_two_messages() -> None:
    texts = UNKNOWN_INITIATOR, "something else", SRP_REJECTION
    records = [LogRecord(number, 12.5, text) for number, text in enumerate(texts)]
    assert refusals(records) == [
        Refusal(
            2,
            12.5,
            "0x0000000000000000505400fffe5a6511",
            port="fe80:0000:0000:0000:5054:00ff:fe5a:0101",
            address="10.10.1.101",
        )
    ]
    assert refusals(records[:2]) == refusals(records[2:]) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "iSCSI Login negotiation failed.",
        f"Unable to locate Target IQN: iSCSI Initiator Node: {IQN} {PORTALS}: 1. in Storage Node",
        f"usb: iSCSI Initiator Node: {IQN} {PORTALS}: 1.",
        f"iSCSI Initiator Node: {IQN} {PORTALS}: 1. And more",
        f"nvmet: connect by host {NQN} for subsystem {SUBSYSTEM} not allowed today",
    ],
)
def test_other_messages(text: str) -> None:
    assert parsed(text) == []


def test_a_name_that_looks_like_the_kernels_words_stays_a_name() -> None:
    forged = f"{IQN} {PORTALS}: 1."
    [refusal] = parsed(f"iSCSI Initiator Node: {forged} {PORTALS}: 2.")
    assert (refusal.initiator, refusal.tag) == (forged, 2)
    forged = f"{NQN} for subsystem nqn.other"
    [refusal] = parsed(f"nvmet: connect by host {forged} for subsystem {SUBSYSTEM} not allowed")
    assert (refusal.initiator, refusal.subsystem) == (forged, SUBSYSTEM)


def test_a_name_becomes_a_bounded_line() -> None:
    assert shown("a\nb\x1b[1m\udcff") == "a?b?[1m?"
    assert len(shown("x" * 1000)) == LONGEST_NAME
