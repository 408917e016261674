"""Runs in the array: a layer comes and goes under a live LUN, until it was there so many times.

    swapped_layers.py UUID TIMES

The reconciler must be stopped; it takes the layer away when it starts again. The number of changes
is printed at last.
"""

from __future__ import annotations

import sys

from trial_layers import Plain, with_places

from sanstone.kernel import names
from sanstone.kernel.real import real_host
from sanstone.kernel.storage.mapped import SECTOR
from sanstone.kernel.storage.stack import over_thin


def main(uuid: str, times: int) -> None:
    """Have the layer come and go."""
    names.OVER_THIN = with_places("OVER_THIN")
    host = real_host()
    [target] = host.mapper.table(over_thin.live_names(host, uuid)[-1])
    number, thin_id = target.arguments.split()
    pools = {f"{d.major}:{d.minor}": d.name for d in host.mapper.devices()}
    size = target.length * SECTOR
    without = over_thin.ThinDevice(uuid, pools[number], int(thin_id), size)
    with_layer = over_thin.ThinDevice(uuid, pools[number], int(thin_id), size, (Plain(),))
    done = [
        over_thin.ensure(host, each).value for _ in range(times) for each in (with_layer, without)
    ]
    print(f"{done.count('changed')} changes, {len(over_thin.live_names(host, uuid))} device")


main(sys.argv[1], int(sys.argv[2]))
