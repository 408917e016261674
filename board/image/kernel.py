"""The kernel's options, obtained by its own kconfig from its sources, without building it.

As Buildroot does (package/pkg-kconfig.mk), fragments come after the defconfig, each after the one
before, and `olddefconfig` answers the rest. Options that Buildroot sets itself, for packages and
for the form of the image, are not among them, and the compiler queried for its abilities is the
machine's; the check of a finished build sees the rest.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from image import archives, options
from image.buildroot import run

ARCHITECTURE = "x86"
TOOLS = ("gcc", "flex", "bison", "make")
# What kconfig reads and runs: menus, defconfigs, Makefiles and scripts.
_WANTED = re.compile(
    r"(?:.*/)?(?:Kconfig|Makefile)[^/]*|Kbuild|scripts/.*|arch/x86/configs/.*|.*\.config"
)


def lacking_tools() -> list[str]:
    """Return which of TOOLS the machine has not."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def obtained(archive: Path, defconfig: str, fragments: Iterable[Path]) -> dict[str, str]:
    """Return the options that a kernel has by `fragments` after its own `defconfig`.

    Raises buildroot.Failed, tarfile.TarError and OSError.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        archives.unpack(archive, source, lambda path: bool(_WANTED.fullmatch(path)))
        make = ["make", "--silent", f"--directory={source}", f"ARCH={ARCHITECTURE}"]
        run([*make, f"{defconfig}_defconfig"])
        config = source / ".config"
        with config.open("a") as file:
            file.writelines(fragment.read_text() + "\n" for fragment in fragments)
        run([*make, "olddefconfig"])
        return options.obtained(config)
