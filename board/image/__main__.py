"""`make check-image`: compare what was asked for with what Buildroot obtained.

    python3 -m image OUTPUT CONFIG…

OUTPUT is Buildroot's output folder, with the answer of `make show-info` as info.json; CONFIG are
the files that the configuration was made of, in their order. The kernel's fragments are those that
the configuration names, the programs those that the product runs. Prints a line for each
difference, with file and line, and ends with 1; 0 when there is none.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from image import options, programs, versions

REPOSITORY = Path(__file__).resolve().parents[2]
FRAGMENTS = "BR2_LINUX_KERNEL_CONFIG_FRAGMENT_FILES"
TREE = "$(BR2_EXTERNAL_SANSTONE_PATH)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Check one output folder and return the exit status."""
    parser = argparse.ArgumentParser(prog="image", description="Checks of a built image.")
    parser.add_argument("output", type=Path)
    parser.add_argument("configs", type=Path, nargs="+")
    chosen = parser.parse_args(arguments)
    try:
        lines, counted = _check(chosen.output, chosen.configs)
    except (OSError, options.Malformed) as error:
        print(error, file=sys.stderr)
        return 1
    for line in lines:
        print(line, file=sys.stderr)
    if lines:
        print(f"{len(lines)} requests were not obtained", file=sys.stderr)
        return 1
    print(f"{counted} options, versions of Python packages, and all programs are as requested")
    return 0


def _check(output: Path, configs: list[Path]) -> tuple[list[str], int]:
    """Return what was not obtained, and how many options were asked for."""
    buildroot = options.obtained(output / ".config")
    requests = options.requests(configs)
    for file in sorted((REPOSITORY / "package").glob("*/Config.in")):
        requests += options.selections(file, buildroot)
    kernel = options.obtained(_kernel_config(output))
    asked_of_kernel = options.requests(_fragments(buildroot))
    answers = [each.answer(buildroot) for each in requests]
    answers += [each.answer(kernel) for each in asked_of_kernel]
    lines = [answer for answer in answers if answer]
    requirements = REPOSITORY / "api" / "requirements.txt"
    packages = json.loads((output / "info.json").read_text())
    built = {name: str(each.get("version")) for name, each in packages.items()}
    lines += versions.differences(requirements, built)
    lines += programs.missing(REPOSITORY / "api" / "sanstone", output / "target")
    return lines, len(answers)


def _fragments(buildroot: dict[str, str]) -> list[Path]:
    names = buildroot.get(FRAGMENTS, "").strip('"').split()
    return [Path(name.replace(TREE, str(REPOSITORY))) for name in names]


def _kernel_config(output: Path) -> Path:
    """Return the kernel's .config; headers are configured elsewhere. Raises FileNotFoundError."""
    configs = [
        path
        for path in (output / "build").glob("linux-*/.config")
        if not path.parent.name.startswith("linux-headers")
    ]
    if len(configs) != 1:
        raise FileNotFoundError(f"{output}/build: {len(configs)} configured kernels, not one")
    return configs[0]


if __name__ == "__main__":
    sys.exit(main())
