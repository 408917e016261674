"""The kernels that the lab builds, each kept under a hash of options and patches (see `cache`).

    python3 -m lab.kernels user-mode|product …

They are built one after the other of one unpacked source.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lab import cache, commands, fingerprint, kernel_source, paths, product_kernel, uml_kernel
from lab.kernel_source import BUILD

USER_MODE = "user-mode"
PRODUCT = "product"


@dataclass(frozen=True)
class Kernel:
    """A kernel: `build` writes it to a folder with the file `program`; `parts` are its inputs."""

    title: str
    program: str
    parts: Callable[[], list[str | Path]]
    build: Callable[[Path], None]


KERNELS = {
    USER_MODE: Kernel("User-mode Linux", uml_kernel.PROGRAM, uml_kernel.parts, uml_kernel.build),
    PRODUCT: Kernel(
        "the product's kernel", product_kernel.PROGRAM, product_kernel.parts, product_kernel.build
    ),
}


def ensure(*names: str) -> list[Path]:
    """Build the missing kernels among `names`, and return the folder of each.

    Building needs root, so it runs in a process of its own, by sudo for other users.
    Raises commands.CommandFailed.
    """
    if any(not _is_there(name) for name in names):
        BUILD.mkdir(parents=True, exist_ok=True)
        prefix = [] if os.geteuid() == 0 else ["sudo"]
        # What mmdebstrap mounts goes with it.
        namespace = ["unshare", "--mount", "--propagation", "private"]
        build = [*namespace, sys.executable, "-m", "lab.kernels", *names]
        commands.run([*prefix, "env", *paths.FOR_ROOT, *build], progress=True)
    return [_folder(name) for name in names]


def _folder(name: str) -> Path:
    return BUILD / f"{name}-{fingerprint.of(KERNELS[name].parts())}"


def _is_there(name: str) -> bool:
    return cache.is_intact(_folder(name) / KERNELS[name].program)


def _build(name: str) -> None:
    kernel, folder = KERNELS[name], _folder(name)
    started = time.monotonic()
    print(f"building {kernel.title} ...", file=sys.stderr, flush=True)
    partial = folder.with_suffix(".partial")
    partial.mkdir()
    kernel.build(partial)
    program = partial / kernel.program
    unpublished = program.rename(f"{program}.partial")
    cache.publish(unpublished, program)
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
    cache.drop_old(BUILD.glob(f"{name}-*/"))
    took = time.monotonic() - started
    print(f"building {kernel.title} took {took:.0f} s", file=sys.stderr, flush=True)


def _main(names: list[str]) -> None:
    with cache.locked("build", BUILD):
        # Of builds that were cut short
        for partial in BUILD.glob("*.partial"):
            shutil.rmtree(partial)
        for name in names:
            if not _is_there(name):
                _build(name)
        kernel_source.drop()


if __name__ == "__main__":
    _main(sys.argv[1:])
