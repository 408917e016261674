from provisioned import admin, iscsi, lun

__all__ = ["admin", "iscsi", "lun"]
