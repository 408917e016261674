"""Relief for a volume that is short of space: it grows, or some of its snapshots go.

Where it may do both, a setting says which comes first, as in ONTAP; the other comes next where that
is not enough. Snapshots that hold too much of their own share go whatever the size is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sanstone.core.declaration.resource import Reader
from sanstone.model.volumes import Snapshot, Volume
from sanstone.rules.storage import autodelete, autosize
from sanstone.rules.storage.autosize import Resize


class Relief(NamedTuple):
    """The size that a volume is to have, and the snapshots of it that go."""

    resize: Resize
    going: Sequence[Snapshot] = ()


def judge(row: Volume, taken: int, reader: Reader) -> Relief:
    """Return the relief for a volume with `taken` bytes in LUNs and namespaces."""
    resize, going = autosize.judge(row, taken, reader), autodelete.due(row, taken, reader)
    if row.autodelete_trigger == autodelete.ON_RESERVE:
        return Relief(resize, going)
    if going and row.space_mgmt_try_first == autodelete.DELETE_FIRST:
        return Relief(Resize(row.size), going)
    return Relief(resize, () if resize.size > row.size else going)
