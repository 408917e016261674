"""The web server reads again what is written for it."""

from __future__ import annotations

import re
from pathlib import Path

from nginx import WATCHED

OVERLAY = Path(__file__).parents[3] / "overlay"
FOLDER = "/var/lib/sanstone/tls"


def test_systemd_watches_each_file_that_nginx_reads_there() -> None:
    unit = OVERLAY / "usr/lib/systemd/system/sanstone-web-certificate.path"
    paths = re.findall(r"^PathChanged=(.+)$", unit.read_text(), re.MULTILINE)
    assert paths == [f"{FOLDER}/{name}" for name in WATCHED]
    named = re.findall(rf"{FOLDER}/([^;]+);", (OVERLAY / "etc/nginx/nginx.conf").read_text())
    assert {Path(path).name for path in paths} >= {n for n in named if "*" not in n}
    assert [name for name in named if "*" in name] == ["clients*.conf"]
