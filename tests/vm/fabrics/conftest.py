from provisioned import admin, iscsi, machines, nvme

__all__ = ["admin", "iscsi", "machines", "nvme"]
