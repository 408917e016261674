"""Directories of users: LDAP servers, and the process that asks them for the API."""
