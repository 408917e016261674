"""What suites of others find in the targets: each failure has a line, and its reason above that.

    accounted      the reviewed lists, and how what a suite found differs from one
    iscsi_test_cu  libiscsi's suite for SCSI and iSCSI, against the array: tests/vm/iscsi runs it
    blktests       blktests' group for NVMe, by each transport: `make conformance` runs it

The lists are iscsi-test-cu.txt and blktests.txt.
"""
