"""Rules of hosts: which LUNs and namespaces they see, and by which paths."""
