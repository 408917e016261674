"""Tests on machines, each where it is quickest: `python3 -m lab.suites [argument of pytest …]`.

Where KVM works all of them run in QEMU, and so they do with an installed image. Else QEMU has to
emulate a processor, and runs what it alone can show: what is marked `qemu`. All other tests run in
User-mode Linux after that, whose kernel is built meanwhile.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading

from lab import dependencies, engine, image, uml

NOTHING_COLLECTED = 5
"""pytest's exit status where no test is selected."""


def main() -> int:
    """Run the tests and return pytest's exit status, the worse one of two."""
    pytest = [sys.executable, "-m", "pytest", *sys.argv[1:]]
    dependencies.install_missing()
    images = image.ensure()
    if os.environ.get("SANSTONE_IMAGE") or engine.choose(images["array"]) is engine.KVM:
        return subprocess.call(pytest)
    built = threading.Thread(target=uml.prepare, args=(images["array"],))
    built.start()
    emulated = subprocess.call([*pytest, "-m", "qemu"])
    built.join()
    in_user_mode = subprocess.call(uml.isolated([*pytest, "-m", "not qemu", "--user-mode"]))
    found = {emulated, in_user_mode} - {NOTHING_COLLECTED}
    return max(found, default=NOTHING_COLLECTED)


if __name__ == "__main__":
    sys.exit(main())
