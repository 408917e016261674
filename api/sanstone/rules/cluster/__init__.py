"""Rules of the array as a whole: its node, its software, its settings."""
