"""What the hardware tells of itself: health of disks, shelves and their lights."""
