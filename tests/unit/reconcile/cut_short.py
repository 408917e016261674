"""A change is cut short at each of its steps, and the reconciler must converge.

The change runs once undisturbed, which gives the state that it must lead to. Meanwhile the array is
kept before and after each step: the state in which a kill at that step would leave it. The
reconciler then starts on each of these, with and without a power cut between; with one, once for
all moments that left the same on disks.
"""

from __future__ import annotations

import difflib
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from scenarios import Scenario
from simulator import Simulator, Snapshot, commits

from sanstone.core.database import store


def require_convergence(array: Simulator, folder: Path, scenario: Scenario) -> None:
    """Make a scenario's change, and require its outcome of each moment that it is cut short at."""
    array.start()
    array.settle()
    log = array.kernel.interrupt.log
    first = len(log)
    states = states_at_each_step(array, scenario, folder)
    assert len(log) - first >= scenario.least_steps
    assert len(states) > scenario.least_steps or (states == {} and scenario.least_steps == 0)
    undisturbed = array.dump()
    array.reboot()
    array.settle()
    rebooted = array.dump()
    booted = set[str]()
    for moment, (snapshot, rows) in states.items():
        array.load(snapshot)
        array.settle()
        _require(array, undisturbed, f"killed {moment}")
        # Most steps leave nothing on disks: cut off after any of them, the machine boots alike.
        lasting = snapshot.kernel.lasting() + rows
        if lasting not in booted:
            booted.add(lasting)
            array.load(snapshot)
            array.reboot()
            array.settle()
            _require(array, rebooted, f"power cut {moment}")


class MomentaryState(NamedTuple):
    """An array at a moment, and the content of its database."""

    snapshot: Snapshot
    rows: str


def states_at_each_step(
    array: Simulator, scenario: Scenario, folder: Path
) -> dict[str, MomentaryState]:
    """Make the change. Return the array before and after each of its steps, by the moment.

    If machine and database are the same after a step and before the next, they are returned once.
    """
    kernel = array.kernel
    first = len(kernel.interrupt.log)
    states: dict[str, MomentaryState] = {}
    last: tuple[int, int, list[str]] | None = None
    rows: dict[int, str] = {}
    with closing(sqlite3.connect(store.path())) as watcher:

        def keep() -> None:
            nonlocal last
            step, commit = len(kernel.interrupt.log) - first, commits(watcher)
            now = step, commit, list(kernel.services.started)
            if now != last:
                snapshot = array.snapshot(folder / f"state-{len(states)}")
                snapshot.kernel.interrupt.clear()
                if commit not in rows:
                    rows[commit] = "\n".join(watcher.iterdump())
                states[f"after step {step}, commit {commit}"] = MomentaryState(
                    snapshot, rows[commit]
                )
            last = now

        kernel.interrupt.at_each_point = keep
        scenario.change(array)
        array.settle()
        kernel.interrupt.clear()
    return states


def _require(array: Simulator, expected: str, moment: str) -> None:
    left, right = array.dump().splitlines(), expected.splitlines()
    changed = "\n".join(difflib.unified_diff(right, left, lineterm="", n=0))
    assert not changed, f"{moment}:\n{changed}"
