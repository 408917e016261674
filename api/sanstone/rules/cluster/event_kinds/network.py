"""Events of LIFs, paths, name and time servers, and of hosts that are refused."""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.events import ALERT, ERROR, NOTICE
from sanstone.rules.cluster.event_kinds.event_kind import EventKind

KINDS: Sequence[EventKind] = (
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
        "host.refused",
        ERROR,
        "Hosts try to log in and are refused: no igroup or subsystem allows them, or their CHAP "
        "secret is wrong.",
        "See who knocks, and where: vserver host refused show. Add a host that is yours to an "
        "igroup or subsystem, and mend its name or secret; look for the sender if it is not yours.",
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
)
