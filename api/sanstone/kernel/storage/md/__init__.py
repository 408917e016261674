"""RAID groups: Linux md arrays.

An array's name, kernel device and UUID are derived from its aggregate's UUID and the group's number
(`names`), so they are known before it exists: assembly uses the UUID alone, and an interrupted
creation is recognised by it. Metadata 1.2, an internal bitmap (a resync after a crash then takes
seconds), chunks of 64 KiB: a full stripe of a typical group is then no larger than one large write
of a host, so that parity is computed without reading.

How `ensure_created` survives a crash at any point. mdadm clears the disks, then writes all
superblocks, then starts the array (mdadm: Create.c, add_disks before update_metadata). An array
counts its writes in `Events`, and 0 means that nothing was ever written to it; such superblocks are
erased and the creation starts again. A superblock with more events belongs to an array that may
hold data: it is assembled or refused, never created again.

New parity must be correct. If all disks can clear ranges by themselves, they do so
(`--write-zeroes`, mdadm 4.3): zeroes have correct parity, and the group has its redundancy at once.
That takes seconds to minutes. Otherwise the kernel resyncs in the background.

Traps:

* Assembly without `--run` starts an array with as many disks as it last ran with, and refuses with
  fewer: a disk that is late at boot never degrades it, one known to be gone does not block it.
  `degraded=True` starts it anyway.
* mdadm aborts an assembly when one of its disks carries no superblock, so only carriers are named.
* A name for the kernel device is honoured only through a configuration file, a regular one (mdadm:
  mdopen.c, `names=yes`), hence `mdadm.conf` beside this module.
* udev or an administrator may have assembled an array under another name; it is stopped first,
  which fails, as it must, while anything uses it.
* An array's logical sectors are the largest of its members', as of its start (drivers/md/md.c,
  mddev_stack_rdev_limits). RAID 1 and 10 take in those of a disk that is added at once, RAID 4, 5
  and 6 at the next start. Partition tables and file systems count in sectors, so hosts would find
  nothing any more: all disks of an array have the same, and no disk of others is added.
* md does not notice that a disk was pulled before it reads or writes it: an idle array calls all
  its members in sync for hours, and no other disk gets the name meanwhile. So `members` looks for
  the disks themselves.
* A retained spare's superblock names the array too; a returning member is re-added (only the blocks
  that its bitmap marks are copied) or, if its history does not allow that, cleared and added as
  new.

`array` has groups as they are desired, `running` as the kernel has them, `superblocks` what their
disks know of them; `creation`, `assembly` and `membership` change them.
"""

from sanstone.kernel.storage.md.array import RAID_TYPES, Array, ArrayError
from sanstone.kernel.storage.md.assembly import (
    CONFIGURATION,
    ensure_running,
    ensure_running_by_uuid,
    ensure_stopped,
    readable,
)
from sanstone.kernel.storage.md.creation import ensure_created, ensure_removed
from sanstone.kernel.storage.md.membership import ensure_members
from sanstone.kernel.storage.md.running import FAILED, ArrayStatus, Member, members, status
from sanstone.kernel.storage.md.superblocks import ensure_erased

__all__ = [
    "CONFIGURATION",
    "FAILED",
    "RAID_TYPES",
    "Array",
    "ArrayError",
    "ArrayStatus",
    "Member",
    "ensure_created",
    "ensure_erased",
    "ensure_members",
    "ensure_removed",
    "ensure_running",
    "ensure_running_by_uuid",
    "ensure_stopped",
    "members",
    "readable",
    "status",
]
