"""The memory of right passwords: by process, and of a limited size."""

from __future__ import annotations

import os

from sanstone.security.remembered import Remembered, digest


def test_added_digests_are_there_and_no_others() -> None:
    memory = Remembered()
    memory.add(digest("a", "b"))
    assert digest("a", "b") in memory
    for other in (("ab",), ("a", "b", ""), ("b", "a"), ("", "ab"), ("a",)):
        assert digest(*other) not in memory


def test_the_memory_is_bounded_and_keeps_most_of_the_newest() -> None:
    memory = Remembered(sets=2)
    for number in range(1000):
        memory.add(digest(str(number)))
        assert digest(str(number)) in memory
    assert sum(digest(str(number)) in memory for number in range(1000)) <= 16


def test_adding_again_takes_no_other_place() -> None:
    memory = Remembered(sets=1)
    for name in "abcdefgh":
        memory.add(digest(name))
    for _ in range(100):
        memory.add(digest("a"))
    assert all(digest(name) in memory for name in "abcdefgh")


def test_processes_that_are_forked_share_it() -> None:
    memory = Remembered()
    child = os.fork()
    if child == 0:
        memory.add(digest("found by the child"))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert digest("found by the child") in memory
