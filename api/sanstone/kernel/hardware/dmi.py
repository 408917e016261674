"""The firmware's facts about the machine, as the kernel shows them (DMI, SMBIOS)."""

from __future__ import annotations

from sanstone.kernel.host import FileError, Files

MODEL, SERIAL_NUMBER = "product_name", "product_serial"
"""Files of the machine's model and serial number."""
_FOLDER = "/sys/class/dmi/id"


def read(files: Files, name: str) -> str:
    """Return a field, '' if it is absent. Raises FileError: root alone can read serial numbers."""
    path = f"{_FOLDER}/{name}"
    return files.read(path).strip() if files.exists(path) else ""


def text_of(files: Files, name: str) -> str:
    """Return a field, or why it cannot be read."""
    try:
        return read(files, name)
    except FileError as error:
        # A confined reconciler does without them.
        return f"unreadable: {error}"
