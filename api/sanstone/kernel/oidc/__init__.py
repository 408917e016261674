"""OpenID Connect: identity providers, and the process that asks them for the API."""
