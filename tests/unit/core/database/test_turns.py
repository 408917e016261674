"""The first in line writes first, in one process and in several."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from sanstone.core.database import store, turns
from sanstone.core.database.store import reading, writing
from sanstone.core.database.turns import NoTurn, Turns

WRITER = """
import sys, threading, time
from pathlib import Path
from sqlalchemy import text
from sanstone.core.database import store, turns

database = store.engine(Path(sys.argv[1]))
first, last, count = (int(word) for word in sys.argv[2:])

def write(number):
    for _ in range(count):
        with store.reading(database) as session:
            seen = session.scalar(text("SELECT coalesce(max(n), 0) FROM turn"))
        with store.writing(database) as session:
            row = {"who": number, "seen": seen}
            session.execute(text("INSERT INTO turn (who, seen) VALUES (:who, :seen)"), row)

print("ready", flush=True)
sys.stdin.readline()
threads = [threading.Thread(target=write, args=(number,)) for number in range(first, last)]
for thread in threads:
    thread.start()
# All but the one that waits for the other processes.
line = turns.at(Path(sys.argv[1]))._line
while len(line) < len(threads) - 1 and all(thread.is_alive() for thread in threads):
    time.sleep(0.01)
print("all stand in line", flush=True)
for thread in threads:
    thread.join()
"""
HOLDER = """
import sys
from pathlib import Path
from sanstone.core.database.turns import Turns

with Turns(Path(sys.argv[1])).turn():
    print("holds", flush=True)
    sys.stdin.read()
"""


def process(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Run a script in a process of its own, and return when it says that it is ready."""
    words = [sys.executable, "-c", script, *map(str, arguments)]
    child = subprocess.Popen(
        words,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout and child.stdout.readline()
    return child


def go(writer: subprocess.Popen[str]) -> None:
    """Have a writer's threads begin, and return when all of them stand in line."""
    assert writer.stdin and writer.stdout
    writer.stdin.write("\n")
    writer.stdin.flush()
    assert writer.stdout.readline()


def end(child: subprocess.Popen[str]) -> int:
    """Close a process's standard input and return its exit status."""
    child.communicate()
    return child.returncode


def test_twenty_writers_in_two_processes_and_one_in_a_third_take_turns(toys: Engine) -> None:
    """Nobody writes again before all others in line have; nor waits for a crowd elsewhere.

    The machine decides who queues again when. So of later turns only that most of them come soon
    is certain.
    """
    with writing(toys) as session:
        columns = "n INTEGER PRIMARY KEY AUTOINCREMENT, who INT, seen INT"
        session.execute(text(f"CREATE TABLE turn ({columns})"))
    each, alone = 12, 100
    crowds = [process(WRITER, store.path(), first, first + 10, each) for first in (0, 10)]
    single = process(WRITER, store.path(), 20, 21, alone)
    with turns.at(store.path()).turn():
        for crowd in crowds:
            go(crowd)
    go(single)
    assert [end(writer) for writer in (*crowds, single)] == [0, 0, 0]
    with reading(toys) as session:
        rows = session.execute(text("SELECT n, who, seen FROM turn ORDER BY n")).all()
    order = [row.who for row in rows]
    assert Counter(order) == dict.fromkeys(range(20), each) | {20: alone}
    for members in (range(10), range(10, 20)):
        first = [who for who in order if who in members][:10]
        assert set(first) == set(members), order
    last = max(row.n for row in rows if row.who < 20)
    before = sorted(row.n - row.seen - 1 for row in rows if row.who == 20 and row.n < last)
    assert before[len(before) // 2] <= 6, "one writes after few, however many wait elsewhere"


def test_threads_take_turns_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    line = Turns(tmp_path / "x.db")
    order: list[int] = []

    def write(number: int) -> None:
        with line.turn():
            order.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(30)]
    with line.turn():
        for number, thread in enumerate(threads):
            thread.start()
            while len(line._line) == number:
                pass
    for thread in threads:
        thread.join()
    assert order == list(range(30))


def test_an_impatient_writer_gets_an_error_and_leaves_the_line(tmp_path: Path) -> None:
    line = Turns(tmp_path / "x.db")
    log: list[str] = []

    def try_to_write() -> None:
        with pytest.raises(NoTurn), line.turn(patience=0.0):
            log.append("turn")

    with line.turn():
        thread = threading.Thread(target=try_to_write)
        thread.start()
        thread.join()
    with line.turn(patience=0.0):
        log.append("turn after it")
    assert log == ["turn after it"]


def test_a_long_line_admits_only_patient_writers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "MOST", 0)
    line = Turns(tmp_path / "x.db")
    log: list[str] = []

    def write(patience: float | None) -> None:
        try:
            with line.turn(patience):
                log.append("wrote")
        except NoTurn:
            log.append("refused")

    with line.turn():
        impatient = threading.Thread(target=write, args=(1000.0,))
        impatient.start()
        impatient.join()
        waits = threading.Thread(target=write, args=(None,))
        waits.start()
    waits.join()
    assert log == ["refused", "wrote"]


def test_a_process_that_is_killed_gives_its_turn_back(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    holder = process(HOLDER, file)
    has_turn = threading.Event()

    def write() -> None:
        with Turns(file).turn():
            has_turn.set()

    thread = threading.Thread(target=write)
    thread.start()
    assert not has_turn.wait(0.05)
    holder.kill()
    end(holder)
    thread.join()
    assert has_turn.is_set()


def test_an_exception_ends_the_turn(tmp_path: Path) -> None:
    line = Turns(tmp_path / "x.db")
    with pytest.raises(ZeroDivisionError), line.turn():
        raise ZeroDivisionError
    with line.turn(patience=0.0):
        pass


def test_no_file_is_created_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "x.db-queue").symlink_to(tmp_path / "elsewhere")
    line = Turns(tmp_path / "x.db")
    with pytest.raises(OSError, match="symbolic"), line.turn():
        pass
    assert not (tmp_path / "elsewhere").exists()
    (tmp_path / "x.db-queue").unlink()
    with line.turn(patience=0.0):
        pass


def test_readers_wait_for_nobody(toys: Engine) -> None:
    with writing(toys), reading(toys) as session:
        assert session.execute(text("SELECT 1")).scalar_one() == 1
