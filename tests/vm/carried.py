"""The copy of its configuration that an array keeps on its aggregates."""

from __future__ import annotations

from lab.patience import LONGEST, SECONDS
from lab.station import Array

# In one program: to start Python with the product's modules takes an emulated processor longer than
# the copy takes to follow.
_WAIT = f"""
import sys, time
from contextlib import closing
from sanstone.core.database import store
from sanstone.kernel.host import HostError
from sanstone.kernel.real import real_host
from sanstone.reconcile.tasks import configuration

def is_newest():
    now = configuration.snapshot(store.path())
    with closing(store.in_memory(now.database)) as memory:
        [[aggregate]] = memory.execute("SELECT uuid FROM aggregate")
    try:
        copy = configuration.read_newest(real_host(), aggregate)
    except HostError as error:
        # Its link in /dev is udev's, which may come to it later.
        print(error, file=sys.stderr)
        return False
    return copy is not None and copy.age == now.age

deadline = time.monotonic() + {SECONDS}
while not is_newest():
    if time.monotonic() > deadline:
        sys.exit("the copy on the aggregate is not the newest configuration")
    time.sleep({LONGEST})
"""


def wait_until_carried(array: Array) -> None:
    """Wait until the array's one aggregate carries the configuration as it is now.

    It follows within seconds. Raises GuestCommandFailed when it does not.
    """
    array.run("umask 007; python3 -", stdin=_WAIT.encode())
