"""Drivers for the kernel: small, each for one mechanism, independent of REST.

`host` is the only door to the machine; `plan` is a list of steps; `configfs`, `nvmet`, `lio` are
the targets; `block`, `md`, `lvm`, `dm`, `net` manage storage and network. Nothing here imports
anything of ours from outside this package.
"""
