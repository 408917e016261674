"""Work beside the turns."""

from __future__ import annotations

import threading

import pytest

from fakes import FakeKernel
from lab.patience import eventually
from sanstone.core.tasks import Task
from sanstone.reconcile.tasks.background import Background
from sanstone.reconcile.tasks.recorder import Recorder

TASK = Task("test", "Does what a test asks for.")


def test_work_is_done_while_others_go_on() -> None:
    started, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        started.set()
        assert may_end.wait()
        ended.set()

    background = Background(TASK, Recorder(FakeKernel().host.files), work)
    background.wake()
    assert started.wait() and not ended.is_set()
    may_end.set()
    assert ended.wait()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_ended_on_a_fault_is_started_anew() -> None:
    threads: list[threading.Thread] = []
    succeeded = threading.Event()

    def work() -> None:
        threads.append(threading.current_thread())
        if len(threads) == 1:
            raise ValueError("a fault")
        succeeded.set()

    background = Background(TASK, Recorder(FakeKernel().host.files), work)
    background.wake()
    eventually(lambda: bool(threads))
    threads[0].join()
    background.wake()
    assert succeeded.wait()
    assert threads[0] is not threads[1]
