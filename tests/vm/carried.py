"""The copy of its configuration that an array keeps on its aggregates."""

from __future__ import annotations

from patience import eventually

from lab.station import Array

_IS_NEWEST = """
from contextlib import closing
from sanstone.core import store
from sanstone.kernel.real import real_host
from sanstone.reconcile.tasks import configuration
now = configuration.snapshot(store.path())
with closing(store.in_memory(now.database)) as memory:
    [[aggregate]] = memory.execute("SELECT uuid FROM aggregate")
copy = configuration.read_newest(real_host(), aggregate)
print(copy is not None and copy.generation == now.generation)
"""


def wait_until_carried(array: Array) -> None:
    """Wait until the array's one aggregate carries the configuration as it is now.

    It follows within seconds.
    """
    ask = "umask 007; python3 -"
    eventually(lambda: array.run(ask, stdin=_IS_NEWEST.encode()).strip() == "True")
