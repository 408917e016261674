"""Addresses that users give: what may be connected to, and the process that opens URLs for root."""
