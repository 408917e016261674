"""The hardware's own reports: health of disks, shelves and their lights."""
