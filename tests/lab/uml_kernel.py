"""User-mode Linux: a kernel that is a program, for machines without KVM.

It is built from Debian's source package of the kernel that the images run, with the options in
`uml.d/kernel.config`, the product's own patches and those of User-mode Linux in `uml.d`, in a
chroot of the system that the images have in common and a compiler, so that compiler and source are
of one age. `uml.d/compiler` calls the compiler so that it takes less than half of the time.
Its kernel code runs at the processor's own speed, 4 to 5 times as fast as under QEMU's emulation;
its processes' system calls and page faults cost more than elsewhere. It has one processor.

The result is kept under a hash of options and patches (see `cache`).
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from pathlib import Path

from lab import cache, commands, debian, fingerprint, paths

OPTIONS = paths.LAB_SOURCE / "uml.d" / "kernel.config"
BUILD = paths.CACHE / "uml"
LINE = "6.12"
"""Of Linux; the product's patches are those of the same line."""
SOURCE = f"linux-source-{LINE}"
PROGRAM = "linux"
PATCHES = paths.REPOSITORY / "board/common/patches"
TOOLS = ("gcc", "make", "libc6-dev", "flex", "bison", "bc", "xz-utils", "patch")
# Most of the source, of which only the options are read.
UNUSED = ("drivers/gpu", "drivers/media", "drivers/net/ethernet", "drivers/net/wireless", "sound")
COMPILER = OPTIONS.with_name("compiler")
HEADERS = OPTIONS.with_name("headers")
FIRST_FILES = {
    "any.h": "lib/bcd.o",
    "net.h": "net/ethernet/eth.o",
    "rdma.h": "drivers/infiniband/core/packer.o",
}
"""By header a file whose compilation makes the precompiled one: any that `compiler` gives it to."""
MAKE = ("make", "ARCH=um", "CC=kernel-compiler", "KCFLAGS=-O1", "-C")
"""-O1 takes five sixths of the time of -Os, the default; what it makes is no slower.

With another compiler or other flags make would do anew what it did before.
"""
COMPILE = (*MAKE, "/build")


class OptionsRefused(Exception):
    """The kernel's configuration did not take options that were asked for."""


def ensure() -> Path:
    """Build the kernel unless it is there and return a directory.

    In it are the program `linux`, and `modules/<release>` with what modprobe reads to know that a
    driver is built in.

    Building needs root, so it runs in a process of its own, by sudo for other users.
    Raises commands.CommandFailed.
    """
    parts: list[str | Path] = [
        OPTIONS,
        COMPILER,
        *COMPILE,
        HEADERS,
        debian.SUITE,
        SOURCE,
        *_patches(),
    ]
    made = BUILD / f"linux-{fingerprint.of(parts)}"
    if not cache.is_intact(made / PROGRAM):
        BUILD.mkdir(parents=True, exist_ok=True)
        prefix = [] if os.geteuid() == 0 else ["sudo"]
        # What mmdebstrap mounts goes with it.
        namespace = ["unshare", "--mount", "--propagation", "private"]
        build = [*namespace, sys.executable, "-m", "lab.uml_kernel", str(made)]
        commands.run([*prefix, "env", *paths.FOR_ROOT, *build], progress=True)
    return made


def _ensure(made: Path) -> None:
    # Kernels whose options differ are built in the same chroot.
    with cache.locked("build", BUILD):
        if not cache.is_intact(made / PROGRAM):
            _build(made)
            cache.drop_old(BUILD.glob("linux-*/"))


def _build(made: Path) -> None:
    started = time.monotonic()
    print("building User-mode Linux ...", file=sys.stderr, flush=True)
    chroot = _chroot()
    work = chroot / "build"
    shutil.copy(COMPILER, chroot / "usr/local/bin/kernel-compiler")
    _configure(chroot, work)
    # The precompiled header takes headers that are made here.
    commands.run(["chroot", chroot, *COMPILE, "prepare"])
    shutil.copytree(HEADERS, chroot / "usr/src/headers", dirs_exist_ok=True)
    commands.run(["chroot", chroot, *COMPILE, *FIRST_FILES.values()])
    for header, file in FIRST_FILES.items():
        _empty_known(chroot, chroot / "usr/src/headers" / header, work / file)
    commands.run(["chroot", chroot, *COMPILE, f"-j{os.cpu_count() or 1}", PROGRAM])
    partial = made.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(_index(chroot, work), partial / "modules")
    shutil.copy(work / PROGRAM, partial / f"{PROGRAM}.partial")
    cache.publish(partial / f"{PROGRAM}.partial", partial / PROGRAM)
    shutil.rmtree(made, ignore_errors=True)
    partial.rename(made)
    # Each takes 2 GB, and is of no use for another kernel that differs in its patches.
    for each in BUILD.glob("chroot-*"):
        shutil.rmtree(each)
    print(f"building User-mode Linux took {time.monotonic() - started:.0f} s", file=sys.stderr)


