"""Rules of the tables for both the API and the reconciler: states, promises, access of hosts.

Rules read tables, and give rows what follows from others. They know no declaration: `resources`
declares fields and calls rules, and the reconciler calls them without it.
"""
