"""Checks of the product image: did Buildroot build what this repository asks for?

Kconfig drops without a word what an option's dependencies do not allow, and a package's version is
Buildroot's to choose. So what was asked for is compared with what was obtained, after each build:

options.py    options of Buildroot and the kernel: defconfig, fragments, the product's selections
versions.py   Python packages: those that the tests run with are those of the image
__main__.py   the command line, `make check-image`

The standard library alone, since this runs with the Python of the machine that builds.
"""
