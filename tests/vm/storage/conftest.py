from provisioned import admin, disk, iscsi, lun

__all__ = ["admin", "disk", "iscsi", "lun"]
