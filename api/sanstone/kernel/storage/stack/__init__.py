"""The stack: what lies between a disk and a host, as layers at three heights.

    disk ─ [layers] ─┐
    disk ─ [layers] ─┴ md RAID group ─ [layers] ─ physical volume … thin device ─ [layers] ─ export
          under md (`under_md`)        over md (`over_md`)             above it (`over_thin`)

A layer is a device-mapper device at a place of its own, which `names` names. Who asks the stack
says which layers are wanted, and gets the device on top of them; nothing else knows which there
are.

    layer        what a layer is at any height: room, ensure, tune, grow, report
    over_thin    above the thin device: a layer comes and goes while hosts write
    columns      below the volume group: layers on a disk or an md array, from the bottom
    under_md     the layers on each disk of an aggregate
    over_md      the layers on each RAID group, and the node by which LVM knows the top
    block_size   logical blocks of 4,096 bytes on devices of 512
    quality_of_service  limits of operations and bytes per second

Between the logical volume and the pool there is no height: LVM writes the pool's table anew at each
growth, and `lvextend` would put its own volume below the pool again.

* Live devices are read from the kernel, place by place; no place tells of another.
* A layer below the volume group comes with the aggregate and goes with it. At a boot layers are
  activated from the bottom, and nothing is written: one whose header is missing is an error. A disk
  that takes another's place, or is of a new RAID group, must be empty before a layer writes to it.
* md never takes the raw disk of a member with layers: udev and mdadm assemble nothing by themselves
  (overlay/etc/udev/rules.d, mdadm.conf), `md` gets the devices on top alone, and a live layer has
  the disk open exclusively. A search for arrays without a database (`reconcile.restore`) knows no
  layers, so a layer under md has a header: what lies behind that is no signature of the disk.
* Sizes: below the volume group from the bottom (`Layer.room`), above the thin device from what
  hosts see (`Layer.takes`).

To add a layer: a module here with a frozen dataclass of `Layer`, its place in `names`, its targets
in `tests/fakes/mapper.py`, lines in the scenario of layers, and where it is declared, above the
thin device or below the volume group, in `reconcile.layers`.
"""
