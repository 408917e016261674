"""Resources of `storage/`: disks, aggregates, volumes, LUNs, namespaces, snapshots."""
