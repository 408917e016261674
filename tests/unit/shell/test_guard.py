"""A change that may cut the user off is kept only if the user still answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from console import Console
from served import behind_proxy

from sanstone.shell import guard

HERE = "10.10.1.5"
CHANGE = "network interface modify -lif management -address 10.10.1.6"


@pytest.fixture
def guarded(console: Console) -> Iterator[Console]:
    """A shell whose user is connected by the management LIF."""
    body = {"name": "management", "scope": "cluster", "location.home_port.name": "e0a"}
    ip = {"ip.address": HERE, "ip.netmask": "24"}
    console.array.create("network/ip/interfaces", body | ip)
    with behind_proxy(console.array, HERE, "10.10.1.200"):
        yield console


def _address(console: Console) -> str:
    [row] = console.array.records(
        "network/ip/interfaces", {"name": "management", "fields": "ip.address"}
    )
    return str(row["ip"]["address"])


def test_a_change_that_is_confirmed_stays(guarded: Console) -> None:
    guarded.answers.append(True)
    output = guarded.run(CHANGE)
    assert guarded.questions == [guard.QUESTION.strip()]
    assert guard.WARNING in output and guard.KEPT in output
    assert _address(guarded) == "10.10.1.6"


def test_a_change_that_is_not_confirmed_is_taken_back(guarded: Console) -> None:
    message = guarded.refusal(CHANGE)
    assert guard.TAKEN_BACK in message
    assert _address(guarded) == HERE


def test_a_change_that_keeps_the_connection_asks_nothing(guarded: Console) -> None:
    guarded.run("network interface modify -lif management -auto-revert false")
    assert guarded.questions == []


def test_without_confirmations_it_is_done_at_once(guarded: Console) -> None:
    guarded.run("set -confirmations off")
    guarded.run(CHANGE)
    assert guarded.questions == []
    assert _address(guarded) == "10.10.1.6"


def test_a_dry_run_warns_of_it(guarded: Console) -> None:
    guarded.run("set -dry-run on")
    assert "It may cut off the connection that you use." in guarded.run(CHANGE)
    guarded.run("set -dry-run off")


def test_a_refused_change_asks_nothing(guarded: Console) -> None:
    message = guarded.refusal("network interface modify -lif management -home-port e9z")
    assert "e9z" in message
    assert guarded.questions == []
