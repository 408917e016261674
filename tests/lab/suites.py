"""Tests on machines, each where it is quickest: `python3 -m lab.suites [argument of pytest …]`.

Where KVM works all of them run in QEMU, and so they do with an installed image, or with an engine
that SANSTONE_ENGINE names. Else QEMU has to emulate a processor, and runs what it alone can show:
what is marked `qemu`. The other tests run in User-mode Linux after that, several times as fast; its
kernel, which has the product's patches, is built meanwhile.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading

from lab import dependencies, engine, image, uml

NOTHING_SELECTED = 5
"""pytest's exit status where no test is."""


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
    in_user_mode = subprocess.call(uml.isolated([*pytest, "-m", "not qemu", "--user-mode"]))
    return max({emulated, in_user_mode} - {NOTHING_SELECTED}, default=NOTHING_SELECTED)


if __name__ == "__main__":
    sys.exit(main())
