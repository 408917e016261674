"""Commands of ONTAP's that the array has not, with the sentence that each is refused by.

They are those that scripts and administrators type: the sentence says what to do in their place.
Those of EMPTY, which ask for what the array has none of, are answered by an empty list.
"""

from __future__ import annotations

from sanstone.shell.parameters import FLAG, Parameter

_MOVED = "A LUN has moved when `lun move start` is answered: there is none to {}."
_COPIED = "A LUN is copied when `lun copy start` is answered: there is none to {}."

_NO_SHELL = (
    "There is no shell of the node. `system node show`, `storage disk show` and `network port "
    "show` tell of the machine, and `system support-bundle create` makes a file of all that is "
    "known."
)
_NO_CALLS = (
    "The array calls nobody. `system support-bundle create` makes a file for support, and `event "
    "notification destination create` has events sent to others."
)
_NO_PARTNER = "The array is one node, and has no partner that could take over."
_NO_FILES = "A volume holds LUNs and namespaces, and no files."
_ALL_THE_TIME = (
    "Figures are kept all the time: see `statistics volume show`, `statistics lun show` and the "
    "others of `statistics`."
)
_CONFIGURATION = "Each aggregate keeps a copy of the configuration, which is renewed by itself."
_SPACE_SAVED = "Nothing is deduplicated or compressed; what hosts return is free at once."

_RELATIONSHIPS = (
    Parameter("source-path", "text", "Source of the replication."),
    Parameter("destination-path", "text", "What it is replicated to."),
    Parameter("source-vserver", "text", "The Vserver that is replicated."),
    Parameter("destination-vserver", "text", "The Vserver that it is replicated to."),
    Parameter("vserver", "text", "The Vserver."),
    Parameter("fields", "text", "Fields to show."),
    Parameter("instance", FLAG, "Every field."),
)
_NOT_REPLICATED = "Display replications: there are none"

EMPTY: dict[str, tuple[str, tuple[Parameter, ...]]] = {
    "snapmirror list-destinations": (_NOT_REPLICATED, _RELATIONSHIPS),
    "snapmirror show": (_NOT_REPLICATED, _RELATIONSHIPS),
}
"""By command: what it displays, and the parameters that it takes."""
ELSEWHERE: dict[str, str] = {
    "cluster date modify": "The clock follows NTP: see `cluster time-service ntp server create`.",
    "cluster ha modify": _NO_PARTNER,
    "cluster ha show": _NO_PARTNER,
    "job schedule interval create": "Give `job schedule create -interval`, as PT30M or P1D.",
    "lun bind create": "There are no vVols.",
    **{
        f"lun copy {verb}": _COPIED.format(verb) for verb in ("modify", "pause", "resume", "cancel")
    },
    "lun maxsize": "A LUN may have 128 TB; `df` tells what its volume has left.",
    **{f"lun move {verb}": _MOVED.format(verb) for verb in ("modify", "pause", "resume", "cancel")},
    "network interface failover-groups show": "A LIF stays at its port; hosts take another path.",
    "network ping": "`vserver host path show` tells which paths of hosts are well.",
    "run": _NO_SHELL,
    "security ssl modify": "See `system services web modify -certificate`.",
    "security ssl show": "See `system services web show`.",
    "statistics show": _ALL_THE_TIME,
    "statistics show-periodic": _ALL_THE_TIME,
    "statistics start": _ALL_THE_TIME,
    "statistics stop": _ALL_THE_TIME,
    "storage disk assign": "The disks of the array are its own as soon as they are there.",
    "storage disk fail": "A disk is replaced as it is: see `storage aggregate plex show`.",
    "storage disk zerospares": "Spare disks need not be zeroed.",
    "storage failover giveback": _NO_PARTNER,
    "storage failover modify": _NO_PARTNER,
    "storage failover takeover": _NO_PARTNER,
    "system configuration backup create": _CONFIGURATION,
    "system configuration backup show": _CONFIGURATION,
    "system license add": "Nothing needs a licence.",
    "system node autosupport invoke": _NO_CALLS,
    "system node autosupport modify": _NO_CALLS,
    "system node autosupport show": _NO_CALLS,
    "system node run": _NO_SHELL,
    "volume efficiency off": _SPACE_SAVED,
    "volume efficiency on": _SPACE_SAVED,
    "volume efficiency show": _SPACE_SAVED,
    "volume efficiency start": _SPACE_SAVED,
    "volume move start": "Volumes stay on their aggregate: move the data by way of a host.",
    "volume move show": "Volumes stay on their aggregate: none is being moved.",
    "volume qtree create": _NO_FILES,
    "volume qtree show": _NO_FILES,
    "volume quota report": _NO_FILES,
    "volume restrict": "`volume offline` takes a volume from its hosts.",
    "volume show-footprint": "See `volume show-space`.",
    "volume snapshot restore-file": (
        "`lun copy start -source-path /vol/<volume>/.snapshot/<snapshot>/<lun>` gets a LUN back."
    ),
}
"""By command."""
