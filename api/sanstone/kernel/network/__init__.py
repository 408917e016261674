"""Drivers of ports, addresses, routes and the firewall."""
