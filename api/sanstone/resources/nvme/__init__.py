"""Resources of `protocols/nvme/`: subsystems, their maps, services."""
