"""What every resource is made of: types, declarations, the store, jobs, events and errors."""
