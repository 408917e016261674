"""The machine and the releases behind the figures, which mean nothing without them."""

from __future__ import annotations

import os
import platform
import re
import time
from pathlib import Path

from bench.stage import Stage
from lab import commands, paths

PACKAGES = ("nvmetcli", "python3-rtslib-fb", "python3", "nginx-light", "lvm2")


def describe(stage: Stage) -> dict[str, str]:
    """Return names and values, in the order of the report."""
    described = {
        "date": time.strftime("%Y-%m-%d %H:%M %Z"),
        "commit": _commit(),
        "processor": _processor(),
        "memory": f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') >> 20} MiB",
        "kernel": platform.release(),
        "load before": f"{os.getloadavg()[0]:.1f} (so many other programs wanted a processor)",
        "engine": stage.engine.name,
    }
    for machine in (stage.array, stage.host):
        hardware = machine.hardware
        cores = machine.run("nproc").strip()
        release = machine.run("uname --kernel-release").strip()
        name = hardware.name
        described[name] = f"{cores} processor(s), {hardware.memory} MiB, Linux {release}"
    format_ = "${Package} ${Version}, "
    query = f"dpkg-query --show --showformat='{format_}' {' '.join(PACKAGES)}"
    described["versions"] = stage.array.run(query).strip(" ,")
    return described


def _processor() -> str:
    match = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    model = match[1] if match else platform.machine()
    return f"{model}, {os.cpu_count()} cores"


def _commit() -> str:
    git: commands.Argv = ["git", "-C", paths.REPOSITORY]
    commit = commands.run([*git, "rev-parse", "--short", "HEAD"]).strip()
    changed = commands.run([*git, "status", "--porcelain", "--untracked-files=no"])
    return f"{commit}{' with changes' if changed else ''}"
