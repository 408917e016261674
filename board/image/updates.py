"""`make check-updates`: what of all that is pinned is older than upstream's newest?

    python3 -m image.updates --pin VERSION COMMIT --repository URL --python INTERPRETER
        [--from FOLDER] [--buildroot TREE --sbom FILE] CONFIG

It queries kernel.org, the repositories of Buildroot and of our packages, npm and pip, or the files
in FOLDER in their place (upstream.py). TREE's own tool says which CVEs apply to what FILE, the SBOM
of an image, lists (vulnerabilities.py). It prints one table of older parts, and the CVEs that
nobody reviewed. The exit status is 2 when a source did not answer, else 1 when there are such CVEs;
all other answers are printed all the same.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from image import options, vulnerabilities
from image.repository import REPOSITORY
from image.upstream import Unreachable, Upstream
from image.versions import ordered

WEBUI = REPOSITORY / "webui"
PACKAGES = REPOSITORY / "package"
PINS_OF_PYTHON = (REPOSITORY / "api/requirements.txt", REPOSITORY / "tests/requirements.txt")
KERNEL = "BR2_LINUX_KERNEL_CUSTOM_VERSION_VALUE"
_GITHUB = re.compile(r"_SITE = \$\(call github,([^,]+),([^,]+),")
_VERSION = re.compile(r"^\w+_VERSION = ([\w.]+)$", re.MULTILINE)
_PIN = re.compile(r"^([\w.-]+)==(\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """Something pinned, and upstream's releases; `in_line` is the newest that changes little.

    It is empty where upstream has none, or does not tell.
    """

    name: str
    pinned: str
    in_line: str
    newest: str


def main() -> int:
    """Ask, print the table, and return the exit status."""
    parser = argparse.ArgumentParser(prog="image.updates", description="List outdated parts.")
    parser.add_argument("config", type=Path)
    parser.add_argument("--pin", nargs=2, required=True, metavar=("VERSION", "COMMIT"))
    parser.add_argument("--repository", required=True)
    parser.add_argument("--python", type=Path, required=True)
    parser.add_argument("--from", dest="folder", type=Path)
    parser.add_argument("--buildroot", type=Path)
    parser.add_argument("--sbom", type=Path, required=True)
    chosen = parser.parse_args()
    upstream = Upstream(chosen.folder)
    queries: list[Callable[[], Iterable[Part]]] = [
        lambda: [buildroot(upstream, chosen.pin[0], chosen.repository)],
        lambda: [kernel(upstream, chosen.config)],
        *(lambda recipe=recipe: [package(upstream, recipe)] for recipe in _recipes()),
        lambda: npm(upstream),
        lambda: python(upstream, chosen.python),
    ]
    parts: list[Part] = []
    unreachable = []
    for ask in queries:
        try:
            parts += ask()
        except Unreachable as error:
            unreachable.append(str(error))
    _print_table([part for part in parts if ordered(part.pinned) < ordered(part.newest)])
    applying: list[str] = []
    try:
        applying = vulnerabilities.check(chosen.buildroot, chosen.sbom, chosen.folder)
    except Unreachable as error:
        unreachable.append(str(error))
    for line in applying:
        print(line)
    for line in unreachable:
        print(f"not asked: {line}", file=sys.stderr)
    return 2 if unreachable else int(bool(applying))


def buildroot(upstream: Upstream, pinned: str, repository: str) -> Part:
    """Compare Buildroot: releases of one line begin with the same year and month."""
    releases = upstream.releases("buildroot", repository)
    return _part("Buildroot", pinned, releases, digits=2)


def kernel(upstream: Upstream, config: Path) -> Part:
    """Compare the kernel; a line that kernel.org has no more has ended. Raises OSError."""
    pinned = options.obtained(config)[KERNEL].strip('"')
    kernel_org = upstream.kernel_releases()
    try:
        releases = [each["version"] for each in kernel_org["releases"]]
        newest = kernel_org["latest_stable"]["version"]
    except (KeyError, TypeError) as error:
        raise Unreachable(f"kernel.org's releases have another form: {error}") from error
    numbered = [version for version in releases if re.fullmatch(r"[\d.]+", version)]
    part = _part("Linux", pinned, numbered, digits=2)
    return Part(part.name, part.pinned, part.in_line or "ended", newest)


def package(upstream: Upstream, recipe: Path) -> Part:
    """Compare a package of ours: releases of one line begin with the same number."""
    text = recipe.read_text()
    site, version = _GITHUB.search(text), _VERSION.search(text)
    if site is None or version is None:
        raise Unreachable(f"{recipe.stem}: its recipe names no repository and version")
    repository = f"https://github.com/{site[1]}/{site[2]}.git"
    return _part(recipe.stem, version[1], upstream.releases(recipe.stem, repository), digits=1)


def npm(upstream: Upstream) -> Iterator[Part]:
    """Compare the packages of the web interface; npm names those alone that are outdated."""
    manifest = json.loads((WEBUI / "package.json").read_text())
    pins = manifest["dependencies"] | manifest["devDependencies"]
    for name, tags in upstream.npm(WEBUI).items():
        pinned = pins[name].rpartition("@")[2]
        yield _part(f"npm: {name}", pinned, [tags["latest"]], digits=1)


def python(upstream: Upstream, interpreter: Path) -> Iterator[Part]:
    """Compare Python packages; what only comes with others is none of ours."""
    outdated = {
        _normalised(each["name"]): each["latest_version"] for each in upstream.python(interpreter)
    }
    for file in PINS_OF_PYTHON:
        for name, pinned in _PIN.findall(file.read_text()):
            newest = outdated.get(_normalised(name))
            if newest:
                yield _part(f"Python: {name}", pinned, [newest], digits=1)


def _recipes() -> list[Path]:
    """Return the recipes of packages that are downloaded."""
    recipes = sorted(PACKAGES.glob("*/*.mk"))
    return [recipe for recipe in recipes if "_SITE_METHOD = local" not in recipe.read_text()]


def _part(name: str, pinned: str, releases: list[str], *, digits: int) -> Part:
    """Compare with the newest of `releases`, and with those of the same first `digits`."""
    newest = max(releases, key=ordered)
    line = [each for each in releases if ordered(each)[:digits] == ordered(pinned)[:digits]]
    return Part(name, pinned, max(line, key=ordered, default=""), newest)


def _normalised(name: str) -> str:
    """Return a distribution's name as PEP 503 compares names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _print_table(parts: list[Part]) -> None:
    rows = [("part", "pinned", "newest in its line", "newest")]
    rows += [(part.name, part.pinned, part.in_line, part.newest) for part in parts]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if not parts:
        print("nothing that was asked about is older than upstream's newest")
        return
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())


if __name__ == "__main__":
    sys.exit(main())
