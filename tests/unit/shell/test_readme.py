"""The commands of the README make the first LUN, as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

from console import Console
from served import served

README = (Path(__file__).parents[3] / "README.md").read_text()
BLOCKS = re.findall(r"(?:^    .*\n)+", README, re.MULTILINE)
SESSION = next(block for block in BLOCKS if "aggregate create" in block)


def test_the_first_lun_takes_the_commands_that_it_names(tmp_path: Path) -> None:
    with served(tmp_path) as (_, array):
        console = Console(array)
        for line in SESSION.splitlines():
            console.run(line.strip())
        [row] = console.table("lun show -m")
        assert row[:3] == ["svm1", "/vol/vol1/lun1", "host1"]
