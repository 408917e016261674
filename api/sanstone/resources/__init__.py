"""The resources and actions of the API, one module each; `declared` has all of them."""
