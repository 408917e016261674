from browser import browser
from provisioned import admin, iscsi, machines, nvme

__all__ = ["admin", "browser", "iscsi", "machines", "nvme"]
