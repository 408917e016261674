"""Drivers of the kernel's targets, LIO and nvmet: trees in configfs."""
