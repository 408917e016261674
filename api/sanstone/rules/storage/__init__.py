"""Rules of disks, aggregates, volumes and what is in them."""
