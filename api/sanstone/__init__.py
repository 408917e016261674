"""The control plane of a Sanstone array: REST API, reconciler and kernel drivers."""

__version__ = "0.6.0"
