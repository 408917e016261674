"""The parts of every resource: types, declarations, the store, jobs, events and errors."""
