"""The copy of its configuration that an array keeps on its aggregates."""

from __future__ import annotations

from patience import eventually

from lab.administrator import Administrator
from lab.station import Array

_IS_NEWEST = """
import sys
from sanstone.core import store
from sanstone.kernel.real import real_host
from sanstone.reconcile import configuration
copy = configuration.read_newest(real_host(), sys.argv[1])
print(copy is not None and copy.generation == configuration.snapshot(store.path()).generation)
"""


def wait_until_carried(array: Array, admin: Administrator) -> None:
    """Wait until the administrator's aggregate carries the configuration as it is now.

    It follows within seconds.
    """
    [aggregate] = admin.api.get("storage/aggregates", name=admin.aggregate)["records"]
    ask = f"umask 007; python3 - {aggregate['uuid']}"
    eventually(lambda: array.run(ask, stdin=_IS_NEWEST.encode()).strip() == "True")
