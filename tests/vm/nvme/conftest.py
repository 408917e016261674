from provisioned import admin, drive, namespace, nvme

__all__ = ["admin", "drive", "namespace", "nvme"]
