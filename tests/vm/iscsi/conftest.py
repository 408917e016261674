from provisioned import admin, disk_of_module, iscsi, lun_of_module, machines

__all__ = ["admin", "disk_of_module", "iscsi", "lun_of_module", "machines"]
