"""Which build of Sanstone runs, as its image says in os-release(5).

`board/common/post-build.sh` writes the file. A system that does not call itself a stable release of
Sanstone, as those of tests, is a development build.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Self

from sanstone import __version__

STABLE = "stable"
"""Value of RELEASE_TYPE for what was built of a release's tag, without changes."""


@dataclass(frozen=True)
class Build:
    """One build.

    `commit` is that of the repository, 40 hexadecimal digits; empty where none is known. `time` is
    the commit's in seconds since 1970, or what who built it gave as SOURCE_DATE_EPOCH: of the same
    sources the same is built.
    """

    commit: str
    time: int | None
    development: bool

    @classmethod
    def of(cls, release: Mapping[str, str]) -> Self:
        """Return the build that the fields of an os-release tell of."""
        if release.get("ID") != "sanstone":
            return cls("", None, development=True)
        moment = release.get("SANSTONE_BUILD_TIME")
        return cls(
            release.get("BUILD_ID", ""),
            int(moment) if moment else None,
            development=release.get("RELEASE_TYPE") != STABLE,
        )

    def __str__(self) -> str:
        """Return it in words, which begin with the release."""
        kind = "development build" if self.development else "build"
        details = [self.commit[:12]] if self.commit else []
        if self.time is not None:
            details.append(f"of {datetime.fromtimestamp(self.time, UTC):%Y-%m-%d}")
        if not details and not self.development:
            return __version__
        return f"{__version__} ({' '.join([kind, *details])})"


@cache
def running() -> Build:
    """Return the build that runs. A system without an os-release is a development build."""
    try:
        return Build.of(platform.freedesktop_os_release())
    except OSError:
        return Build.of({})


def kernel() -> str:
    """Return the release of the kernel that runs (uname(2)), such as 6.12.112."""
    return os.uname().release
