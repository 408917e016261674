"""Tests on machines, each where it is quickest.

    python3 -m lab.suites [--part NAME] [argument of pytest …]

Where KVM works all of them run in QEMU, and so they do with an installed image, or with an engine
that SANSTONE_ENGINE names. Else QEMU has to emulate a processor, and runs only the tests that need
it: those marked `qemu`. The others run in User-mode Linux after that, several times as fast; its
kernel has the product's patches. They run on three racks side by side, since a machine keeps to one
processor, and waits much; so does the emulated server, which runs beside them. In QEMU arrays boot
the product's own kernel. Kernels are built before: emulated processors that have to wait for one
another take twice the time. `make test` runs the PARTS of that one by one. Tests end with this
process, also when a signal ends it: their machines would be in the way of the next run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from lab import dependencies, engine, image, kernels, paths, process, product_kernel, uml
from run import record

LIMITS = ("--timeout", "2400")
"""Seconds for a test where KVM does not work, many times as long as one takes: one that hangs ends,
and its machines' state is printed. Tests in QEMU alone, those of an installed image above all, take
hours."""
NOTHING_SELECTED = 5
"""pytest's exit status where no test is."""
ALL = "tests/vm/"
SHARES = ({"fabrics", "web"}, {"boot", "drivers", "install", "iscsi", "storage", "update"})
"""The folders of ALL for racks of their own. The others, also new ones, take about as long."""


ON_SERVER = "tests/vm/drivers/"
"""What runs in QEMU here runs on a server of one processor."""
EMULATED, SERVER = "emulated", "server"
PARTS = (EMULATED, SERVER, *(f"rack{number}" for number in range(1, len(SHARES) + 2)))
"""What runs in QEMU, which is all where User-mode Linux is not used, and the racks."""


def main() -> int:
    """Run the tests and return pytest's exit status, the worst one of several."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--part", choices=PARTS)
    options, arguments = parser.parse_known_args()
    if options.part and ALL not in arguments:
        parser.error(f"--part takes all tests: {ALL}")
    pytest = [sys.executable, "-m", "pytest", *arguments]
    dependencies.install_missing()
    os.environ.setdefault(product_kernel.VARIABLE, product_kernel.PRODUCT)
    if not build():
        if options.part in (None, EMULATED):
            return subprocess.call(process.tied(pytest))
        record.append(nothing="all tests run in QEMU")
        return 0
    pytest += LIMITS
    in_namespaces = (uml.isolated(share) for share in shares(pytest))
    first, *beside = [*map(process.tied, in_qemu(pytest)), *in_namespaces]
    if options.part:
        return subprocess.call([first, *beside][PARTS.index(options.part)])
    statuses = {subprocess.call(first), *_beside(beside)}
    return max(statuses - {NOTHING_SELECTED}, default=NOTHING_SELECTED)


def in_qemu(arguments: Sequence[str]) -> list[list[str]]:
    """Return pytest's arguments for QEMU, and if they name ALL, those of the server apart."""
    arguments = [*arguments, "-m", "qemu"]
    if ALL not in arguments:
        return [arguments]
    on_server = [ON_SERVER if word == ALL else word for word in arguments]
    return [[*arguments, f"--ignore={ON_SERVER}"], on_server]


def build() -> bool:
    """Build stale images. Return whether tests run in User-mode Linux, too.

    Kernels are built while the array's image still is. Raises commands.CommandFailed.
    """
    with ThreadPoolExecutor() as beside:
        array = beside.submit(image.ensure, ("array",))
        in_user_mode = build_kernel()
        images = array.result()
    if in_user_mode:
        for each in (images | image.ensure(("host",))).values():
            uml.prepare(each)
    return in_user_mode


def build_kernel() -> bool:
    """Build stale kernels. Return whether tests run in User-mode Linux.

    The host's image is enough for a trial of KVM. Raises commands.CommandFailed.
    """
    host = image.ensure(("host",))["host"]
    if os.environ.get("SANSTONE_IMAGE"):
        return False
    needed = [kernels.PRODUCT] if product_kernel.is_selected() else []
    in_user_mode = (
        not os.environ.get("SANSTONE_ENGINE")
        and engine.choose(host) is not engine.KVM
        and uml.is_possible()
    )
    if in_user_mode:
        needed.append(kernels.USER_MODE)
    kernels.ensure(*needed)
    return in_user_mode


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


def _beside(parts: Sequence[list[str]]) -> list[int]:
    """Run the tests side by side and return the exit statuses.

    The output of all but the last is printed when all are done.
    """
    *others, last = parts
    with ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in others]
        running = [
            subprocess.Popen(other, stdout=file) for other, file in zip(others, files, strict=True)
        ]
        statuses = [subprocess.call(last), *(each.wait() for each in running)]
        for file in files:
            file.seek(0)
            print(file.read(), flush=True)
    return statuses


if __name__ == "__main__":
    sys.exit(main())
