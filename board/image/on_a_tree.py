"""The checks of what would be built, on a tree of Buildroot, before anything is built."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from image import (
    archives,
    inputs,
    kernel,
    libraries,
    patches,
    python_builds,
    repository,
    requested,
    versions,
)
from image.buildroot import Failed, Package, Tree, run
from image.findings import Findings
from image.record import Tried
from image.repository import REQUIREMENTS, shown

LINUX = "linux"
_CHECK_PACKAGE_TAKES = {"magic": "python3-magic", "flake8": "python3-flake8"}


@dataclass
class Looked:
    """The findings, and the tree and sources that they are of."""

    findings: Findings
    buildroot: Mapping[str, str]
    """All options that were obtained."""
    packages: Mapping[str, Package]
    kernel: Mapping[str, str] = field(default_factory=dict)
    kernel_source: str = ""
    patches: dict[str, str] = field(default_factory=dict)
    libraries: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def tried(self) -> Tried:
        """What a record keeps of it."""
        return Tried(self.kernel_source, self.patches, self.libraries)


def check(tree: Tree, configs: Sequence[Path], findings: Findings) -> Looked:
    """Configure `tree` by `configs`, and look at all that can be seen without building.

    Findings go to `findings` at once, so that an error does not hide them.

    Raises Failed where Buildroot cannot be configured, options.Malformed, tarfile.TarError and
    OSError.
    """
    buildroot = tree.configure(configs)
    packages = tree.packages()
    looked = Looked(findings, buildroot, packages)
    wrong = findings.wrong
    wrong += requested.unanswered(requested.of_buildroot(configs, buildroot), buildroot)
    versions_built = {name: each.version for name, each in packages.items()}
    wrong += versions.differences(REQUIREMENTS, versions_built)
    for package in packages.values():
        wrong += archives.unhashed(package)
    _check_recipes(tree, findings)
    sources = _Sources(tree, tree.downloads(buildroot), findings)
    _check_patches(looked, sources)
    _check_packages(looked, sources)
    _check_kernel(looked, sources)
    return looked


@dataclass
class _Sources:
    """Archives at hand. One that is missing, or does not match its hash, is reported once."""

    tree: Tree
    downloads: Path
    findings: Findings
    found: dict[str, Path | None] = field(default_factory=dict)

    def of(self, package: Package) -> Path | None:
        if package.name not in self.found:
            self.found[package.name] = self._find(package)
        return self.found[package.name]

    def _find(self, package: Package) -> Path | None:
        archive = archives.find(package, self.downloads)
        if archive is None:
            self.findings.unseen.append(
                f"{package.archives[0]} is not in {self.downloads / package.download_folder}: "
                f"{self.tree.source_command(package.name)}"
            )
            return None
        wrong = archives.differing(package, archive)
        self.findings.wrong += wrong
        return None if wrong else archive


def _source(package: Package) -> str:
    return f"{package.name} {package.version}"


def _check_recipes(tree: Tree, findings: Findings) -> None:
    """Have Buildroot's own tool look at how our packages are written."""
    lacking = [
        package
        for module, package in _CHECK_PACKAGE_TAKES.items()
        if importlib.util.find_spec(module) is None
    ]
    if lacking:
        findings.unseen.append(f"check-package needs {' '.join(lacking)}")
        return
    files = [
        str(file.relative_to(repository.REPOSITORY))
        for file in inputs.recipes(repository.REPOSITORY)
    ]
    files = [file for file in files if not file.startswith("external.")]
    tool = [sys.executable, str(tree.folder / "utils/check-package")]
    try:
        run([*tool, "--br2-external", "--quiet", *files], cwd=repository.REPOSITORY)
    except Failed as failure:
        findings.wrong.append(str(failure))


def _check_patches(looked: Looked, sources: _Sources) -> None:
    for package in looked.packages.values():
        ours = [patch for patch in package.patches if patch.is_relative_to(repository.REPOSITORY)]
        archive = sources.of(package) if ours else None
        if archive is None:
            continue
        looked.findings.wrong += patches.refused(package.patches, archive)
        looked.patches |= {shown(patch): _source(package) for patch in ours}


def _check_packages(looked: Looked, sources: _Sources) -> None:
    """Look at each package of this repository that has sources of its own."""
    wrong = looked.findings.wrong
    for package in looked.packages.values():
        archive = sources.of(package) if package.is_ours and package.archives else None
        if archive is None:
            continue
        if "host-python3" in package.dependencies:
            wrong += python_builds.unsatisfied(package, archive)
            continue
        unknown = libraries.unknown(package, looked.packages)
        wrong += unknown
        if not unknown:
            looked.libraries[package.name] = _compare(package, archive, looked, sources)


def _compare(package: Package, archive: Path, looked: Looked, sources: _Sources) -> dict[str, str]:
    """Compare a package with its libraries, and return of each how many names were looked for."""
    own = libraries.sources(package, archive)
    looked.findings.wrong += libraries.unsatisfied(own, looked.packages)
    compared = {}
    for name in libraries.wanted(package):
        library = looked.packages[name]
        headers = sources.of(library)
        if headers is not None:
            names, lines = libraries.look(own, library, headers)
            looked.findings.wrong += lines
            compared[_source(library)] = f"{names} names"
    return compared


def _check_kernel(looked: Looked, sources: _Sources) -> None:
    package = looked.packages[LINUX]
    lacking = kernel.lacking_tools()
    if lacking:
        looked.findings.unseen.append(f"the kernel's kconfig needs {' '.join(lacking)}")
        return
    archive = sources.of(package)
    if archive is None:
        return
    defconfig = looked.buildroot["BR2_LINUX_KERNEL_DEFCONFIG"].strip('"')
    fragments = requested.fragments(looked.buildroot)
    looked.kernel = kernel.obtained(archive, defconfig, fragments)
    looked.kernel_source = _source(package)
    looked.findings.wrong += requested.unanswered(
        requested.of_kernel(looked.buildroot), looked.kernel
    )
