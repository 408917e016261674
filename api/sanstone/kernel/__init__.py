"""Drivers of the kernel: small, each for one mechanism, knowing nothing of REST.

`host` is the only door to the machine; `plan` is a list of steps; `configfs`, `nvmet`, `lio` are
the targets; `block`, `md`, `lvm`, `dm`, `net` are what lies under and beside them. Nothing here
imports anything of ours from outside this package.
"""
