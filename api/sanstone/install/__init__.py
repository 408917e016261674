"""Putting Sanstone on a machine's disks, from the live system, as root.

    answers    what has to be known: a file, or what the screens asked for
    sources    where the kernel's command line says that the answers are
    patience   with what is not there yet
    disks      which disks there are, and which may become system disks
    targets    partitions and mirrors of the chosen disks
    boot       what a BIOS, UEFI and GRUB find on them
    images     writing an image, and reading it back
    mounts     file systems that are mounted for a while
    state      the array's state: mounted, begun, mended
    mirror     a new disk in the place of a dead one of two
    installer  all of that in order
    screens    the full-screen text that asks; `questions`, what it asks
    rescue     the rescue menu
    main       the commands

Rules: nothing is written before everything that can be checked was; an error leaves nothing mounted
and nothing running that did not run before, says what was wrong, and the installation may simply
begin again.
"""
