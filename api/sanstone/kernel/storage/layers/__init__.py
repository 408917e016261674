"""Layers between a thin device and its export.

An exported device is a stack of device-mapper devices: at the bottom the thin target, above it the
layers of the object that the kernel needs, in the order of `ThinDevice.layers`, the last of which
hosts see. Without any, hosts see the thin target itself. `dm` builds, resizes, suspends and removes
the stack; a layer only says whether it is needed, and provides its table.

    layer        the protocol: name, unit of sizes, need, table
    block_size   logical blocks of 4,096 bytes on devices of 512

To add a layer (encryption, QoS, integrity, compression, replication): a module here with a frozen
class of the protocol `Layer`, its name in ORDER at its position in a stack, its targets in
`tests/fakes/mapper.py`, and a line in the storage scenario.

What all layers have in common, so that `dm` needs no cases:

* A layer is as long as the device below it. So a stack grows from the bottom and shrinks from the
  top.
* A stack is suspended from the top, so that nothing above waits for a layer that has stopped, and
  resumed from the bottom.
* The device that hosts see has the exported name with any layers; the devices below it have the
  names of their layers. So a table may be replaced while hosts use the device, never the device.
"""

from __future__ import annotations

from sanstone.kernel.storage.layers.block_size import BlockSize

ORDER = (BlockSize.name,)
"""The names of all layers, the lowest first."""
