"""How many disks a RAID group can lose now."""

from __future__ import annotations

from sanstone.kernel.storage import md

_UNKNOWN = ("offline", "inactive", "dirty")


def tolerated_failures(raid_type: str, disks: int, missing: int, state: str) -> int | None:
    """Return how many more disks of a RAID group may fail, whichever they are; None if unknown.

    `disks` are its places, `missing` those without a disk that has all data, and `state` is that of
    its array (`md.ArrayStatus`). Parity that is not computed yet restores nothing. Mirrors of RAID
    10 lie on disks side by side: the second failure may hit the other side of the first.
    """
    if state in _UNKNOWN:
        return None
    kind = md.RAID_TYPES[raid_type]
    if state == md.FAILED or (state == "resyncing" and not kind.mirrored):
        return 0
    whole = 1 if kind.level == "10" else kind.survives(disks)
    return max(0, whole - missing)
