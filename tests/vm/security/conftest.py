from provisioned import admin, iscsi, lun
from ssh_client import administrator

__all__ = ["admin", "administrator", "iscsi", "lun"]
