"""The array's own system: the disk it lies on, its two slots, and what is written to them."""
