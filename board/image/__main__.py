"""`make check-image`: can the image be built of this repository, and was it?

    python3 -m image --pin VERSION COMMIT --output OUTPUT [--buildroot FOLDER]
        [--unrecorded] CONFIG…

CONFIG are the files of Buildroot's configuration, in their order, VERSION and COMMIT the pinned
Buildroot. The checks use all that there is:

the record    that it is of the inputs as they are, unless `--unrecorded`; see record.py
a tree        of Buildroot in FOLDER, configured in OUTPUT/check; see on_a_tree.py
a build       that was finished in OUTPUT, where it is of the same inputs; see built.py

Prints a line for each thing that is wrong, with the file, and ends with 1; else with 0.
"""

from __future__ import annotations

import argparse
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from image import built, inputs, on_a_tree, options, record, requested, versions
from image.buildroot import Failed, Tree
from image.findings import Findings
from image.repository import RECORDED, REPOSITORY, REQUIREMENTS, shown

SCRATCH = "check"
"""The folder in Buildroot's output in which it is configured for checks."""
UNREADABLE = (OSError, ValueError, Failed, options.Malformed, tarfile.TarError)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the checks that the command line names and return the exit status."""
    parser = argparse.ArgumentParser(prog="image", description="Checks of the image.")
    add_arguments(parser)
    parser.add_argument("--unrecorded", action="store_true", help="pass by the record")
    chosen = parser.parse_args(arguments)
    findings = Findings()
    digests = inputs.digests(REPOSITORY)
    try:
        if not chosen.unrecorded:
            _check_record(record.Pin(*chosen.pin), digests, chosen.configs, findings)
        if chosen.buildroot:
            tree = Tree(chosen.buildroot, chosen.output / SCRATCH)
            on_a_tree.check(tree, chosen.configs, findings)
        _check_build(chosen.output, digests, chosen.configs, findings)
    except UNREADABLE as error:
        findings.wrong.append(str(error))
    return findings.tell()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what all commands that work on a tree take."""
    parser.add_argument("configs", type=Path, nargs="+")
    parser.add_argument("--pin", nargs=2, required=True, metavar=("VERSION", "COMMIT"))
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--buildroot", type=Path)


def _check_record(
    pin: record.Pin, digests: dict[str, str], configs: list[Path], findings: Findings
) -> None:
    """Compare the record with the inputs, and with what of this repository is no input."""
    again = "try it on Buildroot with `make record-image`, and commit board/image/recorded"
    try:
        recorded = record.read(RECORDED)
    except FileNotFoundError:
        findings.wrong.append(f"{shown(RECORDED)}: there is no record: {again}")
        return
    outdated = recorded.outdated(pin, digests)
    if outdated:
        findings.wrong += [*outdated, f"the record vouches for none of this any more: {again}"]
        return
    wrong = requested.unanswered(
        requested.of_buildroot(configs, recorded.buildroot), recorded.buildroot
    )
    wrong += requested.unanswered(requested.of_kernel(recorded.buildroot), recorded.kernel)
    findings.wrong += wrong + versions.differences(REQUIREMENTS, recorded.packages)
    findings.unseen += recorded.elsewhere()


def _check_build(
    output: Path, digests: dict[str, str], configs: list[Path], findings: Findings
) -> None:
    is_of = built.is_of(output, digests)
    if is_of:
        findings.wrong += built.differences(output, configs)
    elif is_of is False:
        findings.unseen.append(f"the build in {output} is of other files than these")


if __name__ == "__main__":
    sys.exit(main())
