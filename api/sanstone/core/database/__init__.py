"""The store: its file and transactions, changes with their inverse, and what is counted of them."""
