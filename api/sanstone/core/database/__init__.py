"""The store: its file and transactions, changes with their inverse, and the numbers of changes."""
