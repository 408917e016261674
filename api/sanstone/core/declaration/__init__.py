"""The means to declare a resource: types, fields, hooks, and the query language over them."""
