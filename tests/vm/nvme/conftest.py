from provisioned import admin, drive_of_module, machines, namespace_of_module, nvme

__all__ = ["admin", "drive_of_module", "machines", "namespace_of_module", "nvme"]
