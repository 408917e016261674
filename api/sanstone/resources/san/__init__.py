"""Resources of `protocols/san/`: igroups, LUN maps, portsets, services."""
