"""The configuration's epoch: the later change has the higher one."""

from __future__ import annotations

from pathlib import Path

from scenarios import svm
from simulator import simulated

from sanstone.core.database import epoch as epochs
from sanstone.core.database import store
from sanstone.core.database.epoch import Age
from sanstone.kernel.host import HostError
from sanstone.reconcile.tasks import configuration

LIF = {
    "svm.name": "svm1",
    "name": "lif1",
    "ip": {"address": "10.10.1.1", "netmask": "24"},
    "location.home_port.name": "e0a",
}


def age() -> Age:
    """Return the age of the array's configuration."""
    return configuration.snapshot(store.path()).age


def epoch() -> int:
    """Return the epoch of the array's configuration, in the first term."""
    assert age().term == 0
    return age().epoch


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


def test_a_takeover_is_newer_than_later_changes_of_the_other(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        svm(array)
        for number in range(2, 5):
            array.do("POST", "svm/svms", {"name": f"svm{number}"})
        stayed_behind = age()
        assert stayed_behind == Age(0, 4)
        with store.writing(array.database) as session:
            epochs.begin_term(session)
        assert age() == Age(1, 5)
        assert stayed_behind._replace(epoch=1 << 40) < age()


def test_an_age_is_ordered_by_its_bits_too() -> None:
    ages = [Age(), Age(0, 7), Age(0, (1 << 48) - 1), Age(1, 0), Age(1, 7), Age(65535, 1)]
    assert ages == sorted(ages)
    packed = [each.packed for each in ages]
    assert packed == sorted(packed)
    assert [Age.unpacked(each) for each in packed] == ages
    assert packed[1] == 7, "copies of releases without terms"
