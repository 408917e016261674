"""The third layer of an array: Sanstone itself, as `overlay/`, `api/` and `webui/` have it now.

The layer that a change of the code rebuilds, in seconds. It is built as Buildroot builds it: the
overlay is copied, the Python distribution is installed from its wheel, users and units are set up
by systemd's own tools from the overlay's declarations.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from lab import commands, fingerprint, paths, wheels
from lab.layer import Layer, lay

API = paths.REPOSITORY / "api"
OVERLAY = paths.REPOSITORY / "overlay"
WEBUI = paths.REPOSITORY / "webui"
WEB_FILES = WEBUI / "dist"
COLLECTION = paths.REPOSITORY / "output" / "collection" / "sanstone-array.tar.gz"
BROWSER_FILES = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")


def ensure(below: list[Layer]) -> Layer:
    """Build the layer upon Debian's and the wheels' unless it is there."""
    sources = [
        API / "pyproject.toml",
        *sorted(API.glob("requirements*.txt")),
        API / "sanstone",
        OVERLAY,
    ]
    sources += [WEBUI / "package-lock.json", WEB_FILES, COLLECTION, Path(__file__)]
    layer = Layer("product", fingerprint.of([below[-1].key, *sources]))
    layer.ensure(below, _fill)
    return layer


def _fill(root: Path) -> None:
    lay(OVERLAY, root)
    _install_api(root)
    _install_documentation_browser(root)
    shutil.copytree(WEB_FILES, root / "usr/share/sanstone/web")
    served = root / "usr/share/sanstone/docs/ansible"
    served.mkdir()
    shutil.copy(COLLECTION, served)
    commands.run(["chroot", root, "systemd-sysusers"])
    commands.run(["chroot", root, "systemctl", "preset-all"])


def _install_api(root: Path) -> None:
    """Build the wheel from a copy, since setuptools leaves its work beside the sources."""
    work = root / "tmp" / "wheels"
    work.mkdir()
    skipped = shutil.ignore_patterns("build", "*.egg-info", "__pycache__", ".*")
    source = shutil.copytree(API, work / "source", ignore=skipped)
    build: commands.Argv = [wheels.build_python(), "-m", "pip", "wheel", "--quiet", "--no-deps"]
    commands.run([*build, "--no-build-isolation", "--wheel-dir", work, source])
    wheels.install(root, work, "--no-deps", "sanstone")
    shutil.rmtree(work)


def _install_documentation_browser(root: Path) -> None:
    """Copy swagger-ui, of the version that webui/package-lock.json pins, beside its page."""
    modules = WEBUI / "node_modules" / "swagger-ui-dist"
    lock = json.loads((WEBUI / "package-lock.json").read_text())
    version = lock["packages"]["node_modules/swagger-ui-dist"]["version"]
    package = modules / "package.json"
    if not package.exists() or json.loads(package.read_text())["version"] != version:
        commands.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], directory=WEBUI)
    for name in BROWSER_FILES:
        shutil.copy(modules / name, root / "usr/share/sanstone/docs/api")
