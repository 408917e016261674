"""A client of the array's REST API, by the standard library alone; see `rest`."""
