"""`make image` asks before it builds: what does this machine lack?

    python3 -m image.machine OUTPUT

OUTPUT is where Buildroot builds. Printed is a line for each thing, all at once, and at the end what
to install on Debian; the exit status is then 1. What Buildroot itself asks for is listed in its
manual, "Mandatory packages", and tested one by one in its support/dependencies/dependencies.sh.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from image.repository import REPOSITORY
from image.versions import ordered

# By Debian's names of the packages that have them. The last four are ours: the web interface, keys.
PROGRAMS = {
    "which": "debianutils",
    "sed": "sed",
    "/usr/bin/file": "file",
    "make": "make",
    "gcc": "gcc",
    "g++": "g++",
    "ld": "binutils",
    "bash": "bash",
    "perl": "perl",
    "tar": "tar",
    "gzip": "gzip",
    "bzip2": "bzip2",
    "wget": "wget",
    "cpio": "cpio",
    "unzip": "unzip",
    "rsync": "rsync",
    "bc": "bc",
    "cmp": "diffutils",
    "find": "findutils",
    "xargs": "findutils",
    "awk": "mawk",
    "patch": "patch",
    "git": "git",
    "node": "nodejs",
    "npm": "npm",
    "openssl": "openssl",
}
OLDEST = {"make": "3.81", "gcc": "4.8", "g++": "4.8", "git": "2.0.0", "patch": "2.7"}
PERL_MODULES = (
    "Data::Dumper",
    "English",
    "ExtUtils::MakeMaker",
    "FindBin",
    "IPC::Cmd",
    "Thread::Queue",
    "open=:std",
)
"""What autoconf, automake, OpenSSL, libxml-parser-perl and libxcrypt are built with."""
FIRST_BUILD = 25
LATER_BUILD = 5
"""GB that are free then: guessed, not measured."""
LOCK = REPOSITORY / "webui/package-lock.json"
SIGNING = REPOSITORY / "board/common/signing.sh"
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_RANGE = re.compile(r"(\^|>=)\s*(\d+(?:\.\d+)*)")


@dataclass(frozen=True)
class Lack:
    """What the machine lacks, in a line, and Debian's package that has it, if one does."""

    line: str
    package: str = ""


def main() -> int:
    """Look at the machine for the build in the folder of the command line; return the status."""
    parser = argparse.ArgumentParser(prog="image.machine", description="What does it lack?")
    parser.add_argument("output", type=Path)
    missing = list(lacks(parser.parse_args().output, os.environ))
    for lack in missing:
        print(lack.line, file=sys.stderr)
    packages = sorted({lack.package for lack in missing if lack.package})
    if packages:
        print(f"on Debian: apt-get install {' '.join(packages)}", file=sys.stderr)
    return 1 if missing else 0


def lacks(output: Path, environment: Mapping[str, str]) -> Iterator[Lack]:
    """Return all that stands in the way of a build in `output`, a folder that exists.

    Raises OSError where it cannot be written to.
    """
    there = {program for program in PROGRAMS if shutil.which(program)}
    for program, package in PROGRAMS.items():
        if program not in there:
            yield Lack(f"{program} is not installed", package)
    yield from _too_old(there)
    if "perl" in there:
        yield from _perl_modules()
    yield from _locale()
    yield from _variables(environment)
    yield from _folder(output)
    if "openssl" in there:
        yield from _signing(output)


def _too_old(there: set[str]) -> Iterator[Lack]:
    for program, oldest in OLDEST.items():
        version = _version(program) if program in there else None
        if version and ordered(version) < ordered(oldest):
            line = f"{program} is {version}; Buildroot needs {oldest} or later"
            yield Lack(line, PROGRAMS[program])
    node = _version("node") if "node" in there else None
    required = json.loads(LOCK.read_text())["packages"]["node_modules/vite"]["engines"]["node"]
    if node and not in_range(node, required):
        yield Lack(f"node is {node}; the web interface is built by {required}", PROGRAMS["node"])


def in_range(version: str, required: str) -> bool:
    """Return whether a version is in a range of npm's: `^` and `>=`, joined by `||`, alone.

    Raises ValueError for another range.
    """
    there = ordered(version)
    for part in required.split("||"):
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"no range of versions that is understood: {required}")
        least = ordered(match[2])
        if there >= least and (match[1] == ">=" or there[0] == least[0]):
            return True
    return False


def _version(program: str) -> str | None:
    match = _VERSION.search(_said(program, "--version"))
    return match[0] if match else None


def _said(*argv: str) -> str:
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout


def _perl_modules() -> Iterator[Lack]:
    for module in PERL_MODULES:
        argv = ["perl", f"-M{module}", "-e", "1"]
        if subprocess.run(argv, capture_output=True, check=False).returncode:
            yield Lack(f"perl has no module {module.partition('=')[0]}", PROGRAMS["perl"])


def _locale() -> Iterator[Lack]:
    """The machine's locales build glibc's, and one of them has to be of UTF-8."""
    if shutil.which("locale") is None:
        yield Lack("locale is not installed", "libc-bin")
    elif not re.search(r"utf-?8$", _said("locale", "-a"), re.IGNORECASE | re.MULTILINE):
        yield Lack("there is no locale of UTF-8", "locales")


def _variables(environment: Mapping[str, str]) -> Iterator[Lack]:
    path = environment.get("PATH", "")
    if re.search(r"\s", path):
        yield Lack(f"PATH has a space, a tab or the end of a line in it: {path}")
    for name in ("PATH", "LD_LIBRARY_PATH"):
        if {"", "."} & set(environment.get(name, "/").split(":")):
            yield Lack(f"{name} has the working directory in it: {environment[name]}")
    if os.geteuid() == 0 and not environment.get("FORCE_UNSAFE_CONFIGURE"):
        yield Lack("root does not build tar: be a user, or set FORCE_UNSAFE_CONFIGURE=1")


def _folder(output: Path) -> Iterator[Lack]:
    if re.search(r"[\s:]", str(output.resolve())):
        yield Lack(f"the path has a space or a colon in it: {output.resolve()}")
    needed = LATER_BUILD if (output / "build").exists() else FIRST_BUILD
    free = shutil.disk_usage(output).free / 10**9
    if free < needed:
        yield Lack(f"{output}: {free:.0f} GB are free; a build takes about {needed}")
    with tempfile.NamedTemporaryFile(dir=output, prefix="Case") as file:
        lower = Path(file.name).with_name(Path(file.name).name.swapcase())
        if lower.exists():
            yield Lack(f"{output}: the file system takes a and A for the same")


def _signing(output: Path) -> Iterator[Lack]:
    """Have the key read, or a development key created, and pass it on."""
    argv = ["sh", "-ec", '. "$0"', str(SIGNING)]
    environment = {**os.environ, "BASE_DIR": str(output.resolve())}
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        yield Lack(f"no key to sign updates with: {done.stderr.strip().splitlines()[-1]}")
    else:
        # openssl shows how it makes a key after that.
        print("".join(done.stderr.splitlines(keepends=True)[:1]), end="")


if __name__ == "__main__":
    sys.exit(main())
