"""Who may do what, and what proves it."""
