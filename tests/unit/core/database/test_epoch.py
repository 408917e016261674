"""The configuration's epoch: what was changed later has the higher one."""

from __future__ import annotations

from pathlib import Path

from scenarios import svm
from simulator import simulated

from sanstone.core.database import store
from sanstone.kernel.host import HostError
from sanstone.reconcile.tasks import configuration

LIF = {
    "svm.name": "svm1",
    "name": "lif1",
    "ip": {"address": "10.10.1.1", "netmask": "24"},
    "location.home_port.name": "e0a",
}


def epoch() -> int:
    """Return the epoch of the array's configuration."""
    return configuration.snapshot(store.path()).generation


def test_each_change_raises_it_and_nothing_else_does(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        assert epoch() == 0
        svm(array)
        assert epoch() == 1
        array.get("svm/svms")
        array.call("POST", "svm/svms", {"name": "svm1"})
        array.settle()
        assert epoch() == 1
        array.do("POST", "svm/svms", {"name": "svm2"})
        assert epoch() == 2


def test_a_change_that_is_taken_back_is_one_more(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        svm(array)
        array.kernel.fail_when(lambda step: "10.10.1.1" in step, HostError("refused"))
        assert array.call("POST", "network/ip/interfaces", LIF).status_code >= 400
        assert epoch() == 3
