from provisioned import admin, disk, iscsi, lun, namespace, nvme
from ssh_client import administrator

__all__ = ["admin", "administrator", "disk", "iscsi", "lun", "namespace", "nvme"]
