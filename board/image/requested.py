"""What this repository asks Buildroot and the kernel for, of all files that ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from image import options, repository
from image.buildroot import TREE

FRAGMENTS = "BR2_LINUX_KERNEL_CONFIG_FRAGMENT_FILES"


def of_buildroot(configs: Iterable[Path], obtained: Mapping[str, str]) -> list[options.Request]:
    """Return what `configs` ask, and what our packages that were obtained select.

    Raises options.Malformed and OSError.
    """
    requests = options.requests(configs)
    for file in sorted((repository.REPOSITORY / "package").glob("*/Config.in")):
        requests += options.selections(file, obtained)
    return requests


def of_kernel(obtained: Mapping[str, str]) -> list[options.Request]:
    """Return what the fragments ask that Buildroot's configuration names.

    Raises options.Malformed and OSError.
    """
    return options.requests(fragments(obtained))


def fragments(obtained: Mapping[str, str]) -> list[Path]:
    """Return the fragments of the kernel's configuration, in their order."""
    names = obtained.get(FRAGMENTS, "").strip('"').split()
    return [Path(name.replace(TREE, str(repository.REPOSITORY))) for name in names]


def unanswered(requests: Iterable[options.Request], obtained: Mapping[str, str]) -> list[str]:
    """Return a line for each request that was not obtained."""
    answers = (each.answer(obtained) for each in requests)
    return [answer for answer in answers if answer]


def values(requests: Iterable[options.Request], obtained: Mapping[str, str]) -> dict[str, str]:
    """Return the obtained value of each requested option."""
    return {each.symbol: obtained.get(each.symbol, options.NOT_SET) for each in requests}


def ours(obtained: Mapping[str, str]) -> dict[str, str]:
    """Return which packages of this repository were obtained: what they select follows from it."""
    folders = (path.name for path in (repository.REPOSITORY / "package").iterdir() if path.is_dir())
    symbols = {f"BR2_PACKAGE_{name.upper().replace('-', '_')}" for name in folders}
    return {symbol: value for symbol, value in obtained.items() if symbol in symbols}
