"""Events of disks, RAID groups, aggregates and snapshots."""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.events import ALERT, EMERGENCY, ERROR, NOTICE
from sanstone.rules.cluster.event_kinds.event_kind import EventKind

KINDS: Sequence[EventKind] = (
    EventKind(
        "pool.space",
        EMERGENCY,
        "The pool of an aggregate fills. Writes that need new space fail once it is full; data "
        "that was written stays.",
        "Add disks to the aggregate, delete snapshots or volumes that nobody needs, or have hosts "
        "discard what they do not use (fstrim).",
    ),
    EventKind(
        "pool.forecast",
        NOTICE,
        "An aggregate will be full within two weeks, if its use goes on growing as in the last six "
        "weeks. Writes that need new space fail once it is full.",
        "Add disks to the aggregate in time, delete snapshots or volumes that nobody needs, or "
        "have hosts discard what they do not use (fstrim). storage aggregate show -fields "
        "space.forecast tells the day.",
    ),
    EventKind(
        "pool.overcommitted",
        EMERGENCY,
        "An aggregate has no more space left than volumes with a guarantee have to themselves. "
        "Writes of all other LUNs and namespaces that need new space are refused; reads, and "
        "writes in place, go on. Those with a guarantee notice nothing.",
        "Add disks to the aggregate, delete snapshots or volumes that nobody needs, or have hosts "
        "discard what they do not use (fstrim). It ends by itself when space is free.",
    ),
    EventKind(
        "pool.unguarded",
        NOTICE,
        "Volumes with a guarantee are on an aggregate, and the kernel that runs cannot keep space "
        "free for them: others may fill the aggregate, and then all writes that need new space "
        "fail.",
        "Boot the kernel that the image has. Until then keep more of the aggregate free.",
    ),
    EventKind(
        "wafl.vol.autoSize.done",
        NOTICE,
        "A volume has grown, or shrunk, by itself, as its autosize says: more than the threshold "
        "of growth was in use of it, or less than that of shrinking.",
        "Nothing. volume autosize shows the limits and thresholds, and changes them.",
    ),
    EventKind(
        "wafl.vol.autoSize.fail",
        ERROR,
        "More than the threshold of growth is in use of a volume that should grow by itself, and "
        "it cannot: it has its maximum, or, with a guarantee, its aggregate has no space left "
        "that is neither promised nor taken.",
        "Raise the maximum: volume autosize -maximum-size. Or make room in the aggregate: add "
        "disks, delete snapshots or volumes that nobody needs, or have hosts discard what they do "
        "not use (fstrim). It ends by itself when the volume can grow, or less of it is in use.",
    ),
    EventKind(
        "wafl.volume.snap.autoDelete",
        NOTICE,
        "A snapshot was deleted by itself to make room, as the autodelete of its volume says: more "
        "than the threshold was in use of the volume, or of the share that is kept for snapshots.",
        "Nothing, if such snapshots may go. Otherwise make the volume larger, have it grow by "
        "itself before that, or have fewer snapshots taken: volume autosize, volume snapshot "
        "autodelete show.",
    ),
    EventKind(
        "pool.metadata",
        EMERGENCY,
        "The metadata of an aggregate's pool fill, mostly by many snapshots of scattered writes.",
        "Delete old snapshots, or add disks: the metadata grow with the pool.",
    ),
    EventKind(
        "pool.mode",
        EMERGENCY,
        "The pool of an aggregate takes no writes: it is full, or its metadata are damaged.",
        "Look for disks that fail first. Make room if the pool is full. Otherwise keep the array "
        "running, copy off all that is readable, and collect a support bundle.",
    ),
    EventKind(
        "raid.degraded",
        ALERT,
        "A RAID group runs without some of its disks. It is rebuilt onto a spare disk that fits, "
        "if there is one: at once where a disk failed, after five minutes where one is gone.",
        "Without a spare, put one in; or choose one: storage aggregate modify -disklist, with the "
        "new one in its place. Pull no other disk of the group until it is rebuilt.",
    ),
    EventKind(
        "raid.rg.recons.start",
        NOTICE,
        "A spare disk has taken the place of a disk of an aggregate that failed, or was gone for "
        "five minutes. The RAID group is rebuilt onto it.",
        "Nothing for the data: storage aggregate show-status tells how far it is. Put a new disk "
        "in the place of the one that failed, so that there is a spare again.",
    ),
    EventKind(
        "raid.rg.diskcopy.start",
        NOTICE,
        "A disk of an aggregate that predicts its failure, or is far slower than the others, is "
        "copied to a spare disk, which takes its place. The RAID group is whole meanwhile.",
        "Nothing for the data: storage aggregate show-status tells how far it is. When it is done, "
        "take the old disk out, and put a new one in.",
    ),
    EventKind(
        "raid.rg.spares.low",
        ERROR,
        "Fewer spare disks than raid.min_spare_count fit an aggregate: of its type, with its "
        "sectors, and as large as its smallest. Without any, a disk that fails is replaced by "
        "nobody but you.",
        "Put a disk in, or erase one that nobody needs. For an array that is meant to have no "
        "spares: storage raid-options modify -name raid.min_spare_count -value 0.",
    ),
    EventKind(
        "raid.dirty",
        EMERGENCY,
        "A RAID group lacks disks, and was written to when the power was cut. Data of the missing "
        "disks is computed out of the others, which may not agree in what was written then: a few "
        "stripes may be wrong. The group does not start by itself.",
        "Bring the missing disks back: then it starts, and nothing is lost. If they are lost for "
        "good, have it started all the same: storage aggregate force-start. Have hosts check their "
        "file systems then.",
    ),
    EventKind(
        "raid.disk",
        ALERT,
        "A disk of a RAID group is there, and what lies between it and the group cannot be used.",
        "The message tells why. Replace the disk: storage aggregate modify -disklist, with a new "
        "one in its place.",
    ),
    EventKind(
        "raid.sectors",
        ALERT,
        "A disk of a RAID group has larger sectors than the group. From the next start of the "
        "array the group has them too, and hosts find no partitions and file systems any more.",
        "Do not restart the array. Replace the disk by one with the sectors of the others: storage "
        "aggregate modify -disklist, with the new one in its place.",
    ),
    EventKind(
        "raid.scrub.mismatch",
        ALERT,
        "A scrub found sectors in which parity, or the copies, of a RAID group do not agree with "
        "its data. Which of both is right nobody knows, so that nothing was changed.",
        "Have hosts check what lies on the aggregate, by their file systems and databases, and "
        "restore wrong data from a backup. Look at the disks, their cables and the memory: "
        "storage disk show, event log show. Then scrub again.",
    ),
    EventKind(
        "raid.scrub.overdue",
        NOTICE,
        "A RAID group was not read whole in time. Sectors that cannot be read any more would show "
        "only when a disk fails and all others are needed.",
        "The message tells whether the scrub is suspended, waits for a rebuild, or is slow: "
        "storage aggregate scrub -action resume, or have the group rebuilt.",
    ),
    EventKind(
        "disk.identity",
        ALERT,
        "A disk has no serial number, or the same as another one, and is not used.",
        "Take the stranger out: the message tells its device, model and serial number. It must be "
        "gone before the array starts again if it shares the identity of an aggregate's disk.",
    ),
    EventKind(
        "disk.paths",
        NOTICE,
        "Disks are reached by more than one path, as by both ports of a shelf. One path of each is "
        "used; when that is gone, another takes over, and the RAID group copies what it missed.",
        "Nothing, if it is meant so. Otherwise remove the second cable.",
    ),
    EventKind(
        "disk.failed",
        ERROR,
        "A disk is out of service: it failed in an aggregate, or predicted that, and a spare disk "
        "took its place.",
        "Take it out, and put a new one in. To use it nevertheless: storage disk unfail, then "
        "storage disk erase.",
    ),
    EventKind(
        "disk.failure.predicted",
        ALERT,
        "A disk says of itself that it will fail. It still works. One of an aggregate is copied to "
        "a spare disk that fits, if there is one and its RAID group is whole.",
        "Without a spare, put one in. Replace the disk while its RAID group is whole: have its "
        "locate light on, and put a new one in its place.",
    ),
    EventKind(
        "disk.slow",
        ERROR,
        "A disk has answered ten times slower than the others of its RAID group, for minutes. "
        "The aggregate is as slow as that disk. It is copied to a spare disk that fits, if there "
        "is one and the group is whole.",
        "Without a spare, put one in. Look whether it is the disk alone: others in its shelf or at "
        "its cable are slow, too, where it is these.",
    ),
    EventKind(
        "disk.wear",
        ERROR,
        "A disk has used most of the writes that it is rated for, or all of them.",
        "Order a new disk and replace it. Disks that were bought together wear out together.",
    ),
    EventKind(
        "disk.temperature",
        ALERT,
        "A disk is as hot as it must never be. It may fail, and lose data.",
        "Look at the fans and the room first: mostly more than one disk is hot.",
    ),
    EventKind(
        "fault",
        ERROR,
        "An object is not as it is configured. The array tries again all the time.",
        "Remove the cause that the event tells; nothing else needs to be done.",
        pattern="*.fault",
    ),
    EventKind(
        "device.stale",
        ERROR,
        "A device of a deleted object is in use and cannot be removed. It is tried again.",
        "Look which program on the array holds the device, if this lasts.",
    ),
    EventKind(
        "snapshot.schedule.failed",
        ERROR,
        "A snapshot that was due was not taken.",
        "Remove the cause that the event tells: often the limit of snapshots, or a full pool.",
    ),
    EventKind(
        "snapshot.uncommitted",
        NOTICE,
        "A snapshot of a consistency group was started and not committed in time. It is deleted.",
        "Take it again, with a longer time if whoever commits it needs that.",
    ),
)
