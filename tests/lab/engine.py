"""The engine of the machines: KVM where a trial boot has shown that it works, else emulation.

/dev/kvm being there proves nothing: nested virtualisation may hang in the firmware or abort on a
processor feature. So the image's own kernel is booted once up to the lab's initrd, within a bound,
and the answer is kept in output/lab/engine.json for this host kernel, processor and QEMU.
SANSTONE_ENGINE=kvm|tcg overrides it.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from lab import commands, fingerprint, paths
from lab.image import Image

TRIAL_SECONDS = 30
TRIAL_ANSWER = "LAB-TRIAL-PASSED"
CACHE = paths.LAB / "engine.json"


@dataclass(frozen=True)
class Engine:
    """QEMU's options for one way of running a machine, and kernel parameters that suit it."""

    name: str
    options: tuple[str, ...]
    parameters: tuple[str, ...]


KVM = Engine("kvm", ("-accel", "kvm", "-cpu", "host"), ("clocksource=kvm-clock",))
# Multi-threaded emulation keeps both cores busy. Its TSC has been seen to run three times too fast
# when the kernel calibrated it on a busy machine; the HPET counts QEMU's own nanoseconds. A TSC
# unstable from the start spares the kernel to patch the hottest function of its clock while both
# processors are in it (kernel/sched/clock.c), and emulated ones died of it. Page tables of five
# levels, which the kernel uses wherever the processor has them (LA57), are walked one level more at
# each miss of the emulated TLB.
TCG = Engine(
    "tcg",
    ("-accel", "tcg,thread=multi,tb-size=512", "-cpu", "max,la57=off"),
    ("clocksource=hpet", "tsc=unstable", "no_timer_check"),
)
ENGINES = {engine.name: engine for engine in (KVM, TCG)}


def choose(image: Image) -> Engine:
    """Return the engine for this machine; the trial boots `image` and takes up to TRIAL_SECONDS."""
    requested = os.environ.get("SANSTONE_ENGINE")
    if requested:
        return ENGINES[requested]
    if not Path("/dev/kvm").exists():
        return TCG
    version = commands.run(["qemu-system-x86_64", "--version"])
    here = fingerprint.of([version, platform.release(), Path("/proc/cpuinfo").read_text()[:400]])
    if CACHE.exists():
        cached = json.loads(CACHE.read_text())
        if cached["machine"] == here:
            return ENGINES[cached["engine"]]
    works, reason = _trial(image)
    engine = KVM if works else TCG
    print(f"engine: {engine.name} ({reason})", file=sys.stderr)
    CACHE.write_text(json.dumps({"machine": here, "engine": engine.name, "reason": reason}) + "\n")
    return engine


def _trial(image: Image) -> tuple[bool, str]:
    """Boot the kernel as far as the initrd under KVM; return whether it got there, and why not."""
    words = ["qemu-system-x86_64", "-machine", "q35", *KVM.options, "-smp", "2", "-m", "512"]
    words += ["-nodefaults", "-no-reboot", "-display", "none", "-serial", "stdio"]
    words += ["-kernel", str(image.kernel), "-initrd", str(image.initrd)]
    words += ["-append", "console=ttyS0 quiet panic=-1 lab.trial"]
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TRIAL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, f"the trial boot under KVM hung for {TRIAL_SECONDS} s"
    printed = done.stdout.decode(errors="replace").strip()
    if TRIAL_ANSWER in printed:
        return True, "the trial boot under KVM passed"
    last = printed.splitlines()[-1] if printed else "nothing printed"
    return False, f"the trial boot under KVM failed: {last}"
