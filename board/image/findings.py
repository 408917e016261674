"""The findings of checks of the image, and their report."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field


@dataclass
class Findings:
    """Lines of text: `wrong` fails a check, `unseen` could not be looked at."""

    wrong: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    def tell(self) -> int:
        """Print everything and return the exit status: 1 when something is wrong."""
        for line in self.unseen:
            print(f"not looked at: {line}")
        for line in self.wrong:
            print(line, file=sys.stderr)
        if self.wrong:
            print(
                f"the image differs from its configuration: {len(self.wrong)} lines",
                file=sys.stderr,
            )
            return 1
        print("the image is as configured, as far as it was checked")
        return 0
