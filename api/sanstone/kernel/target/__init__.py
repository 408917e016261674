"""Drivers of the kernel's targets, LIO (SCSI) and nvmet (NVMe), through configfs."""
