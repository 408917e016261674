"""Measurements of an array's control plane and data path: `make bench`.

Each row is a module that gets a `Stage` (an array and a host that run) and yields `Line`s. A row
compares ours with a peer, which is measured in the same run, on the same machines, on the same
objects. A figure that cannot be measured here is a line with its reason. Nothing is asserted:
figures are for people, tests judge behaviour.

    restore      exports come back at a start: ours, targetctl, nvmetcli, and the bare writes
    create       LUNs and namespaces over REST, and how that grows with the number of objects
    listing      10,000 LUNs: the first page, and all of them
    data_path    IOPS, bandwidth, latency and processor time, on the array, over iSCSI and NVMe/TCP
    transports   the same by every transport, to one device, and how it is there
    power_on     from power-on to the first I/O served

    stage        machines and how to reach them     contents   the objects of the rows on the array
    fio          jobs, and their proof              initiators a host's logins
    report       lines, the table and the JSON file
    guest/       programs that run inside the array

The machines are KVM's where that works, else User-mode Linux: figures from emulation mean nothing.
"""
