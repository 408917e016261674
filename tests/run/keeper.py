"""Keeps one step: `python3 keeper.py NICE PROGRAM [argument …]`.

Whatever the program starts is the keeper's, also what goes on in a session of its own, such as a
machine: it ends with the program, with the keeper, which INT and TERM end, and with the run. Its
processor time is counted with the keeper's. The exit status is the program's, as a shell has it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

GRACE = 4
"""Seconds to end in after TERM, and again after KILL."""
BETWEEN_LOOKS = 0.05
# prctl(2)
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
NOT_STARTED = 127
BY_SIGNAL = 128


class Ended(Exception):
    """A signal asks the keeper to end."""


def main(nice: int, command: list[str]) -> int:
    """Run `command`, end the processes that it left, and return its exit status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    library = ctypes.CDLL(None, use_errno=True)
    for option, argument in (
        (PR_SET_CHILD_SUBREAPER, 1),
        (PR_SET_PDEATHSIG, signal.SIGTERM),
    ):
        if library.prctl(option, int(argument), 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
    if nice:
        _lower(nice)
    try:
        return _run(command)
    except Ended as end:
        return BY_SIGNAL + int(end.args[0])
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        _end_descendants()


def _end(number: int, frame: FrameType | None) -> None:
    raise Ended(number)


def _lower(nice: int) -> None:
    """Let others go before, as a session and, where those have no groups, as a process."""
    os.setsid()
    group = Path("/proc/self/autogroup")
    while os.access(group, os.W_OK):
        try:
            group.write_text(str(nice))
            break
        except BlockingIOError:
            # Linux takes ten of these in a second from all users.
            time.sleep(BETWEEN_LOOKS)
    os.nice(nice)


def _run(command: list[str]) -> int:
    try:
        process = subprocess.Popen(command)
    except OSError as error:
        print(f"{command[0]} did not start: {error}", file=sys.stderr)
        return NOT_STARTED
    while True:
        ended, status = os.wait()
        if ended == process.pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            break
    if process.returncode >= 0:
        return process.returncode
    print(f"ended by {signal.Signals(-process.returncode).name}", file=sys.stderr)
    return BY_SIGNAL - process.returncode


def _end_descendants() -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        for each in _descendants():
            _send(number, each)
        deadline = time.monotonic() + GRACE
        while _descendants() and time.monotonic() < deadline:
            time.sleep(BETWEEN_LOOKS)
            _reap()
    _reap()


def _reap() -> None:
    """Take in the processes that have ended, and their processor time."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def _send(number: signal.Signals, process: int) -> None:
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass
    except PermissionError:
        # The program is sudo's: with a password it ends with its work.
        subprocess.run(
            ["sudo", "--non-interactive", "kill", f"-{number}", str(process)],
            check=False,
        )


def _descendants() -> list[int]:
    """Return all processes below this one that have not ended."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        # One that ends meanwhile.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            state, parent = entry.read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state != "Z":
                children.setdefault(int(parent), []).append(int(entry.parent.name))
    processes = children.get(os.getpid(), [])
    for each in processes:
        processes += children.get(each, [])
    return processes


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