def _chroot() -> Path:
    """Return the chroot with compiler and unpacked source, made unless it is there."""
    key = fingerprint.of([debian.SUITE, *TOOLS, *UNUSED, SOURCE, *_patches()])
    chroot = BUILD / f"chroot-{key}"
    if chroot.exists():
        return chroot
    partial = chroot.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    BUILD.mkdir(parents=True, exist_ok=True)
    debian.copy_common(partial)
    debian.add((*TOOLS, SOURCE), partial)
    unpack: commands.Argv = ["chroot", partial, "tar", "-C", "/usr/src"]
    unused = [f"--exclude={SOURCE}/{directory}/*.[ch]" for directory in UNUSED]
    commands.run([*unpack, *unused, "-xf", f"/usr/src/{SOURCE}.tar.xz"])
    for patch in _patches():
        apply: commands.Argv = ["chroot", partial, "patch", "-p1", "-d", f"/usr/src/{SOURCE}"]
        commands.run(apply, text=patch.read_text())
    _allow_static(partial / "usr/src" / SOURCE / "arch/um/drivers/Kconfig")
    (partial / "build").mkdir()
    partial.rename(chroot)
    return chroot


def _patches() -> list[Path]:
    """Return the patches of the kernel in their order: the product's, then the lab's own.

    The product's are those of all lines of Linux, then those of LINE.
    """
    folders = (PATCHES / "common/linux", PATCHES / LINE / "linux", OPTIONS.parent)
    return [patch for folder in folders for patch in sorted(folder.glob("*.patch"))]


def _allow_static(options: Path) -> None:
    """Link the program statically, so that it runs beside any C library.

    The options of network drivers rule that out because of getaddrinfo(), which needs libraries at
    run time. Only transports that the lab does not use call it.
    """
    lines = options.read_text().splitlines(keepends=True)
    options.write_text("".join(line for line in lines if "MAY_HAVE_RUNTIME_DEPS" not in line))


def _configure(chroot: Path, work: Path) -> None:
    """Write the build's .config: the architecture's defaults, then OPTIONS."""
    enter: commands.Argv = ["chroot", chroot, *MAKE, f"/usr/src/{SOURCE}", "O=/build"]
    commands.run([*enter, "defconfig"])
    requested = [line for line in OPTIONS.read_text().splitlines() if line.startswith("CONFIG_")]
    with (work / ".config").open("a") as config:
        config.writelines(f"{line}\n" for line in requested)
    commands.run([*enter, "olddefconfig"])
    off = re.compile("# (CONFIG_.*) is not set")
    got = {off.sub(r"\1=n", line) for line in (work / ".config").read_text().splitlines()}
    refused = [line for line in requested if line not in got]
    if refused:
        raise OptionsRefused(f"{OPTIONS}: not taken: {' '.join(refused)}")


def _empty_known(chroot: Path, header: Path, made: Path) -> None:
    """Have an empty file found instead of each header that the precompiled one has in it.

    `made` is the object file that it was made with.
    """
    command = made.with_name(f".{made.name}.cmd").read_text().splitlines()[0]
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
    return chroot / os.path.normpath(Path("/build") / name).lstrip("/")


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
    """Return a directory with what modprobe reads, for a kernel that has all built in."""
    release = (work / "include/config/kernel.release").read_text().strip()
    modules = chroot / "usr/lib/modules"
    shutil.rmtree(modules, ignore_errors=True)
    (modules / release).mkdir(parents=True)
    for name in ("modules.builtin", "modules.builtin.modinfo"):
        shutil.copy(work / name, modules / release)
    (modules / release / "modules.order").touch()
    commands.run(["chroot", chroot, "depmod", release])
    return modules


if __name__ == "__main__":
    _ensure(Path(sys.argv[1]))
