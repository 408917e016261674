"""The lab: Sanstone's machines in QEMU, for trying things and for the tests that need a kernel.

The idea: an *image* is a stack of read-only squashfs *layers* (Debian's packages, the Python
wheels, our product, the lab's own agent), each named after a hash of its inputs. A change
of the code thus rebuilds one small layer in seconds. A *machine* boots that stack with a throw-away
overlay in memory, so every boot starts from the same files; only its disks are kept. A *rack* is a
set of machines that belong together: an array, its hosts, and two data networks between them.

    paths         where things are
    commands      running other programs
    dependencies  packages that a fresh Debian machine lacks
    fingerprint   names for contents
    layer         build one layer once
    debian, wheels, product, guest      the contents of the layers
    initrd        finds the layers at boot and hands over to systemd
    image         one role's layers, kernel and initrd
    engine        KVM where a trial boot shows that it works, else emulation
    machine, qemu, monitor, agent       one machine: power, command line, QEMU's and the guest's ear
    switch        an Ethernet switch in user space, so that no machine needs privileges
    rack          machines that belong together
    rack_lock     one process at a time works with them

Only the standard library is used, so that it runs with the Python of a machine just installed.
`python3 -m lab` (with `tests` on the path) is the command line; `make run` and the tests in
`tests/vm` stand on the same classes.
"""
