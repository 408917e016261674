"""User-mode Linux finds in the product what it changes there."""

from __future__ import annotations

import re

from lab.paths import LAB_SOURCE, REPOSITORY


def test_disks_are_looked_for_where_the_init_looks() -> None:
    init = (LAB_SOURCE / "uml.d" / "init").read_text()
    [searched] = re.findall(r"sed -i 's/([^/]*)/&\|ubd/'", init)
    source = (REPOSITORY / "api/sanstone/kernel/storage/block.py").read_text()
    assert source.count(searched) == 1
