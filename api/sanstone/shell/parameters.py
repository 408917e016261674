"""The parameters of commands: their values, and the text of their usage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_TYPES = {
    "boolean": "{true|false}",
    "never": "{true|false}",
    "integer": "<integer>",
    "size": "{<integer>[KB|MB|GB|TB|PB]}",
    "uuid": "<UUID>",
    "ip_address": "<IP Address>",
    "network_address": "<IP Address>",
    "netmask": "<integer>|<netmask>",
    "timestamp": '<"MM/DD/YYYY HH:MM:SS">',
    "lun_path": "<path>",
    "nqn": "<NQN>",
    "iscsi_name": "<initiator>",
    "initiator": "<initiator>",
    "host_name": "<initiator>",
    "wwpn": "<WWPN>",
    "password": "<password>",
}
_DIFFERENCE = "{[+|-]<integer>[KB|MB|GB|TB|PB]}"
TRUTH = ("true", "false")
FLAG = "flag"
"""The kind of a parameter that is present or absent, and has no value."""


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    `field` is its name in answers and filters, with `../` before it for each level of parents that
    it belongs to; `body` its name in requests. `source` is the resource that it names objects of.
    An `option` is sent in the query string; `make` computes the value to send. `truth` are the two
    words of a truth value, `network` is the field that follows an address after a slash. `dashed`
    words have dashes for the API's underscores. `entry` and `listed` are the leaf's.

    `aliases` are other words for it, as `t` is for `ostype`. A `query` selects objects. A size that
    is `relative` may be given as a difference, `+1g`. `parts` are the words by which a path may be
    given: `-volume v -lun l` is `-path /vol/v/l`. A number may have one of the `units` behind it,
    which is so many of the API's. Where the words of a choice are not the API's, `spelled` are
    both; the first is shown. With a `number` it is of that entry of a list alone. An `idle` one is
    taken and has no effect.

    One that is `derived` is a text of several fields of an object, `needs`, and shown alone.
    """

    word: str
    kind: str
    doc: str
    field: str = ""
    body: str = ""
    required: bool = False
    positional: bool = False
    many: bool = False
    choices: tuple[str, ...] = ()
    source: str = ""
    secret: bool = False
    costly: bool = False
    advanced: bool = False
    option: bool = False
    truth: tuple[str, str] = TRUTH
    dashed: bool = False
    network: str = ""
    entry: str = ""
    listed: bool = False
    make: Callable[[Any], dict[str, Any]] | None = None
    aliases: tuple[str, ...] = ()
    query: bool = False
    relative: bool = False
    parts: tuple[str, ...] = ()
    units: tuple[tuple[str, int], ...] = ()
    spelled: tuple[tuple[str, str], ...] = ()
    number: int = 0
    needs: tuple[str, ...] = ()
    derived: Callable[[dict[str, Any]], str] | None = None
    idle: bool = False

    @property
    def is_truth(self) -> bool:
        """Return whether it is true or false."""
        return self.kind in ("boolean", "never")

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words that it takes, () if it takes any value."""
        if self.spelled:
            return tuple(word for word, _ in self.spelled)
        return self.truth if self.is_truth else tuple(self.shown(c) for c in self.choices)

    def shown(self, word: str) -> str:
        """Return a word of the API as the shell writes it."""
        if spelled := next((own for own, theirs in self.spelled if theirs == word), ""):
            return spelled
        return word.replace("_", "-") if self.dashed else word

    @property
    def type_text(self) -> str:
        """Return the placeholder of the value in a usage, '' if it takes none."""
        if self.kind == FLAG:
            return ""
        if self.words:
            text = "{" + "|".join(self.words) + "}"
        elif self.units:
            text = f"{{<integer>[{'|'.join(unit for unit, _ in self.units)}]}}"
        elif self.kind in _TYPES:
            differs = self.relative and self.kind == "size"
            text = _DIFFERENCE if differs else _TYPES[self.kind]
        else:
            text = f"<{self.word} name>" if self.kind == "name" else "<text>"
        return f"{text}, ..." if self.many else text

    @property
    def usage(self) -> str:
        """Return the parameter with its type, as errors show it."""
        return f"-{self.word} {self.type_text}".rstrip()

    @property
    def synopsis(self) -> str:
        """Return the usage with brackets: around the name of a positional one, and if optional."""
        name = f"[-{self.word}]" if self.positional else f"-{self.word}"
        value = f"[{self.type_text}]" if self.is_truth and self.option else self.type_text
        usage = f"{name} {value}".rstrip()
        return usage if self.required else f"[ {usage} ]"

    @property
    def label(self) -> str:
        """Return the parameter's name for people, in headings and instance views."""
        return " ".join(_LABELS.get(part, part.capitalize()) for part in self.word.split("-"))


_LABELS = {
    word.lower(): word
    for word in (
        *(
            "ID",
            "IP",
            "UUID",
            "LUN",
            "LUNs",
            "IQN",
            "NQN",
            "NSID",
            "SVM",
            "OS",
            "IPspace",
            "HA",
            "MTU",
        ),
        *(
            "CPU",
            "RAID",
            "QoS",
            "CHAP",
            "TLS",
            "DH-HMAC-CHAP",
            "RPM",
            "MAC",
            "VLAN",
            "LAG",
            "DNS",
            "NTP",
            "NVMe",
        ),
        *("API", "CSR", "CA", "LDAP", "NS", "HTTP", "HTTPS", "URL", "EMS", "IQN", "ISL", "ANA"),
        *("iSCSI", "FCP", "FC", "WWPN", "WWNN", "ISID", "TSIH", "CIFS", "NFS", "S3", "NDMP", "SSH"),
        "SRP",
    )
}
_LABELS |= {"ostype": "OS Type", "anagrpid": "ANA Group ID", "lif": "Logical Interface"}
_LABELS |= {"cmddirname": "Command/Directory"}
