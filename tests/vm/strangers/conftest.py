from provisioned import admin, iscsi, lun_of_module, machines, namespace_of_module, nvme

__all__ = ["admin", "iscsi", "lun_of_module", "machines", "namespace_of_module", "nvme"]
