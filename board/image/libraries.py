"""A package of ours against the libraries that Buildroot has for it, without building either.

Two things are looked at: the versions that configure.ac asks of pkg-config, and whether each name
of a library that the sources use is in one of its headers. A header that the library's build
generates counts by its source; one that is not installed counts too, so a name in such a header
alone is not noticed. Other checks of configure are not covered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from image import archives, c_sources
from image.buildroot import Package
from image.versions import ordered

_C_SOURCE = re.compile(r".*\.(?:c|cc|cpp|h|hpp)")
# What `make check` alone would build.
_TEST = re.compile(r"(?:.*/)?(?:unit-)?tests?/.*")
_HEADER = re.compile(r".*\.(?:h|hpp)(?:\.in|\.template)?")
# One that is indented stands under a condition of the shell's.
_PKG_CHECK = re.compile(
    r"^(?P<condition>[ \t]*)PKG_CHECK_MODULES\(\s*\[?\w+\]?\s*,\s*\[?(?P<modules>[^\])]*)\]?",
    re.MULTILINE,
)
_MODULE = re.compile(r"(?P<name>[\w.+-]+)(?:\s*(?P<relation>>=|=)\s*(?P<version>[\w.]+))?")


@dataclass(frozen=True)
class Library:
    """A library's own: its modules of pkg-config, the prefixes of its names and headers."""

    modules: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()


LIBRARIES = {
    "boost": Library(headers=("boost/",)),
    "expat": Library(("expat",), ("XML_",)),
    "gnutls": Library(("gnutls",), ("gnutls_", "GNUTLS_"), ("gnutls/",)),
    "keyutils": Library(("libkeyutils",), ("keyctl_", "KEYCTL_", "KEY_SPEC_", "KEY_REQKEY_")),
    # io_, which others' names begin with as well
    "libaio": Library(),
    "libglib2": Library(("glib-2.0", "gobject-2.0", "gio-2.0"), ("g_", "G_"), ("glib/", "gio/")),
    "libnl": Library(
        ("libnl-3.0", "libnl-genl-3.0", "libnl-route-3.0"),
        ("nl_", "nla_", "nlmsg_", "genl_", "genlmsg_", "NL_", "NLA_"),
        ("netlink/",),
    ),
    "libyaml": Library(("yaml-0.1",), ("yaml_", "YAML_")),
}
"""By Buildroot's names; what a package of ours depends on has a line here."""
WITHOUT_HEADERS = {"skeleton", "toolchain", "python3"}
"""What packages depend on besides."""


@dataclass(frozen=True)
class Sources:
    """Files of a package, by their paths, that name its needs of libraries."""

    package: Package
    texts: Mapping[str, str]

    @property
    def configure(self) -> str:
        """The text of configure.ac, empty where there is none."""
        return self.texts.get("configure.ac", "")


def sources(package: Package, archive: Path) -> Sources:
    """Read what `package` is built of. Raises tarfile.TarError and OSError."""

    def is_wanted(path: str) -> bool:
        return path == "configure.ac" or bool(
            _C_SOURCE.fullmatch(path) and not _TEST.fullmatch(path)
        )

    return Sources(package, archives.read(archive, is_wanted))


def wanted(package: Package) -> list[str]:
    """Return the libraries among what `package` depends on, by Buildroot's names."""
    names = {name for name in package.dependencies if not name.startswith("host-")}
    return sorted(names - WITHOUT_HEADERS)


def unknown(package: Package, packages: Iterable[str]) -> list[str]:
    """Return a line for each dependency that is not built, or that LIBRARIES does not know."""
    lines = []
    for name in wanted(package):
        if name not in packages:
            lines.append(f"{package.name}: depends on {name}, which is not built")
        elif name not in LIBRARIES:
            lines.append(f"{package.name}: depends on {name}, which has no line in LIBRARIES")
    return lines


def unsatisfied(sources: Sources, packages: Mapping[str, Package]) -> list[str]:
    """Return a line for each module that configure.ac asks of pkg-config and would not get."""
    lines = []
    package = sources.package
    owners = {module: name for name in wanted(package) for module in LIBRARIES[name].modules}
    for request in _PKG_CHECK.finditer(sources.configure):
        for module in _MODULE.finditer(request["modules"]):
            owner = owners.get(module["name"])
            if owner is None:
                if not request["condition"]:
                    lines.append(f"{package.name}: {module['name']} is of none of its dependencies")
            elif module["version"] and not _satisfies(packages[owner].version, module):
                lines.append(
                    f"{package.name}: configure.ac asks for {module[0]}, Buildroot has "
                    f"{packages[owner].version}"
                )
    return lines


def look(sources: Sources, library: Package, archive: Path) -> tuple[int, list[str]]:
    """Compare the names of one library that `sources` use with its headers.

    Returns how many there are, and a line for each that no header has.

    Raises tarfile.TarError and OSError.
    """
    own = LIBRARIES[library.name]
    headers = archives.read(archive, lambda path: bool(_HEADER.fullmatch(path)))
    there = {name for text in headers.values() for name in re.findall(r"\w+", text)}
    functions = c_sources.functions_of_macros(sources.configure)
    names = re.compile(rf"\b(?:{'|'.join(own.names)})\w+" if own.names else r"(?!)")

    def is_there(macro: str) -> bool | None:
        function = functions.get(macro, "")
        return function in there if names.fullmatch(function) else None

    defined = {name for text in sources.texts.values() for name in c_sources.defined(text)}
    lines: list[str] = []
    used_names: set[str] = set()
    for path, text in sorted(sources.texts.items()):
        if path == "configure.ac":
            continue
        used = c_sources.used(text, names, is_there) - defined
        used_names |= used
        lines += [_lacking(sources, path, library, name) for name in sorted(used - there)]
        for header in sorted(c_sources.included(text)):
            if header.startswith(own.headers):
                used_names.add(header)
                if not _has(headers, header):
                    lines.append(_lacking(sources, path, library, header))
    return len(used_names), lines


def _satisfies(version: str, module: re.Match[str]) -> bool:
    required, there = ordered(module["version"]), ordered(version)
    return there == required if module["relation"] == "=" else there >= required


def _has(headers: Iterable[str], header: str) -> bool:
    return any(re.search(rf"(?:^|/){re.escape(header)}(?:\.\w+)?$", path) for path in headers)


def _lacking(sources: Sources, path: str, library: Package, name: str) -> str:
    package = sources.package
    return (
        f"{package.name} {package.version}: {path} uses {name}, which is in no header of "
        f"{library.name} {library.version}"
    )
