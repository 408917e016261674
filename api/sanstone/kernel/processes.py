"""Run programs: the one place in Sanstone that starts a process.

A host's `Commands` use it, and so does `security.openssl`, which the API needs without a host.
Programs come from the system's own directories and print English. There is no shell, unless it is
named as the program.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from sanstone.kernel.host import CommandEndless, CommandError, CommandTimeout, MissingPrograms

PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
_ENVIRONMENT = {"PATH": PATH, "LC_ALL": "C.UTF-8"}
_UNREADABLE = "backslashreplace"
"""A disk or a certificate may have any name, and surrogates cannot be stored."""


@dataclass(frozen=True)
class Bounds:
    """How much a program may take, in bytes: output, as answer and as complaint each, and memory of
    its own (RLIMIT_DATA of setrlimit(2)), where it fails by itself.
    """

    printed: int
    memory: int


class _Printed:
    """A program's output at `descriptor`, up to a number of bytes: it is killed at more."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._reading, self.descriptor = os.pipe()
        self._content = b""

    def read(self, process: subprocess.Popen[str]) -> threading.Thread:
        """Have all of it read by a thread, which is returned."""
        os.close(self.descriptor)
        thread = threading.Thread(target=self._read, args=(process,), name="printed", daemon=True)
        thread.start()
        return thread

    def _read(self, process: subprocess.Popen[str]) -> None:
        with os.fdopen(self._reading, "rb") as file:
            self._content = file.read(self._most + 1)
        if self.is_endless:
            process.kill()

    @property
    def is_endless(self) -> bool:
        """Return whether there is more of it."""
        return len(self._content) > self._most

    @property
    def text(self) -> str:
        """Return the text read so far."""
        return self._content.decode(errors=_UNREADABLE)


def run(
    argv: Sequence[str],
    *,
    stdin: str = "",
    files: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    time_limit: float | None = None,
    bounds: Bounds | None = None,
) -> str:
    """Run a program and return its standard output; a missing program exits with 127.

    An argument `{name}` is replaced by the path of a file in memory (memfd_create(2)) that holds
    `files[name]`: so a secret for a program with one standard input is on no disk and in no
    argument, and no other user can open it. The same is true of the variables of `environment`,
    which is added to the program's. `time_limit` is in seconds. Without one the program may run for
    any time: stopping a program that rewrites metadata does more harm than waiting. A program that
    a stranger has print has `bounds`.

    Raises CommandError, CommandTimeout, and with `bounds` CommandEndless.
    """
    program = _path(argv[0])
    if not program:
        raise CommandError(argv, 127, f"not found in {PATH}")
    with ExitStack() as stack:
        paths = {
            f"{{{name}}}": stack.enter_context(in_memory(name, text))
            for name, text in (files or {}).items()
        }
        printed = [_Printed(bounds.printed) for _ in range(2)] if bounds else []
        process = subprocess.Popen(
            [program, *(paths.get(argument, argument) for argument in argv[1:])],
            stdin=subprocess.PIPE,
            stdout=printed[0].descriptor if printed else subprocess.PIPE,
            stderr=printed[1].descriptor if printed else subprocess.PIPE,
            encoding="utf-8",
            errors=_UNREADABLE,
            pass_fds=tuple(int(path.rpartition("/")[2]) for path in paths.values()),
            env=_ENVIRONMENT | {n: paths.get(v, v) for n, v in (environment or {}).items()},
        )
        if bounds:
            # It has read nothing yet that a stranger has sent.
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (bounds.memory, bounds.memory))
        readers = [each.read(process) for each in printed]
        try:
            output, complaint = process.communicate(stdin, timeout=time_limit)
        except subprocess.TimeoutExpired as error:
            _abandon(process)
            raise CommandTimeout(argv, error.timeout) from error
        if bounds:
            for reader in readers:
                reader.join()
            if any(each.is_endless for each in printed):
                raise CommandEndless(argv, bounds.printed)
            output, complaint = (each.text for each in printed)
    if process.returncode:
        raise CommandError(argv, process.returncode, complaint, output)
    return output


def _abandon(process: subprocess.Popen[str]) -> None:
    """Kill a program without waiting for its end, which a disk that hangs may keep from coming."""
    process.kill()
    threading.Thread(target=process.communicate, name="reaper", daemon=True).start()


def run_on_terminal(argv: Sequence[str]) -> None:
    """Run a program on this process's terminal, with its environment, until it exits.

    The administrator at the terminal sees the result, so the exit status is ignored. Raises
    CommandError when there is no such program.
    """
    program = _path(argv[0])
    if not program:
        raise CommandError(argv, 127, f"not found in {PATH}")
    subprocess.run([program, *argv[1:]], check=False)


def require(programs: Iterable[str]) -> None:
    """Raise MissingPrograms if the system lacks any of these; it names each."""
    missing = sorted(program for program in programs if not _path(program))
    if missing:
        raise MissingPrograms(missing, PATH)


def _path(program: str) -> str:
    """Return the path of a program, '' for none."""
    return shutil.which(program, path=PATH) or ""


@contextmanager
def in_memory(name: str, text: str) -> Iterator[str]:
    """Provide the path of a file in memory with a text, for this process and those that inherit its
    descriptor: no other user can open it (memfd_create(2)).
    """
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        yield f"/proc/self/fd/{descriptor}"
