"""What both the API and the reconciler must know of the tables: states, promises, who reaches what.

Rules read tables, and give rows what follows from others. They know no declaration: `resources`
declares fields and calls rules, and the reconciler calls them without it.
"""
