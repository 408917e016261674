"""What goes on beside the turns, each at a pace of its own."""
