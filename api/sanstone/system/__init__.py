"""The array's own system: its disks, its two slots, and their updates."""
