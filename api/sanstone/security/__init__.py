"""Accounts, their authentication, and their authorisation."""
