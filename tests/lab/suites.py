"""Tests on machines, each where it is quickest: `python3 -m lab.suites [argument of pytest …]`.

Where KVM works all of them run in QEMU, and so they do with an installed image, or with an engine
that SANSTONE_ENGINE names. Else QEMU has to emulate a processor, and runs what it alone can show:
what is marked `qemu`. The other tests run in User-mode Linux after that, several times as fast; its
kernel has the product's patches. All of them run on three racks side by side, since a machine keeps
to one processor, and waits much. The kernel is built before: emulated processors that have to wait
for one another take twice the time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from lab import dependencies, engine, image, paths, uml, uml_kernel

LIMITS = ("--timeout", "1200", "--session-timeout", "3000")
"""Seconds for a test and for those of a rack where KVM does not work, twice and more of what they
take: one that hangs is told of, with what its machines do, before somebody loses patience with the
whole run. What runs in QEMU alone, an installed image's tests above all, takes hours."""
NOTHING_SELECTED = 5
"""pytest's exit status where no test is."""
ALL = "tests/vm/"
SHARES = ({"fabrics", "web"}, {"boot", "drivers", "install", "iscsi", "storage", "update"})
"""The folders of ALL for racks of their own. The others, also new ones, take about as long."""


def main() -> int:
    """Run the tests and return pytest's exit status, the worst one of several."""
    pytest = [sys.executable, "-m", "pytest", *sys.argv[1:]]
    dependencies.install_missing()
    if not build():
        return subprocess.call(pytest)
    pytest += LIMITS
    emulated = subprocess.call([*pytest, "-m", "qemu"])
    statuses = {emulated, *_in_user_mode(pytest)}
    return max(statuses - {NOTHING_SELECTED}, default=NOTHING_SELECTED)


def build() -> bool:
    """Build what is stale of the images. Return whether tests run in User-mode Linux, too.

    Its kernel is built then, while the array's image still is: the host's is enough for a trial of
    KVM. Raises commands.CommandFailed.
    """
    with ThreadPoolExecutor() as beside:
        array = beside.submit(image.ensure, ("array",))
        images = image.ensure(("host",))
        asked_for = os.environ.get("SANSTONE_IMAGE") or os.environ.get("SANSTONE_ENGINE")
        if asked_for or engine.choose(images["host"]) is engine.KVM or not uml.is_possible():
            array.result()
            return False
        uml_kernel.ensure()
        images |= array.result()
    for each in images.values():
        uml.prepare(each)
    return True


def shares(arguments: Sequence[str]) -> list[list[str]]:
    """Return pytest's arguments for each rack in User-mode Linux.

    Where they name ALL there are several, each without the folders of the others.
    """
    arguments = [*arguments, "-m", "not qemu", "--user-mode"]
    if ALL not in arguments:
        return [arguments]
    areas = {path.parent.name for path in (paths.REPOSITORY / ALL).glob("*/test_*.py")}
    first, *others = (
        [*arguments, *(f"--ignore={ALL}{area}" for area in sorted(areas - own))]
        for own in (areas.difference(*SHARES), *SHARES)
    )
    racks = (["--rack", f"tests-user-mode-{number}"] for number, _ in enumerate(others, 2))
    return [first, *(share + rack for share, rack in zip(others, racks, strict=True))]


def _in_user_mode(pytest: Sequence[str]) -> list[int]:
    """Run the tests in User-mode Linux and return the exit statuses.

    What the other racks have to tell comes when all are done.
    """
    first, *others = (uml.isolated(share) for share in shares(pytest))
    with ExitStack() as stack:
        told = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in others]
        beside = [
            subprocess.Popen(other, stdout=file) for other, file in zip(others, told, strict=True)
        ]
        statuses = [subprocess.call(first), *(each.wait() for each in beside)]
        for file in told:
            file.seek(0)
            print(file.read(), flush=True)
    return statuses


if __name__ == "__main__":
    sys.exit(main())
