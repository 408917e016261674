from provisioned import admin

__all__ = ["admin"]
