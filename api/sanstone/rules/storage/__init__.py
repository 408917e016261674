"""Rules of disks, aggregates, volumes and their content."""
