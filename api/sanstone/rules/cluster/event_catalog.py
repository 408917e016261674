"""The kinds of events: what each means, and what an administrator does about it.

A pattern with `*` fits the events of a family. `test_event_catalog` holds that each kind that the
array raises is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from sanstone.core.events import ALERT, EMERGENCY, ERROR, INFORMATIONAL, NOTICE, RESOLVED


class EventKind(NamedTuple):
    """A kind of events; `severity` is that of the gravest one, `pattern` fits their names."""

    name: str
    severity: str
    description: str
    corrective_action: str
    pattern: str = ""

    @property
    def manual(self) -> str:
        """Return the address of its page of the manual, as the array serves it."""
        return f"/docs/events/{self.name}/"

    def fits(self, name: str) -> bool:
        """Return whether an event of this name is of this kind."""
        return fnmatchcase(name, self.pattern or self.name)


CATALOG: Sequence[EventKind] = (
    EventKind(
        "pool.space",
        EMERGENCY,
        "The pool of an aggregate fills. Writes that need new space fail once it is full; data "
        "that was written stays.",
        "Add disks to the aggregate, delete snapshots or volumes that nobody needs, or have hosts "
        "discard what they do not use (fstrim).",
    ),
    EventKind(
        "pool.forecast",
        NOTICE,
        "An aggregate will be full within two weeks, if its use goes on growing as in the last six "
        "weeks. Writes that need new space fail once it is full.",
        "Add disks to the aggregate in time, delete snapshots or volumes that nobody needs, or "
        "have hosts discard what they do not use (fstrim). storage aggregate show -fields "
        "space.forecast tells the day.",
    ),
    EventKind(
        "pool.overcommitted",
        EMERGENCY,
        "An aggregate has no more space left than volumes with a guarantee have to themselves. "
        "Writes of all other LUNs and namespaces that need new space are refused; reads, and "
        "writes in place, go on. Those with a guarantee notice nothing.",
        "Add disks to the aggregate, delete snapshots or volumes that nobody needs, or have hosts "
        "discard what they do not use (fstrim). It ends by itself when space is free.",
    ),
    EventKind(
        "pool.unguarded",
        NOTICE,
        "Volumes with a guarantee are on an aggregate, and the kernel that runs cannot keep space "
        "free for them: others may fill the aggregate, and then all writes that need new space "
        "fail.",
        "Boot the kernel that the image has. Until then keep more of the aggregate free.",
    ),
    EventKind(
        "wafl.vol.autoSize.done",
        NOTICE,
        "A volume has grown, or shrunk, by itself, as its autosize says: more than the threshold "
        "of growth was in use of it, or less than that of shrinking.",
        "Nothing. volume autosize shows the limits and thresholds, and changes them.",
    ),
    EventKind(
        "wafl.vol.autoSize.fail",
        ERROR,
        "More than the threshold of growth is in use of a volume that should grow by itself, and "
        "it cannot: it has its maximum, or, with a guarantee, its aggregate has no space left "
        "that is neither promised nor taken.",
        "Raise the maximum: volume autosize -maximum-size. Or make room in the aggregate: add "
        "disks, delete snapshots or volumes that nobody needs, or have hosts discard what they do "
        "not use (fstrim). It ends by itself when the volume can grow, or less of it is in use.",
    ),
    EventKind(
        "wafl.volume.snap.autoDelete",
        NOTICE,
        "A snapshot was deleted by itself to make room, as the autodelete of its volume says: more "
        "than the threshold was in use of the volume, or of the share that is kept for snapshots.",
        "Nothing, if such snapshots may go. Otherwise make the volume larger, have it grow by "
        "itself before that, or have fewer snapshots taken: volume autosize, volume snapshot "
        "autodelete show.",
    ),
    EventKind(
        "pool.metadata",
        EMERGENCY,
        "The metadata of an aggregate's pool fill, mostly by many snapshots of scattered writes.",
        "Delete old snapshots, or add disks: the metadata grow with the pool.",
    ),
    EventKind(
        "pool.mode",
        EMERGENCY,
        "The pool of an aggregate takes no writes: it is full, or its metadata are damaged.",
        "Look for disks that fail first. Make room if the pool is full. Otherwise keep the array "
        "running, copy off all that is readable, and collect a support bundle.",
    ),
    EventKind(
        "raid.degraded",
        ALERT,
        "A RAID group runs without some of its disks. It is rebuilt onto a spare disk that fits, "
        "if there is one: at once where a disk failed, after five minutes where one is gone.",
        "Without a spare, put one in; or choose one: storage aggregate modify -disklist, with the "
        "new one in its place. Pull no other disk of the group until it is rebuilt.",
    ),
    EventKind(
        "raid.rg.recons.start",
        NOTICE,
        "A spare disk has taken the place of a disk of an aggregate that failed, or was gone for "
        "five minutes. The RAID group is rebuilt onto it.",
        "Nothing for the data: storage aggregate show-status tells how far it is. Put a new disk "
        "in the place of the one that failed, so that there is a spare again.",
    ),
    EventKind(
        "raid.rg.diskcopy.start",
        NOTICE,
        "A disk of an aggregate that predicts its failure, or is far slower than the others, is "
        "copied to a spare disk, which takes its place. The RAID group is whole meanwhile.",
        "Nothing for the data: storage aggregate show-status tells how far it is. When it is done, "
        "take the old disk out, and put a new one in.",
    ),
    EventKind(
        "raid.rg.spares.low",
        ERROR,
        "Fewer spare disks than raid.min_spare_count fit an aggregate: of its type, with its "
        "sectors, and as large as its smallest. Without any, a disk that fails is replaced by "
        "nobody but you.",
        "Put a disk in, or erase one that nobody needs. For an array that is meant to have no "
        "spares: storage raid-options modify -name raid.min_spare_count -value 0.",
    ),
    EventKind(
        "raid.dirty",
        EMERGENCY,
        "A RAID group lacks disks, and was written to when the power was cut. Data of the missing "
        "disks is computed out of the others, which may not agree in what was written then: a few "
        "stripes may be wrong. The group does not start by itself.",
        "Bring the missing disks back: then it starts, and nothing is lost. If they are lost for "
        "good, have it started all the same: storage aggregate force-start. Have hosts check their "
        "file systems then.",
    ),
    EventKind(
        "raid.disk",
        ALERT,
        "A disk of a RAID group is there, and what lies between it and the group cannot be used.",
        "The message tells why. Replace the disk: storage aggregate modify -disklist, with a new "
        "one in its place.",
    ),
    EventKind(
        "raid.sectors",
        ALERT,
        "A disk of a RAID group has larger sectors than the group. From the next start of the "
        "array the group has them too, and hosts find no partitions and file systems any more.",
        "Do not restart the array. Replace the disk by one with the sectors of the others: storage "
        "aggregate modify -disklist, with the new one in its place.",
    ),
    EventKind(
        "raid.scrub.mismatch",
        ALERT,
        "A scrub found sectors in which parity, or the copies, of a RAID group do not agree with "
        "its data. Which of both is right nobody knows, so that nothing was changed.",
        "Have hosts check what lies on the aggregate, by their file systems and databases, and "
        "restore what is wrong from a backup. Look at the disks, their cables and the memory: "
        "storage disk show, event log show. Then scrub again.",
    ),
    EventKind(
        "raid.scrub.overdue",
        NOTICE,
        "A RAID group was not read whole in time. Sectors that cannot be read any more would show "
        "only when a disk fails and all others are needed.",
        "The message tells whether the scrub is suspended, waits for a rebuild, or is slow: "
        "storage aggregate scrub -action resume, or have the group rebuilt.",
    ),
    EventKind(
        "disk.identity",
        ALERT,
        "A disk has no serial number, or the same as another one, and is not used.",
        "Take the stranger out: the message tells its device, model and serial number. It must be "
        "gone before the array starts again if it shares the identity of an aggregate's disk.",
    ),
    EventKind(
        "disk.paths",
        NOTICE,
        "Disks are reached by more than one path, as by both ports of a shelf. One path of each is "
        "used; when that is gone, another takes over, and the RAID group copies what it missed.",
        "Nothing, if it is meant so. Otherwise remove the second cable.",
    ),
    EventKind(
        "disk.failed",
        ERROR,
        "A disk is out of service: it failed in an aggregate, or predicted that, and a spare disk "
        "took its place.",
        "Take it out, and put a new one in. To use it nevertheless: storage disk unfail, then "
        "storage disk erase.",
    ),
    EventKind(
        "disk.failure.predicted",
        ALERT,
        "A disk says of itself that it will fail. It still works. One of an aggregate is copied to "
        "a spare disk that fits, if there is one and its RAID group is whole.",
        "Without a spare, put one in. Replace the disk while its RAID group is whole: have its "
        "locate light on, and put a new one in its place.",
    ),
    EventKind(
        "disk.slow",
        ERROR,
        "A disk has answered ten times slower than the others of its RAID group, for minutes. "
        "The aggregate is as slow as that disk. It is copied to a spare disk that fits, if there "
        "is one and the group is whole.",
        "Without a spare, put one in. Look whether it is the disk alone: others in its shelf or at "
        "its cable are slow, too, where it is these.",
    ),
    EventKind(
        "disk.wear",
        ERROR,
        "A disk has used most of the writes that it is rated for, or all of them.",
        "Order a new disk and replace it. Disks that were bought together wear out together.",
    ),
    EventKind(
        "disk.temperature",
        ALERT,
        "A disk is as hot as it must never be. It may fail, and lose data.",
        "Look at the fans and the room first: mostly more than one disk is hot.",
    ),
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
        "lif.down",
        ALERT,
        "A logical interface has no link. Hosts use their other paths.",
        "Check cable, transceiver and switch port of the port that the event names.",
    ),
    EventKind(
        "lif.away",
        NOTICE,
        "A logical interface is not at its home port: that had no link, or somebody moved it.",
        "Check cable, transceiver and switch port of the home port. Where the interface does not "
        "go home by itself: network interface revert.",
    ),
    EventKind(
        "path.mtu",
        ALERT,
        "Packets as large as the MTU of a LIF's port do not pass between it and a host, smaller "
        "ones do. I/O to the host may be slow, or hang where both ends use the larger packets.",
        "Set the same MTU on all switch ports and the host's, or lower that of the LIF's port: "
        "network port modify -mtu 1500. vserver host path show -fields mtu tells what passes.",
    ),
    EventKind(
        "isns.failed",
        ERROR,
        "The iSCSI target of an SVM could not be registered at its iSNS server. Hosts that know "
        "it, or ask a LIF, are served; those that ask the iSNS server may not find it.",
        "Check that the server runs and is reached from the SVM's LIFs at TCP port 3205, and that "
        "it lets targets register: vserver iscsi isns show tells what it said.",
    ),
    EventKind(
        "fc_interface.waits_for_restart",
        NOTICE,
        "A Fibre Channel port can serve an interface only after the node restarts.",
        "Restart the node when its hosts can do without it: system node reboot.",
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
        "configuration",
        ALERT,
        "The configuration was replaced by a copy, or a newer copy was found on an aggregate.",
        "Compare the configuration with what you expect: the event tells where it comes from.",
        pattern="configuration.*",
    ),
    EventKind(
        "fault",
        ERROR,
        "An object is not as it is configured. The array tries again all the time.",
        "Remove the cause that the event tells; nothing else needs to be done.",
        pattern="*.fault",
    ),
    EventKind(
        "device.stale",
        ERROR,
        "A device of a deleted object is in use and cannot be removed. It is tried again.",
        "Look which program on the array holds the device, if this lasts.",
    ),
    EventKind(
        "host.refused",
        ERROR,
        "Hosts try to log in and are refused: no igroup or subsystem allows them, or their CHAP "
        "secret is wrong.",
        "See who knocks, and where: vserver host refused show. Add a host that is yours to an "
        "igroup or subsystem, and mend its name or secret; look for the sender if it is not yours.",
    ),
    EventKind(
        "logins.failed",
        ERROR,
        "An account or a key cannot be used for SSH and the console.",
        "Change the account or the key as the event says.",
    ),
    EventKind(
        "security.login.failed",
        ALERT,
        "Somebody guesses passwords, or a program has a wrong one.",
        "Look at the source that the event names; change the password if it may be known.",
    ),
    EventKind(
        "security.login.locked",
        ALERT,
        "An account was locked after too many wrong passwords.",
        "Find out who tried, then unlock it: security login unlock.",
    ),
    EventKind(
        "security.login.emergency",
        NOTICE,
        "Somebody logged in by an emergency code in place of one of their app.",
        "If they have lost the app, make another profile: security login totp delete, then create. "
        "If it was not them, lock the account.",
    ),
    EventKind(
        "security.directory.failed",
        ERROR,
        "No server of the directory answers, so that its users cannot log in. Accounts with a "
        "password of the array's own can.",
        "Look at what the event says of each server: its address, its certificate, or the account "
        "that the array asks as. vserver services name-service ldap client show -fields "
        "status.state asks again.",
    ),
    EventKind(
        "security.oidc.failed",
        ERROR,
        "The identity provider does not answer, so that nobody can log in by it. Accounts with a "
        "password of the array's own can.",
        "Look at what the event says of the provider: its address, its certificate, or what it "
        "answered. security oidc show tells what the array asks.",
    ),
    EventKind(
        "node.power",
        NOTICE,
        "The node restarts or shuts down, by an administrator's order.",
        "None. The audit log tells who it was.",
    ),
    EventKind(
        "software.failed",
        ERROR,
        "A package of software could not be downloaded, checked or installed. The array runs the "
        "release that it ran.",
        "Remove the cause that the event tells and try again.",
        pattern="software.*.failed",
    ),
    EventKind(
        "software.update",
        ALERT,
        "An update proceeds, is complete, or fell back to the release before.",
        "After a fallback look at what the event tells; hosts are served as before the update.",
        pattern="software.update.*",
    ),
    EventKind(
        "software.slot.given.up",
        ALERT,
        "A release did not start, and the other one runs.",
        "Install the update again, or another release.",
    ),
    EventKind(
        "snapshot.schedule.failed",
        ERROR,
        "A snapshot that was due was not taken.",
        "Remove the cause that the event tells: often the limit of snapshots, or a full pool.",
    ),
    EventKind(
        "snapshot.uncommitted",
        NOTICE,
        "A snapshot of a consistency group was started and not committed in time. It is deleted.",
        "Take it again, with a longer time if whoever commits it needs that.",
    ),
    EventKind(
        "job.revert.failed",
        ERROR,
        "A change failed and could not be taken back, since a later change builds on it.",
        "Look at the objects that the event names, and change them by hand.",
    ),
    EventKind(
        "job.unconfirmed",
        NOTICE,
        "A change of the network was not confirmed in time, and was taken back: its author may "
        "have been cut off by it.",
        "Look at what the request would have done, and make it again if it is right.",
    ),
    EventKind(
        "ems.destination",
        ERROR,
        "Events do not reach a syslog server, mail address or web server, or some did not.",
        "Check the destination's address and transport, for mail the mail server (support "
        "ems: event config show), for TLS its certificate, and the network on the way.",
        pattern="ems.destination.*",
    ),
    EventKind(
        "dns.setting.unusable",
        ERROR,
        "A name server or DNS domain that was set before is none that the array takes by now, as "
        "an address of its own. The others are used.",
        "Set name_servers and dns_domains without it: vserver services name-service dns modify.",
    ),
    EventKind(
        "ntp.server.unusable",
        ERROR,
        "A time server that was set before is none that the array takes by now, as an address of "
        "its own. The others are used.",
        "Delete it: cluster time-service ntp server delete.",
    ),
    EventKind(
        "snmp.traphost.unknown",
        ERROR,
        "The name of an SNMP trap host leads to no address, so that it receives no traps.",
        "Check the name and the array's name servers, or give the trap host's address.",
    ),
    EventKind(
        "snmp.test.trap",
        INFORMATIONAL,
        "Somebody had a trap sent to all SNMP trap hosts, as a test.",
        "Nothing is to be done. Where the trap did not arrive, check the trap hosts, their user or "
        "community, and the network on the way.",
    ),
    EventKind(
        "app.log",
        NOTICE,
        "A program that uses the array has written a message of its own.",
        "See the program's manual.",
        pattern="app.log.*",
    ),
)


def kind_of(name: str) -> EventKind | None:
    """Return the kind of an event, None for one that the catalog lacks."""
    plain = name.removesuffix(RESOLVED)
    return next((kind for kind in CATALOG if kind.fits(plain)), None)
