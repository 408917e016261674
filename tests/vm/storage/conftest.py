from provisioned import admin, disk, drive, iscsi, lun, namespace, nvme

__all__ = ["admin", "disk", "drive", "iscsi", "lun", "namespace", "nvme"]
