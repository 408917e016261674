"""Resources of `network/` and `name-services/`."""
