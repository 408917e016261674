"""systemd's units of the product: the image has all that they need.

A unit that is required and not there fails a boot. To be ordered after one that is not there, or to
change it, does nothing, and nobody notices. Debian and Buildroot call some units by different
names, so where a line has several of these, one is enough.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from image.accounts import Accounts
from image.repository import shown

UNITS = ("etc/systemd/system", "usr/lib/systemd/system")
PRESETS = ("etc/systemd/system-preset", "usr/lib/systemd/system-preset")
LOADED = "usr/lib/modules-load.d"
TMPFILES = ("etc/tmpfiles.d", "usr/lib/tmpfiles.d")
PROGRAMS = ("usr/bin", "usr/sbin")
REQUIRED = {"Requires", "Requisite", "BindsTo", "Wants", "Upholds", "PartOf"}
ORDERED = {"After", "Before"}
ACCOUNTS = {"User": "OWNER", "Group": "GROUP", "SupplementaryGroups": "GROUP"}
CONFINING = {"ReadWritePaths", "ReadOnlyPaths", "BindPaths", "BindReadOnlyPaths"}
# They come as a machine runs: from drives, from mounts.
_OF_THE_MACHINE = re.compile(r".*\.device|systemd-fsck@.*|.*\.mount")
# systemd.service(5), "Command Lines"
_PREFIXES = "-@:+!|"


@dataclass(frozen=True)
class Setting:
    """A line `key=value` of a unit or a drop-in."""

    file: Path
    key: str
    value: str


def missing(overlays: Sequence[Path], target: Path, accounts: Accounts) -> list[str]:
    """Return a line for each thing that units of `overlays` need and the root `target` has not.

    Looked at are programs, units, accounts, folders in /run and modules. Raises OSError.
    """
    lines = []
    created = _created_folders(target)
    for file in _files(overlays, UNITS):
        for setting in _settings(file):
            lacks = [*_lacking(setting, target), *_unknown(setting, accounts)]
            lacks += _not_created(setting, created)
            lines += [f"{shown(file)}: {lack}" for lack in lacks]
    for folder in _drop_ins(overlays):
        changed = {name.removesuffix(".d") for name in _names_of(folder, overlays)}
        if not any(_has_unit(target, name) for name in changed):
            lines.append(f"{shown(folder)}: the image has no {' or '.join(sorted(changed))}")
    lines += _not_enabled(overlays, target)
    known = _modules(target)
    for file in _files(overlays, (LOADED,)):
        for module in file.read_text().splitlines():
            if not module.startswith("#") and module.replace("-", "_") not in known:
                lines.append(f"{shown(file)}: the kernel has no {module}")
    return lines


def _files(overlays: Iterable[Path], folders: Iterable[str]) -> Iterator[Path]:
    for overlay in overlays:
        for folder in folders:
            for file in sorted((overlay / folder).rglob("*")):
                if file.is_file() and not file.is_symlink():
                    yield file


def _drop_ins(overlays: Iterable[Path]) -> list[Path]:
    """Return the folders of drop-ins for one unit; "name-.service.d" is for all that begin so."""
    return [
        folder
        for overlay in overlays
        for place in UNITS
        for folder in sorted((overlay / place).glob("*.d"))
        if not folder.is_symlink() and not folder.name.rpartition("-")[2].startswith(".")
    ]


def _names_of(folder: Path, overlays: Iterable[Path]) -> set[str]:
    """Return the names that a folder goes by: its own, and links to it."""
    links = (
        link for overlay in overlays for place in UNITS for link in (overlay / place).glob("*")
    )
    return {folder.name, *(link.name for link in links if link.resolve() == folder.resolve())}


def _settings(file: Path) -> Iterator[Setting]:
    for line in file.read_text().replace("\\\n", " ").splitlines():
        key, is_setting, value = line.partition("=")
        if is_setting and re.fullmatch(r"[A-Za-z]+", key):
            yield Setting(file, key, value.strip())


def _lacking(setting: Setting, target: Path) -> Iterator[str]:
    """Say what one setting needs and is not there. An empty one takes back what was set."""
    words = setting.value.split()
    if not words:
        return
    if setting.key.startswith("Exec"):
        program = words[0].lstrip(_PREFIXES)
        if not _has_program(target, program):
            yield f"{setting.key}: the image has no {program}"
    elif setting.key in REQUIRED:
        for name in words:
            if not _has_unit(target, name):
                yield f"{setting.key}: the image has no {name}"
    elif setting.key in ORDERED and not any(_has_unit(target, name) for name in words):
        yield f"{setting.key}: the image has no {' or '.join(words)}"


def _unknown(setting: Setting, accounts: Accounts) -> list[str]:
    if setting.key not in ACCOUNTS:
        return []
    unknown = set(setting.value.split()) - accounts[ACCOUNTS[setting.key]]
    return [f"{setting.key}: the image has no {name}" for name in sorted(unknown)]


def _not_created(setting: Setting, created: Collection[str]) -> list[str]:
    """Say which folders in /run a service is confined to and nothing makes: it would not start."""
    if setting.key not in CONFINING:
        return []
    folders = [word.partition(":")[0] for word in setting.value.split()]
    return [
        f"{setting.key}: nothing makes {folder}"
        for folder in folders
        if folder.startswith("/run/") and folder not in created
    ]


def _created_folders(target: Path) -> set[str]:
    """Return the folders that tmpfiles.d(5) makes, and those of services (systemd.exec(5))."""
    created = {
        words[1]
        for file in _files([target], TMPFILES)
        for line in file.read_text().splitlines()
        if (words := line.split()) and words[0][0] in "dDL"
    }
    for file in _files([target], UNITS):
        for setting in _settings(file):
            if setting.key == "RuntimeDirectory":
                created.update(f"/run/{name}" for name in setting.value.split())
    return created


def _has_program(target: Path, program: str) -> bool:
    places = [program] if "/" in program else [f"{folder}/{program}" for folder in PROGRAMS]
    return any(_exists(target, place) for place in places)


def _exists(target: Path, place: str) -> bool:
    """Tell whether a file is there; a link that is absolute starts at `target`, too."""
    file = target / place.lstrip("/")
    if file.is_symlink() and (link := file.readlink()).is_absolute():
        return _exists(target, str(link))
    return file.exists()


def _has_unit(target: Path, name: str) -> bool:
    if _OF_THE_MACHINE.fullmatch(name):
        return True
    template = re.sub(r"@.*\.", "@.", name)
    return any(_exists(target, f"{folder}/{each}") for folder in UNITS for each in {name, template})


def _not_enabled(overlays: Iterable[Path], target: Path) -> list[str]:
    """Return a line for each unit that a preset enables and nothing brings.

    Two of one program, by Debian's name and by Buildroot's, are recognised by their drop-ins.
    """
    lines = []
    aliases = [_names_of(folder, overlays) for folder in _drop_ins(overlays)]
    for file in _files(overlays, PRESETS):
        for line in file.read_text().splitlines():
            verb, _, name = line.partition(" ")
            if verb != "enable":
                continue
            names = {name}.union(*(each for each in aliases if f"{name}.d" in each))
            if not any(_has_unit(target, each.removesuffix(".d")) for each in names):
                lines.append(f"{shown(file)}: the image has no {name}")
    return lines


def _modules(target: Path) -> set[str]:
    """Return the names of the kernel's modules, with those that are built in (modules.dep(5))."""
    lists = [
        file
        for release in (target / "usr/lib/modules").glob("*")
        for file in (release / "modules.dep", release / "modules.builtin")
    ]
    return {
        Path(line.partition(":")[0]).name.partition(".")[0].replace("-", "_")
        for file in lists
        for line in file.read_text().splitlines()
    }
