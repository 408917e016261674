"""The machine's own programs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

from sanstone.kernel.host import CommandError

PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


class RealCommands:
    """`host.Commands` of this machine: programs of the system's own directories, in English.

    There is no time limit: stopping a program that rewrites metadata half-way does more harm than a
    reconciler that waits, and the unit's watchdog sees the latter.
    """

    def run(self, argv: Sequence[str], *, stdin: str = "") -> str:
        """Run a program and return its standard output; one that is missing ends with 127."""
        program = shutil.which(argv[0], path=PATH)
        if program is None:
            raise CommandError(argv, 127, f"not found in {PATH}")
        done = subprocess.run(
            [program, *argv[1:]],
            input=stdin,
            capture_output=True,
            text=True,
            # A disk may call itself anything, and surrogates cannot be stored.
            errors="backslashreplace",
            check=False,
            env={"PATH": PATH, "LC_ALL": "C.UTF-8"},
        )
        if done.returncode:
            raise CommandError(argv, done.returncode, done.stderr)
        return done.stdout
