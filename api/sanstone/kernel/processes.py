"""Run programs: the one place in Sanstone that starts a process.

A host's `Commands` use it, and so does `security.openssl`, which the API needs without a host.
Programs come from the system's own directories and print English. There is no shell, unless it is
named as the program.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from sanstone.kernel.host import CommandError, CommandTimeout, MissingPrograms

PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
_ENVIRONMENT = {"PATH": PATH, "LC_ALL": "C.UTF-8"}


def run(
    argv: Sequence[str],
    *,
    stdin: str = "",
    files: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    time_limit: float | None = None,
) -> str:
    """Run a program and return its standard output; a missing program exits with 127.

    An argument `{name}` is replaced by the path of a file in memory (memfd_create(2)) that holds
    `files[name]`: so a secret for a program with one standard input is on no disk and in no
    argument, and no other user can open it. The same is true of the variables of `environment`,
    which is added to the program's. `time_limit` is in seconds. Without one the program may run for
    any time: stopping a program that rewrites metadata does more harm than waiting.

    Raises CommandError, CommandTimeout.
    """
    program = _path(argv[0])
    if not program:
        raise CommandError(argv, 127, f"not found in {PATH}")
    with ExitStack() as stack:
        paths = {
            f"{{{name}}}": stack.enter_context(in_memory(name, text))
            for name, text in (files or {}).items()
        }
        process = subprocess.Popen(
            [program, *(paths.get(argument, argument) for argument in argv[1:])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            # A disk or a certificate may have any name, and surrogates cannot be stored.
            errors="backslashreplace",
            pass_fds=tuple(int(path.rpartition("/")[2]) for path in paths.values()),
            env=_ENVIRONMENT | {n: paths.get(v, v) for n, v in (environment or {}).items()},
        )
        try:
            output, complaint = process.communicate(stdin, timeout=time_limit)
        except subprocess.TimeoutExpired as error:
            _abandon(process)
            raise CommandTimeout(argv, error.timeout) from error
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
