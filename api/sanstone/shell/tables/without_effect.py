"""Parameters of ONTAP's commands that scripts give and that mean nothing here.

Each takes the values that say what the array does anyway, and refuses any other.
"""

from __future__ import annotations

from sanstone.shell.parameters import Parameter


def _idle(word: str, why: str, *choices: str, aliases: tuple[str, ...] = ()) -> Parameter:
    doc = f"Has no effect: {why}"
    kind = "choice" if choices else "text"
    return Parameter(word, kind, doc, choices=choices, aliases=aliases, idle=True)


def _switch(word: str, why: str, *aliases: str) -> Parameter:
    return Parameter(word, "boolean", f"Has no effect: {why}", aliases=aliases, idle=True)


def _switch_off(word: str, why: str) -> Parameter:
    """Return a truth value that can only be false."""
    return _idle(word, why, "false")


_WAITS = _switch("foreground", "the shell waits until it is done.")
_DATA = _idle("role", "LIFs of Vservers are for data.", "data")
_STAYS = "a LIF stays at its port; hosts take another path."
_BY_DRIVER = "flow control is left to the adapter's driver."
_AT_ONCE = (
    _idle("max-throughput", "no data is moved."),
    _switch("promote-early", "it is done at once."),
    _switch("promote-late", "it is done at once."),
)
_NO_ROOT = "a Vserver has no root volume."
_NO_DR = _idle("vserver-dr-protection", "Vservers are not replicated.", "unprotected")

_ONCE = _idle("iterations", "figures are shown once.", "1")
_REBOOT = tuple(
    _switch(word, "a single node is no part of a quorum, and has no partner.")
    for word in ("ignore-quorum-warnings", "inhibit-takeover")
)
IDLE: dict[str, tuple[Parameter, ...]] = {
    "lun copy start": _AT_ONCE,
    "lun create": (_idle("class", "LUNs are for hosts alone.", "regular"),),
    "lun delete": (_switch("force-fenced", "LUNs are not fenced."), _WAITS),
    "lun move start": _AT_ONCE,
    "lun resize": (_switch("force", "LUNs do not shrink.", "f"),),
    "network interface create": (
        _DATA,
        _idle("use-failover-group", _STAYS, "disabled"),
        _switch_off("is-dns-update-enabled", "no DNS server learns of LIFs."),
        _switch_off("listen-for-dns-query", "LIFs answer no questions for names."),
        _idle("dns-zone", "LIFs answer no questions for names.", "none"),
    ),
    "network port modify": (
        _idle("flowcontrol-admin", _BY_DRIVER, "none", "receive", "send", "full"),
    ),
    "qos statistics volume latency show": (_ONCE,),
    "qos statistics volume performance show": (_ONCE,),
    **{f"statistics {kind} show": (_ONCE,) for kind in ("lun", "node", "port", "volume")},
    "system node halt": _REBOOT,
    "system node reboot": _REBOOT,
    "vserver create": (
        _idle("rootvolume", _NO_ROOT),
        _idle("rootvolume-security-style", _NO_ROOT, "unix", "ntfs", "mixed"),
        _idle("aggregate", _NO_ROOT),
        _WAITS,
    ),
    "vserver fcp interface create": (
        _DATA,
        _idle("firewall-policy", "no firewall stands before Fibre Channel.", "data"),
        _idle("failover-policy", _STAYS, "disabled", "system-defined"),
    ),
    "vserver delete": (_WAITS,),
    "volume create": (
        _idle("fractional-reserve", "nothing is set aside for overwriting.", "0"),
        _idle("nvfail", "there is no NVRAM that could fail.", "on", "off"),
        _idle("space-slo", "the guarantee says how much space is set aside.", "none"),
        _NO_DR,
        _WAITS,
    ),
    "volume clone create": (_idle("type", "clones can be written to.", "RW"), _NO_DR, _WAITS),
    "volume clone split start": (_WAITS,),
    "volume delete": (_WAITS,),
    "volume offline": (_switch("force", "nothing stands against it.", "f"), _WAITS),
    "volume online": (_WAITS,),
    "volume snapshot create": (_WAITS,),
    "volume snapshot delete": (
        _switch("force", "no check is left out."),
        _switch("ignore-owners", "clones keep the snapshot that they need."),
        _WAITS,
    ),
    "volume snapshot restore": (
        _switch("force", "no check is left out."),
        _idle("preserve-lun-ids", "LUNs keep their maps.", "true"),
        _WAITS,
    ),
}
"""By command."""
