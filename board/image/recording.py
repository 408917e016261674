"""`make record-image`: make all checks on a tree of Buildroot, and write the record of them.

    python3 -m image.recording --pin VERSION COMMIT --output OUTPUT --buildroot FOLDER
        [--options FILE] CONFIG…

FOLDER must be the pinned commit, unchanged. FILE has options that come after CONFIG, where archives
come from a mirror, maybe with other versions: the record has the versions that CONFIG alone leads
to, and says of each source that was tried which it is. The record is written when nothing is wrong
and nothing was left out; else the old one stays.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from image import inputs, on_a_tree, record, requested
from image.__main__ import SCRATCH, UNREADABLE, add_arguments
from image.buildroot import Failed, Tree
from image.findings import Findings
from image.repository import RECORDED, REPOSITORY, shown


def main() -> int:
    """Write the record as the command line says and return the exit status."""
    parser = argparse.ArgumentParser(prog="image.recording", description="Write the record.")
    add_arguments(parser)
    parser.add_argument("--options", type=Path)
    chosen = parser.parse_args()
    tree = Tree(chosen.buildroot, chosen.output / SCRATCH)
    try:
        return _record(tree, record.Pin(*chosen.pin), chosen.configs, chosen.options)
    except UNREADABLE as error:
        print(error, file=sys.stderr)
        return 1


def _record(tree: Tree, pin: record.Pin, configs: list[Path], other: Path | None) -> int:
    commit = tree.commit()
    if commit != pin.commit:
        there = f"at {commit}" if commit else "no unchanged clone"
        raise Failed(f"{tree.folder} is {there}; the pinned {pin.version} is {pin.commit}")
    digests = inputs.digests(REPOSITORY)
    findings = Findings()
    looked = on_a_tree.check(tree, [*configs, *([other] if other else [])], findings)
    if Findings(findings.wrong + findings.unseen).tell():
        return 1
    # The configuration that builds are made by, and not that of a mirror.
    buildroot = tree.configure(configs) if other else looked.buildroot
    packages = tree.packages() if other else looked.packages
    record.Record(
        pin,
        digests,
        requested.values(requested.of_buildroot(configs, buildroot), buildroot)
        | requested.ours(buildroot),
        requested.values(requested.of_kernel(buildroot), looked.kernel),
        {name: each.version for name, each in packages.items() if each.archives},
        looked.tried,
    ).write(RECORDED)
    print(f"written: {shown(RECORDED)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
