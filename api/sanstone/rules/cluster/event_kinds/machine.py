"""Events of the machine: sensors, processors, memory, buses, the kernel, power."""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.events import ALERT, EMERGENCY, ERROR, NOTICE
from sanstone.rules.cluster.event_kinds.event_kind import EventKind

KINDS: Sequence[EventKind] = (
    EventKind(
        "monitor.fan.failed",
        ALERT,
        "A fan of the machine stands still, or is far too slow. The others may keep it cool; if "
        "they do not, the machine switches itself off.",
        "Reseat the fan, and replace it if it still fails: system node environment sensors show "
        "tells which fans there are and how fast they are.",
    ),
    EventKind(
        "monitor.fan.warning",
        NOTICE,
        "A fan of the machine is slower, or faster, than usual, or no other could take its place.",
        "Look for dust and for obstacles in the air's way, and replace the fan in time.",
    ),
    EventKind(
        "monitor.chassisTemperature.warm",
        ALERT,
        "A part of the machine is too hot. When it is hotter still, the machine switches itself "
        "off.",
        "Look at the room, its air conditioning and the machine's fans: system node environment "
        "sensors show tells which part is hot.",
    ),
    EventKind(
        "monitor.chassisTemperature.cool",
        ALERT,
        "A part of the machine is too cold.",
        "Warm up the room. If it is warm, the sensor is broken.",
    ),
    EventKind(
        "monitor.chassisPowerSupply.degraded",
        ALERT,
        "A power supply of the machine has failed, or says that it will. The machine runs on the "
        "others, if there are any.",
        "Replace the power supply that the event names. Pull no other one before.",
    ),
    EventKind(
        "monitor.chassisPowerSupply.off",
        ALERT,
        "A power supply of the machine gets no mains, or mains of a wrong voltage. The machine "
        "runs on the others, if there are any.",
        "Check the cable, the circuit breaker and the uninterruptible power supply it hangs on.",
    ),
    EventKind(
        "monitor.chassisPower.degraded",
        ALERT,
        "The power of the machine is not redundant any more, or a voltage or current is out of its "
        "range.",
        "Look which power supply failed. A wrong voltage with good supplies is a fault of the "
        "machine's board.",
    ),
    EventKind(
        "sp.heartbeat.stopped",
        ERROR,
        "The machine's management controller (BMC) does not answer, so that nobody tells of fans, "
        "power supplies and temperatures. Hosts are served.",
        "Wait for some minutes after an update of its firmware; else reset the controller by its "
        "own web page, or cut all power for a minute when hosts can do without the array.",
    ),
    EventKind(
        "sp.event.logged",
        ERROR,
        "The machine's management controller (BMC) has logged an error that the system itself may "
        "not have survived to tell: of a processor, the memory, a bus, the power, or a watchdog "
        "that restarted the machine.",
        "Look up the part that the event names in the machine's manual. Replace it if it comes "
        "again.",
    ),
    EventKind(
        "memory.error.corrected",
        ERROR,
        "A memory module has many errors. All were corrected, and no data is lost. A module that "
        "gets worse will have errors that cannot be corrected.",
        "Reseat the module when hosts can do without the array, and replace it if the errors "
        "come again.",
    ),
    EventKind(
        "memory.error.uncorrected",
        ALERT,
        "A memory module had an error that could not be corrected. What used that memory was "
        "ended, and may have been data of hosts on its way.",
        "Replace the module. Have hosts check what they wrote at that time.",
    ),
    EventKind(
        "memory.page.broken",
        ALERT,
        "Pages of the memory are broken. The system does not use them any more, where it could "
        "do without them.",
        "Replace the memory module; memory.error.uncorrected tells which it is.",
    ),
    EventKind(
        "processor.error.corrected",
        ERROR,
        "A processor has reported many errors of its own (machine checks), all of them corrected.",
        "Update the machine's firmware. Replace the processor if the errors go on.",
    ),
    EventKind(
        "processor.error.uncorrected",
        ALERT,
        "A processor has reported an error (machine check) that was not corrected.",
        "Update the machine's firmware, and replace the processor or the board if it comes again.",
    ),
    EventKind(
        "pcie.error.corrected",
        NOTICE,
        "A PCIe device, or the slot that it is in, has many errors of transfer. All were "
        "corrected by sending again, which takes time.",
        "Reseat the device and its cables; replace them, then the device, if the errors go on.",
    ),
    EventKind(
        "pcie.error.uncorrected",
        ALERT,
        "A PCIe device had an error that was not corrected. After a fatal one its link is reset: "
        "disks or ports behind it were gone for a moment, or are still.",
        "Look whether all disks and ports are there. Reseat the device, and replace it if it "
        "comes again.",
    ),
    EventKind(
        "pcie.link.degraded",
        ERROR,
        "The link of a PCIe device is slower or narrower than it once was: a device behind it is "
        "slower, too.",
        "Reseat the device and its cables. If the machine's setup slows the link down, "
        "the event can be acknowledged.",
    ),
    EventKind(
        "pcie.link.retrained",
        ERROR,
        "The link of a PCIe device failed, and the system had it trained again.",
        "Reseat the device and its cables if it comes again.",
    ),
    EventKind(
        "kernel.task.hung",
        ALERT,
        "A part of the system has waited for some minutes: mostly for a disk that does not answer.",
        "Look for disks that fail: storage disk show. If hosts are not served, collect a support "
        "bundle and restart the node.",
    ),
    EventKind(
        "kernel.lockup",
        ALERT,
        "A processor was busy with one thing for so long that the system took it for stuck.",
        "Collect a support bundle. A virtual machine gets too little of its host's processors.",
    ),
    EventKind(
        "kernel.rcu.stalled",
        ALERT,
        "A processor did not answer the others for so long that the system took it for stuck.",
        "Collect a support bundle. A virtual machine gets too little of its host's processors.",
    ),
    EventKind(
        "hardware.error.before_boot",
        EMERGENCY,
        "The machine restarted because of an error of its hardware, which its processors or its "
        "firmware have kept.",
        "Look at the log of its management controller for the part, and replace it if it comes "
        "again.",
    ),
    EventKind(
        "node.memory.low",
        ALERT,
        "Little memory is left, so that no LUNs, namespaces and maps are added.",
        "Delete what nobody uses, or give the machine more memory.",
    ),
    EventKind(
        "system.mirror.degraded",
        ALERT,
        "The mirror of the system disks lacks a disk: the array does not survive the loss of the "
        "other.",
        "Replace the dead system disk, and put the new one in its place by the rescue entry of "
        "the installation medium.",
    ),
    EventKind(
        "system.mirror.unbootable",
        ALERT,
        "One of the system disks has no boot loader: the array does not start without the other.",
        "Run the rescue entry of the installation medium to its end.",
    ),
    EventKind(
        "node.power",
        NOTICE,
        "The node restarts or shuts down, by an administrator's order.",
        "None. The audit log tells who it was.",
    ),
)
