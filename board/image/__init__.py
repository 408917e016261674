"""Checks of the product image: is what this repository asks for what Buildroot builds?

Kconfig silently drops values that an option's dependencies do not allow, a package's version is
Buildroot's to choose, and a patch or a package of ours may not fit that version. So requests are
compared with results: before a build on a tree of Buildroot, without one by the record of such a
comparison, and after a build on its output.

__main__.py      the command line, `make check-image`
recording.py     `make record-image`, which writes what record.py reads
on_a_tree.py     the checks before a build:
  options.py, requested.py options of Buildroot and the kernel: defconfig, fragments, selections
  kernel.py those of the kernel, by its own kconfig versions.py Python packages: those that the
  tests run with are those of the image patches.py patches apply libraries.py packages of ours find
  the names that they use in libraries; c_sources.py reads them python_builds.py and Python packages
  the programs that build them archives.py hashes, and the content of archives built.py the check of
  a finished build: called_programs.py programs that the product runs accounts.py users and groups
  storage_rules.py rules of udev that begin storage by themselves units.py what systemd's units of
  the product need machine.py what the machine lacks to build it, before `make image` inputs.py the
  files that all of this depends on buildroot.py a tree of Buildroot, queried without building

The standard library alone, since this runs with the Python of the machine that builds.
"""
