"""Resources of `security/`: accounts, roles, certificates."""
