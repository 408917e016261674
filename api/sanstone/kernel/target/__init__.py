"""Drivers of the kernel's targets, LIO (SCSI) and nvmet (NVMe), which are configured through
configfs.
"""
