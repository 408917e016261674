"""Sequences of requests at random, with all kinds of failures in between.

The reconciler is killed at a random step, with and without a power cut; the kernel refuses a random
operation; ports and disks come and go; the machine restarts. After each of these, once everything
is back and a minute has passed, no pool may hold a device without a row or miss one with its data,
and a look at everything must find nothing to do. The latter must hold after each single turn, too,
however small. After every few of them the machine must be what a reconciler that
knows nothing would build of the database on a machine that was just switched on.

The seeds are fixed; a failure names its seed and the steps so far.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from machine_state import comparable, difference, pools
from random_requests import Request, Requests
from simulator import Simulator, simulated
from sqlalchemy import select
from werkzeug.test import TestResponse

from sanstone.core.database.change import Removal
from sanstone.core.database.store import reading
from sanstone.core.jobs import FAILURE, SUCCESS, Job
from sanstone.kernel import names
from sanstone.kernel.host import HostError
from sanstone.model.nvme import Namespace
from sanstone.model.san import Lun

SEEDS = tuple(map(int, os.environ.get("SEEDS", "1 2 3 4 5").split()))
LENGTH = 45
BUILT_ANEW_EVERY = 3
"""Steps from one comparison with a machine that was just switched on to the next. A difference
stays until somebody repairs it, and the story lists the steps since."""
STEPS = (1, 2, 3, 5, 8, 13, 21, 34)
"""Numbers of the step at which something happens."""


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array without configuration."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder) as simulator:
        yield simulator


@pytest.mark.parametrize("seed", SEEDS)
def test_the_machine_matches_the_database(array: Simulator, tmp_path: Path, seed: int) -> None:
    run = Run(array, Random(seed), tmp_path)
    with run.story_on_failure():
        run.begin()
        for number in range(1, LENGTH + 1):
            run.step()
            if number % BUILT_ANEW_EVERY == 0:
                run.check_against_a_new_start()


class Run:
    """One sequence on one array."""

    def __init__(self, array: Simulator, random: Random, folder: Path) -> None:
        self._array, self._random, self._folder = array, random, folder
        self._requests = Requests(random, array)
        self._story: list[str] = []
        self._data: dict[str, int] = {}
        """Bytes that hosts wrote, by the UUID of the LUN or namespace."""

    @contextmanager
    def story_on_failure(self) -> Iterator[None]:
        """Note the story so far on an exception."""
        try:
            yield
        except BaseException as error:
            error.add_note("\n".join(self._story))
            raise

    def begin(self) -> None:
        """Have something to work on."""
        for request in self._requests.foundation():
            assert self._send(request).status_code < 300
        self._check()

    def step(self) -> None:
        """Do something, and look whether all is well."""
        events: dict[Callable[[], None], int] = {
            self._plain: 10,
            self._killed: 4,
            self._power_cut: 3,
            self._refuse_one: 4,
            self._restarted: 1,
            self._without_port: 1,
            self._without_disk: 1,
            self._late_disk: 1,
        }
        self._random.choices(list(events), list(events.values()))[0]()
        self._write()
        self._check()

    def _plain(self) -> None:
        for _ in range(3):
            response = self._send(self._requests.draw())
            assert response.status_code < 500, response.get_data(as_text=True)
            self._check_turn()

    def _killed(self) -> None:
        request, step = self._requests.draw(), self._random.choice(STEPS)
        done = self._random.random() < 0.5
        self._story.append(f"killed {'after' if done else 'before'} step {step}:")
        with self._array.killed(step, done=done):
            self._send(request)
        self._array.recover()

    def _power_cut(self) -> None:
        request, step = self._requests.draw(), self._random.choice(STEPS)
        self._story.append(f"power cut before step {step}:")
        with self._array.killed(step, done=False):
            self._send(request)
        self._array.kernel.reboot()
        self._array.recover()

    def _refuse_one(self) -> None:
        """Refuse one operation, and it alone, as long as the request is under way."""
        number, steps = self._random.choice(STEPS), list[str]()

        def refuse(step: str) -> bool:
            steps.append(step)
            return step == steps[number - 1] if len(steps) >= number else False

        self._story.append(f"step {number} refused:")
        self._array.kernel.fail_when(refuse, HostError("refused by the test"))
        self._send(self._requests.draw())
        self._array.kernel.interrupt.clear()

    def _restarted(self) -> None:
        self._story.append("restart")
        self._array.reboot()
        self._array.settle()

    def _without_port(self) -> None:
        port = self._random.choice(("e0a", "e0b", "e0c"))
        self._story.append(f"without {port}:")
        self._array.kernel.remove_link(port)
        self._array.settle()
        for _ in range(2):
            self._send(self._requests.draw())
        self._array.kernel.add_link(port)

    def _without_disk(self) -> None:
        disk = self._pull()
        self._look_for_disks()
        for _ in range(2):
            self._send(self._requests.draw())
        self._array.kernel.add_disk(disk)
        self._look_for_disks()

    def _late_disk(self) -> None:
        disk = self._pull()
        self._story.append("restart")
        self._array.reboot()
        self._array.settle()
        self._send(self._requests.draw())
        self._array.kernel.add_disk(disk)
        self._look_for_disks()

    def _pull(self) -> str:
        present = self._array.kernel.storage.disks.present
        disk: str = self._random.choice(sorted(name for name in present if name.startswith("sd")))
        self._story.append(f"without {disk}:")
        self._array.kernel.remove_disk(disk)
        return disk

    def _look_for_disks(self) -> None:
        self._array.reconciler.rescan()
        self._array.settle()

    def _send(self, request: Request) -> TestResponse:
        self._story.append(f"{request.method} {request.path} {request.body or ''}")
        response = self._array.call(request.method, request.path, request.body)
        answer = response.get_json()
        text = answer.get("error", {}).get("message", "")
        self._story.append(f"    {response.status_code} {text}")
        return response

    def _write(self) -> None:
        """Have hosts write to all LUNs and namespaces."""
        for uuid, pool, thin_id in self._rows():
            there = pools(self._array.kernel)[pool]
            if uuid in self._data:
                assert thin_id in there.volumes, f"data of {uuid} are lost"
                assert there.occupied(thin_id) == self._data[uuid], f"data of {uuid} are lost"
            elif thin_id in there.volumes:
                there.write(thin_id, 65536 * self._random.randint(1, 9))
                self._data[uuid] = there.occupied(thin_id)

    def _rows(self) -> list[tuple[str, str, int]]:
        """Return UUID, pool and id of every LUN and namespace."""
        with reading(self._array.database) as session:
            return [
                (row.uuid, names.pool_device(row.volume.aggregate_uuid), row.thin_id)
                for kind in (Lun, Namespace)
                for row in session.scalars(select(kind))
            ]

    def _check(self) -> None:
        """Assert everything that must hold once the array is left alone."""
        self._array.settle()
        self._array.reconciler.look_thoroughly()
        self._array.settle()
        with reading(self._array.database) as session:
            states = set(session.scalars(select(Job.state)))
            assert states <= {SUCCESS, FAILURE}
            assert not session.scalars(select(Removal)).all(), "something was not destroyed"
        expected: dict[str, set[int]] = {pool: set() for pool in pools(self._array.kernel)}
        for _, pool, thin_id in self._rows():
            expected[pool].add(thin_id)
        there = {name: pool.volumes.keys() for name, pool in pools(self._array.kernel).items()}
        assert there == expected
        self._check_idle()

    def _check_idle(self) -> None:
        """Assert that a reconciler that looks at everything finds nothing to do."""
        self._array.start()
        log = self._array.kernel.interrupt.log
        before = len(log)
        self._array.settle()
        # After every start namespaces read their sizes anew, whether they grew or not.
        steps = [step for step in log[before:] if "revalidate_size" not in step]
        assert steps == []

    def _check_turn(self) -> None:
        """Assert that a look at everything finds nothing that the last turn left undone."""
        if not self._array.reconciler.memory.faults.by_owner():
            incremental = self._array.reconciler
            self._check_idle()
            self._array.reconciler = incremental

    def check_against_a_new_start(self) -> None:
        """Assert that the machine is as a start would build it from the database."""
        live = comparable(self._array.kernel)
        folder = self._folder / f"kept-{len(self._story)}"
        snapshot = self._array.snapshot(folder, running=True)
        self._array.reboot()
        self._array.settle()
        built = comparable(self._array.kernel)
        self._array.load(snapshot)
        changed = difference(live, built)
        assert not changed, changed
