"""What a resource is declared with: types, fields, hooks, and the query language over them."""
