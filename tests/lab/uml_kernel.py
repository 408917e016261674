"""User-mode Linux: a kernel that is a program, for machines without KVM.

It is built of the source of the kernel that the images run (`kernel_source`), with the options in
`uml.d/kernel.config`. `uml.d/compiler` calls the compiler so that it takes less than half of the
time. Its kernel code runs at the processor's own speed, 4 to 5 times as fast as under QEMU's
emulation; its processes' system calls and page faults cost more than elsewhere. It has one
processor.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from lab import commands, kernel_source
from lab.kernel_source import COMPILER

OPTIONS = kernel_source.USER_MODE / "kernel.config"
PROGRAM = "linux"
HEADERS = OPTIONS.with_name("headers")
FIRST_FILES = {
    "any.h": "lib/bcd.o",
    "net.h": "net/ethernet/eth.o",
    "rdma.h": "drivers/infiniband/core/packer.o",
}
"""By header a file that is compiled with it, which writes the precompiled one. Any that `compiler`
gives the header to serves."""
WORK = "build"
MAKE = ("make", "ARCH=um", "CC=kernel-compiler", "KCFLAGS=-O1")
"""-O1 takes five sixths of the time of -Os, the default; the kernel is no slower.

With another compiler or other flags make would compile everything again.
"""
COMPILE = (*MAKE, "-C", f"/{WORK}")


def parts() -> list[str | Path]:
    """Return the inputs of the kernel, as parts of its fingerprint."""
    patches = kernel_source.patches(of_user_mode=True)
    return [*kernel_source.inputs(), *patches, OPTIONS, COMPILER, *COMPILE, HEADERS]


def build(folder: Path) -> None:
    """Build it into `folder`.

    In it are the program `linux`, and `modules/<release>`, by whose files modprobe knows that a
    driver is built in. Takes root, and the source as `kernel_source.chroot` does. Raises
    commands.CommandFailed.
    """
    chroot = kernel_source.chroot()
    work = chroot / WORK
    shutil.copy(COMPILER, chroot / "usr/local/bin/kernel-compiler")
    _allow_static(chroot / "usr/src" / kernel_source.SOURCE / "arch/um/drivers/Kconfig")
    kernel_source.configure(chroot, MAKE, WORK, [OPTIONS])
    # The precompiled header includes headers that this writes.
    commands.run(["chroot", chroot, *COMPILE, "prepare"])
    shutil.copytree(HEADERS, chroot / "usr/src/headers", dirs_exist_ok=True)
    commands.run(["chroot", chroot, *COMPILE, *FIRST_FILES.values()])
    for header, file in FIRST_FILES.items():
        _empty_known(chroot, chroot / "usr/src/headers" / header, work / file)
    commands.run(["chroot", chroot, *COMPILE, kernel_source.PARALLEL, PROGRAM])
    shutil.copytree(_index(chroot, work), folder / "modules")
    shutil.copy(work / PROGRAM, folder / PROGRAM)


def _allow_static(options: Path) -> None:
    """Link the program statically, so that it runs beside any C library.

    The options of network drivers rule that out because of getaddrinfo(), which needs libraries at
    run time. Only transports that the lab does not use call it.
    """
    lines = options.read_text().splitlines(keepends=True)
    options.write_text("".join(line for line in lines if "MAY_HAVE_RUNTIME_DEPS" not in line))


def _empty_known(chroot: Path, header: Path, object_file: Path) -> None:
    """Have an empty file found instead of each header that the precompiled one has in it.

    `object_file` is the file that was compiled with it.
    """
    command = object_file.with_name(f".{object_file.name}.cmd").read_text().splitlines()[0]
    searched = [_inside(chroot, place) for place in re.findall(r" -I(\S+)", command)]
    empty = header.with_name(f"{header.name}.empty")
    _, names = header.with_name(f"{header.name}.d").read_text().split(":", 1)
    for known in {_inside(chroot, name) for name in names.replace("\\\n", " ").split()}:
        if not only_once(known.read_text()):
            continue
        for place in searched:
            if not known.is_relative_to(place):
                continue
            name = known.relative_to(place)
            # Another file of the same name may come before it.
            if next(p / name for p in searched if (p / name).exists()) == known:
                (empty / name).parent.mkdir(parents=True, exist_ok=True)
                (empty / name).touch()


def _inside(chroot: Path, name: str) -> Path:
    """Return where a file is that the compiler, in the build's directory, calls `name`."""
    return chroot / os.path.normpath(Path(f"/{WORK}") / name).lstrip("/")


def only_once(text: str) -> bool:
    """Tell whether a header has nothing to say at its second inclusion.

    So it is if all of it depends on a macro that it defines first.
    """
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL).replace("\\\n", " ")
    text = "\n".join(line.strip() for line in text.splitlines() if line.strip())
    guard = re.match(r"#\s*(?:ifndef|if\s*!\s*defined)\W+(\w+)\W*\n#\s*define\s+\1\b", text)
    if not guard or re.search(rf"#\s*undef\s+{guard[1]}\b", text):
        return False
    depth = 0
    for directive in re.finditer(r"^#\s*(if|el|endif)", text, flags=re.MULTILINE):
        if directive[1] == "if":
            depth += 1
        elif directive[1] == "endif":
            depth -= 1
        elif depth == 1:
            return False
        if depth == 0:
            return "\n" not in text[directive.start() :]
    return False


def _index(chroot: Path, work: Path) -> Path:
    """Return a directory with modprobe's files, for a kernel that has all built in."""
    release = (work / "include/config/kernel.release").read_text().strip()
    modules = chroot / "usr/lib/modules"
    shutil.rmtree(modules, ignore_errors=True)
    (modules / release).mkdir(parents=True)
    for name in ("modules.builtin", "modules.builtin.modinfo"):
        shutil.copy(work / name, modules / release)
    (modules / release / "modules.order").touch()
    commands.run(["chroot", chroot, "depmod", release])
    return modules
