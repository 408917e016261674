"""The gate of password hashing: one hashes, others wait, and the rest has to come again."""

from __future__ import annotations

import threading

import pytest

from sanstone.core.errors import ApiError
from sanstone.security import gate as gates
from sanstone.security.gate import Gate


class Threads:
    """Threads that ask for the place of a gate, and hold it until a test lets them go."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.entered: list[str] = []
        self.rejected: list[str] = []
        self._all: list[threading.Thread] = []
        self._go = threading.Semaphore(0)
        self._changed = threading.Condition()

    def ask(self, source: str) -> None:
        """Have another thread ask, and return when it holds the place, waits, or was refused."""
        before = self._settled()
        thread = threading.Thread(target=self._hold, args=(source,))
        self._all.append(thread)
        thread.start()
        while self._settled() == before:
            with self._changed:
                self._changed.wait(0.001)

    def let_one_go(self) -> None:
        """Have the holder leave the place; return when the next is in, or nobody waits."""
        waiting, count = bool(self.gate.waiting()), len(self.entered)
        self._go.release()
        while waiting and len(self.entered) == count:
            with self._changed:
                self._changed.wait(0.001)

    def let_all_go(self) -> None:
        """Have all leave, one after the other."""
        for _ in self._all:
            self._go.release()
        for thread in self._all:
            thread.join()

    def _settled(self) -> int:
        # A thread that makes way is refused, and the other one waits.
        return len(self.entered) + 2 * len(self.rejected) + len(self.gate.waiting())

    def _hold(self, source: str) -> None:
        try:
            with self.gate.place(source):
                self.entered.append(source)
                self._go.acquire()
        except ApiError as error:
            assert (error.status, error.retry_after) == (503, 5)
            self.rejected.append(source)


def test_one_thread_passes_at_a_time() -> None:
    threads = Threads(Gate())
    for source in "abc":
        threads.ask(source)
    assert threads.entered == ["a"]
    threads.let_one_go()
    assert len(threads.entered) == 2
    threads.let_all_go()
    assert sorted(threads.entered) == ["a", "b", "c"]


def test_as_many_pass_at_a_time_as_there_are_places() -> None:
    threads = Threads(Gate(places=2))
    for source in "abc":
        threads.ask(source)
    assert threads.entered == ["a", "b"]
    threads.let_one_go()
    assert threads.entered == ["a", "b", "c"]
    threads.let_all_go()


def test_within_its_place_a_thread_passes_again() -> None:
    gate = Gate(room=0)
    with gate.place(), gate.place("other"):
        pass
    with gate.place():
        pass


def test_an_exception_frees_the_place() -> None:
    gate = Gate(room=0)
    with pytest.raises(ZeroDivisionError), gate.place():
        raise ZeroDivisionError
    with gate.place():
        pass


def test_where_there_is_no_room_the_crowd_makes_way() -> None:
    threads = Threads(Gate(room=4))
    for source in ("flood", *["flood"] * 4):
        threads.ask(source)
    threads.ask("flood")
    assert threads.rejected == ["flood"], "there is no room for more of it"
    threads.ask("admin")
    assert threads.gate.waiting() == ["flood"] * 3 + ["admin"]
    threads.let_all_go()
    assert threads.rejected == ["flood", "flood"]
    assert threads.entered.count("admin") == 1


def test_a_flood_from_one_source_delays_another_by_little() -> None:
    """Its turn is by chance: that it does not come in thirty is one of 2^30."""
    gate = Gate(room=10)
    threads = Threads(gate)
    for source in ("flood", *["flood"] * 9, "admin"):
        threads.ask(source)
    for _ in range(30):
        if "admin" in threads.entered:
            break
        threads.let_one_go()
        if "admin" not in threads.entered:
            threads.ask("flood")
    assert "admin" in threads.entered
    threads.let_all_go()


@pytest.fixture
def strangers_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chance is with strangers, wherever it decides."""
    monkeypatch.setattr(gates._chance, "choice", lambda sources: sources[-1])


@pytest.mark.usefixtures("strangers_first")
def test_every_second_turn_is_for_known_sources() -> None:
    threads = Threads(Gate())
    threads.gate.know("admin")
    threads.ask("stranger")
    for number in range(3):
        threads.ask(f"stranger {number}")
        threads.ask("admin")
    for _ in range(6):
        threads.let_one_go()
    threads.let_all_go()
    is_admin = [source == "admin" for source in threads.entered]
    assert is_admin == [False, True, False, True, False, True, False]


def test_a_stranger_makes_way_for_a_known_source() -> None:
    """Each of them is one of many addresses, so that none is a crowd."""
    threads = Threads(Gate(room=3))
    threads.gate.know("admin")
    for number in range(4):
        threads.ask(f"stranger {number}")
    threads.ask("stranger 4")
    threads.ask("admin")
    assert threads.rejected == ["stranger 4", "stranger 3"]
    threads.let_one_go()
    assert threads.entered == ["stranger 0", "admin"]
    threads.let_all_go()


def test_only_the_last_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "MOST_KNOWN", 1)
    threads = Threads(Gate(room=1))
    threads.gate.know("long ago")
    threads.gate.know("admin")
    for source in ("a", "b", "long ago"):
        threads.ask(source)
    assert threads.rejected == ["long ago"]
    threads.let_all_go()


def test_a_long_wait_ends_with_a_retry() -> None:
    threads = Threads(Gate(patience=0.0))
    threads.ask("a")
    threads.ask("b")
    threads.let_all_go()
    assert threads.entered + threads.rejected == ["a", "b"]
