"""Drivers for storage: disks, RAID groups, LVM's pool, thin devices."""
