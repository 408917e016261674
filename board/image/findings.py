"""What checks of the image find, and how it is told."""

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
            print(f"the image is not as it was asked for: {len(self.wrong)} lines", file=sys.stderr)
            return 1
        print("the image is as it was asked for, as far as was looked at")
        return 0
