"""Tests on machines, each where it is quickest: `python3 -m lab.suites [argument of pytest …]`.

Where KVM works all of them run in QEMU, and so they do with an installed image, or with an engine
that SANSTONE_ENGINE names. Else QEMU has to emulate a processor, and runs what it alone can show:
what is marked `qemu`. The other tests run in User-mode Linux after that, several times as fast; its
kernel, which has the product's patches, is built meanwhile. All of them run on two racks side by
side, since a machine keeps to one processor, and waits much.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence

from lab import dependencies, engine, image, paths, uml

NOTHING_SELECTED = 5
"""pytest's exit status where no test is."""
ALL = "tests/vm/"
HALF = {"boot", "drivers", "fabrics", "install", "web"}
"""The folders of ALL for one rack. The others, also new ones, take about as long."""


def main() -> int:
    """Run the tests and return pytest's exit status, the worse one of two."""
    pytest = [sys.executable, "-m", "pytest", *sys.argv[1:]]
    dependencies.install_missing()
    images = image.ensure()
    asked_for = os.environ.get("SANSTONE_IMAGE") or os.environ.get("SANSTONE_ENGINE")
    if asked_for or engine.choose(images["array"]) is engine.KVM or not uml.is_possible():
        return subprocess.call(pytest)
    building = threading.Thread(target=lambda: [uml.prepare(each) for each in images.values()])
    building.start()
    emulated = subprocess.call([*pytest, "-m", "qemu"])
    building.join()
    statuses = {emulated, *_in_user_mode(pytest)}
    return max(statuses - {NOTHING_SELECTED}, default=NOTHING_SELECTED)


def shares(arguments: Sequence[str]) -> list[list[str]]:
    """Return pytest's arguments for each rack in User-mode Linux.

    Where they name ALL there are two, each without the folders of the other.
    """
    arguments = [*arguments, "-m", "not qemu", "--user-mode"]
    if ALL not in arguments:
        return [arguments]
    areas = {path.parent.name for path in (paths.REPOSITORY / ALL).glob("*/test_*.py")}
    one, other = (
        [*arguments, *(f"--ignore={ALL}{area}" for area in sorted(left_out))]
        for left_out in (areas - HALF, HALF)
    )
    return [one, [*other, "--rack", "tests-user-mode-2"]]


def _in_user_mode(pytest: Sequence[str]) -> list[int]:
    """Run the tests in User-mode Linux and return the exit statuses.

    What a second rack has to tell comes when both are done.
    """
    first, *others = (uml.isolated(share) for share in shares(pytest))
    with tempfile.TemporaryFile("w+") as told:
        beside = [subprocess.Popen(other, stdout=told) for other in others]
        statuses = [subprocess.call(first), *(each.wait() for each in beside)]
        told.seek(0)
        print(told.read(), flush=True)
    return statuses


if __name__ == "__main__":
    sys.exit(main())
