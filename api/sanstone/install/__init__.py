"""Install Sanstone on a machine's disks, from the live system, as root.

    answers    the parameters of an installation: from a file or the screens
    sources    the answers' location on the kernel's command line
    patience   retries for devices and networks that are not ready
    disks      the machine's disks, and those that may become system disks
    targets    partitions and mirrors of the chosen disks
    boot       boot loaders for a BIOS and UEFI
    images     writing an image, and reading it back
    mounts     temporarily mounted file systems
    state      the array's state: mounted, created, repaired
    mirror     replacement of one of two system disks
    installer  all of that in order
    screens    full-screen text dialogues; `questions`, their content
    rescue     the rescue menu
    main       the commands

Rules: nothing is written before everything that can be checked has been checked; an error leaves
nothing mounted and no mirror running that did not run before, and reports the cause; the
installation may simply start again.
"""
