"""Rules of ports and interfaces, and of the endpoints where hosts reach them."""
