"""The web server reloads its files whenever the last of them is written."""

from __future__ import annotations

import re
from pathlib import Path

from nginx import WATCHED

OVERLAY = Path(__file__).parents[3] / "overlay"
FOLDER = "/var/lib/sanstone/tls"


def test_systemd_watches_the_file_that_is_written_last() -> None:
    unit = OVERLAY / "usr/lib/systemd/system/sanstone-web-certificate.path"
    paths = re.findall(r"^PathChanged=(.+)$", unit.read_text(), re.MULTILINE)
    assert paths == [f"{FOLDER}/{name}" for name in WATCHED]
