from browser import browser
from provisioned import admin, disk, iscsi, lun

__all__ = ["admin", "browser", "disk", "iscsi", "lun"]
