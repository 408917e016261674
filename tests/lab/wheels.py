"""The second layer of an array: the Python packages that the product depends on.

uv installs them for the image's own Python, in the stack, so that the packages fit and are
compiled; it takes half of the time of pip. The image has no such program (the product needs none)
and its chroot no network, so the wheels are fetched outside, by pip, and uv is copied beside them.
"""

from __future__ import annotations

import shutil
import sys
from functools import partial
from pathlib import Path

from lab import commands, fingerprint, paths
from lab.layer import Layer

REQUIREMENTS = paths.REPOSITORY / "api" / "requirements.txt"
UV = "uv==0.13.9"
SETUPTOOLS = "setuptools==84.2.1"
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")


def ensure(below: Layer) -> Layer:
    """Build the layer upon Debian's unless it is there."""
    key = fingerprint.of([below.key, REQUIREMENTS, Path(__file__)])
    layer = Layer("wheels", key, below.directory)
    layer.ensure([below], partial(_fill, below))
    return layer


def build_python() -> Path:
    """Return the Python of a virtual environment that can build and fetch wheels."""
    environment = paths.LAB / "python"
    stamp = environment / f"{UV}-{SETUPTOOLS}"
    python = environment / "bin" / "python"
    if not stamp.exists():
        shutil.rmtree(environment, ignore_errors=True)
        commands.run([sys.executable, "-m", "venv", environment])
        commands.run([python, "-m", "pip", "install", "--quiet", UV, SETUPTOOLS])
        stamp.touch()
    return python


def install(root: Path, wheels: Path, *names: str) -> None:
    """Install `names` into the image at `root` from the folder `wheels`.

    The folder must lie under `root`, where the image's Python can see it.
    """
    inside = Path("/") / wheels.relative_to(root)
    shutil.copy(build_python().with_name("uv"), wheels)
    # Debian's Python puts packages under /usr/local unless this says that a distribution installs.
    environment = {"DEB_PYTHON_INSTALL_LAYOUT": "deb", "TMPDIR": str(inside)}
    program: commands.Argv = ["chroot", root, inside / "uv", "pip", "install", "--no-config"]
    options = ["--quiet", "--system", "--break-system-packages", "--compile-bytecode", "--no-cache"]
    where = ["--no-index", "--find-links", str(inside)]
    commands.run([*program, *options, *where, *names], environment=environment)


def _fill(below: Layer, root: Path) -> None:
    version = next((below.tree / "usr/lib").glob("python3.*")).name.removeprefix("python")
    wheels = root / "tmp" / "wheels"
    wheels.mkdir()
    target = ["--only-binary=:all:", "--implementation", "cp", "--python-version", version]
    for platform in PLATFORMS:
        target += ["--platform", platform]
    fetch: commands.Argv = [build_python(), "-m", "pip", "download", "--quiet", "--dest", wheels]
    commands.run([*fetch, *target, "--requirement", REQUIREMENTS])
    requirements = shutil.copy(REQUIREMENTS, wheels)
    install(root, wheels, "--requirement", str(Path("/") / Path(requirements).relative_to(root)))
    shutil.rmtree(wheels)
