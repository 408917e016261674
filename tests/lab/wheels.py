"""The second layer of an array: the Python packages that the product depends on, from pip.

pip runs with the image's own Python, in the stack, so that what it installs fits and is compiled.
The image has no pip (the product needs none) and its chroot no network, so the wheels are fetched
outside and pip is run out of its own wheel.
"""

from __future__ import annotations

import shutil
import sys
from functools import partial
from pathlib import Path

from lab import commands, fingerprint, paths
from lab.layer import Layer

REQUIREMENTS = paths.REPOSITORY / "api" / "requirements.txt"
PIP = "pip==26.3"
SETUPTOOLS = "setuptools==84.2.1"
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")


def ensure(below: Layer) -> Layer:
    """Build the layer upon Debian's unless it is there."""
    key = fingerprint.of([below.key, REQUIREMENTS, Path(__file__)])
    layer = Layer("wheels", key)
    layer.ensure([below], partial(_fill, below))
    return layer


def build_python() -> Path:
    """Return the Python of a virtual environment that can build and fetch wheels."""
    environment = paths.LAB / "python"
    stamp = environment / f"{PIP}-{SETUPTOOLS}"
    python = environment / "bin" / "python"
    if not stamp.exists():
        shutil.rmtree(environment, ignore_errors=True)
        commands.run([sys.executable, "-m", "venv", environment])
        commands.run([python, "-m", "pip", "install", "--quiet", PIP, SETUPTOOLS])
        stamp.touch()
    return python


def install(root: Path, wheels: Path, *names: str) -> None:
    """Install `names` into the image at `root` from the folder `wheels`, which has pip too.

    The folder must lie under `root`, where the image's Python can see it.
    """
    inside = Path("/") / wheels.relative_to(root)
    (pip,) = wheels.glob("pip-*.whl")
    # Debian's Python puts packages under /usr/local unless told that a distribution is installing.
    layout = {"DEB_PYTHON_INSTALL_LAYOUT": "deb", "PIP_CONFIG_FILE": "/dev/null"}
    program: commands.Argv = ["chroot", root, "python3", inside / pip.name / "pip", "install"]
    options = ["--quiet", "--break-system-packages", "--root-user-action=ignore", "--no-index"]
    commands.run([*program, *options, "--find-links", inside, *names], environment=layout)


def download_pip(wheels: Path) -> None:
    """Put pip's own wheel into `wheels`."""
    fetch: commands.Argv = [build_python(), "-m", "pip", "download", "--quiet", "--dest", wheels]
    commands.run([*fetch, "--no-deps", PIP])


def _fill(below: Layer, root: Path) -> None:
    version = next((below.tree / "usr/lib").glob("python3.*")).name.removeprefix("python")
    wheels = root / "tmp" / "wheels"
    wheels.mkdir()
    target = ["--only-binary=:all:", "--implementation", "cp", "--python-version", version]
    for platform in PLATFORMS:
        target += ["--platform", platform]
    fetch: commands.Argv = [build_python(), "-m", "pip", "download", "--quiet", "--dest", wheels]
    commands.run([*fetch, *target, "--requirement", REQUIREMENTS])
    download_pip(wheels)
    requirements = shutil.copy(REQUIREMENTS, wheels)
    install(root, wheels, "--requirement", str(Path("/") / Path(requirements).relative_to(root)))
    shutil.rmtree(wheels)
