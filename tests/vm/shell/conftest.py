from provisioned import admin, iscsi, nvme
from ssh_client import administrator

__all__ = ["admin", "administrator", "iscsi", "nvme"]
