"""Drivers of what holds data: disks, RAID groups, LVM's pool, thin devices."""
