from provisioned import admin, disk, iscsi, lun, nvme

__all__ = ["admin", "disk", "iscsi", "lun", "nvme"]
