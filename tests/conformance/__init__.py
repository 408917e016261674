"""The findings of others' suites in the targets: each failure has a line, its reason above it.

    accounted      the reviewed lists, and how a suite's outcomes differ from one
    iscsi_test_cu  libiscsi's suite for SCSI and iSCSI, against the array: tests/vm/iscsi runs it
    blktests       blktests' group for NVMe, by each transport: `make conformance` runs it

The lists are iscsi-test-cu.txt and blktests.txt.
"""
