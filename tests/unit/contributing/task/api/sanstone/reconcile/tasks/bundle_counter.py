"""How many files of support bundles there are."""

from __future__ import annotations

import logging

from sanstone.core import places
from sanstone.kernel.host import Host

log = logging.getLogger("sanstone.reconciler")


class BundleCounter:
    """Counts the files, and tells the log when there are others than before."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.counted = 0

    def count(self) -> str | None:
        """Count them. Return why that was not possible, None where it was."""
        folder = str(places.support_directory())
        if not self._host.files.is_dir(folder):
            return f"{folder} is not there"
        counted = len(self._host.files.listdir(folder))
        if counted != self.counted:
            log.info("there are %d files of support bundles", counted)
        self.counted = counted
        return None
