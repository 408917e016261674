"""The REST API over HTTP: routes derived from the resources' declarations."""
