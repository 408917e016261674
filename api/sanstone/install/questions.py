"""The questions of the screens, in order, until the answers are complete and confirmed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from marshmallow import ValidationError

from sanstone.core.declaration.types import ListOf
from sanstone.install import answers, disks, screens
from sanstone.install.answers import Address, Answers
from sanstone.install.disks import Candidate
from sanstone.install.screens import BACK, Back
from sanstone.kernel.host import Host
from sanstone.rules.cluster.settings import NAME_SERVERS, NTP_SERVERS
from sanstone.security import password_hashes

_STATIC = "static"
_MOST = 6
"""Most lines about disks that cannot be chosen."""


@dataclass
class Draft:
    """The answers so far."""

    candidates: list[Candidate]
    disks: list[Candidate] = field(default_factory=list)
    configuration: str = answers.RESTORE
    host_name: str = "sanstone"
    address: Address | None = None
    name_servers: tuple[str, ...] = ()
    time_servers: tuple[str, ...] = ()
    timezone: str = "Etc/UTC"
    password: str = field(default="", repr=False)

    def answers(self) -> Answers:
        """Return the answers; the user was shown the disks' content and agreed to erase it."""
        return Answers(
            disks=tuple(candidate.path for candidate in self.disks),
            host_name=self.host_name,
            password_hash=password_hashes.hash_password(self.password),
            management=self.address,
            name_servers=self.name_servers,
            time_servers=self.time_servers,
            timezone=self.timezone,
            erase_aggregates=any(candidate.array for candidate in self.disks),
            erase_installed=any(candidate.installed for candidate in self.disks),
            configuration=self.configuration,
        )


def ask(host: Host) -> tuple[Answers, list[Candidate]] | None:
    """Ask all questions. Return the answers, and the confirmed disks as they were shown.

    Return None if the user goes back from the first question.

    Raises screens.Interrupted, HostError.
    """
    draft = Draft(disks.candidates(host))
    steps: tuple[Callable[[Draft], bool | None], ...] = (
        _disks,
        _configuration,
        _host_name,
        _management,
        _name_servers,
        _time_servers,
        _timezone,
        _password,
        _summary,
    )
    at, direction = 0, 1
    while 0 <= at < len(steps):
        # Forwards, backwards, or None for a step with no question: continue in the same direction.
        if (forwards := steps[at](draft)) is not None:
            direction = 1 if forwards else -1
        at += direction
    return (draft.answers(), draft.disks) if at > 0 else None


def first(lines: list[str]) -> list[str]:
    """Return the first lines, so many that the rest of a screen has room."""
    more = len(lines) - _MOST
    return lines if more <= 0 else [*lines[:_MOST], f"  and {more} more"]


def _disks(draft: Draft) -> bool:
    usable = [c for c in draft.candidates if not c.obstacle]
    unusable = [f"{c}: {c.obstacle}" for c in draft.candidates if c.obstacle]
    if not usable:
        screens.tell("no disk", "\n".join(["No disk can be a system disk.", *first(unusable)]))
        return False
    text = ["One system disk, or two that mirror each other. Data disks are left alone."]
    text += first([f"Not usable: {line}" for line in unusable])
    values = [(c.path, f"{c}\n      holds: {c.holds}") for c in usable]
    chosen = [c.path for c in draft.disks]
    while True:
        answer = screens.pick("system disks", "\n".join(text), values, chosen)
        if isinstance(answer, Back):
            return False
        marked = [c for c in usable if c.path in answer]
        try:
            disks.require_alike(marked)
        except disks.WrongDisk as error:
            screens.tell("system disks", str(error))
            continue
        if len(marked) in (1, 2):
            draft.disks = marked
            return True
        screens.tell("system disks", "Mark one disk with Space, or two to mirror the system.")


def _configuration(draft: Draft) -> bool | None:
    """Ask what to do with an array that is on the other disks."""
    other_disks = [c for c in draft.candidates if c.array and c not in draft.disks]
    if not other_disks:
        return None
    values = [
        (answers.RESTORE, "Take it back, with its own name, addresses and time zone"),
        (answers.NEW, "Begin a new array, and leave those disks alone"),
    ]
    text = "\n".join(["These disks belong to an array:", *first([f"  {c}" for c in other_disks])])
    answer = screens.choose("configuration", text, values, draft.configuration)
    if isinstance(answer, Back):
        return False
    draft.configuration = answer
    return True


def _host_name(draft: Draft) -> bool:
    text = "Name of the array. Its certificate is for this name."
    answer = screens.ask("name", text, draft.host_name, check=answers.check_host_name)
    if isinstance(answer, Back):
        return False
    draft.host_name = answer
    return True


def _management(draft: Draft) -> bool:
    values = [(answers.DHCP, "by DHCP"), (_STATIC, "a static address")]
    default = _STATIC if draft.address else answers.DHCP
    answer = screens.choose("management", "Address of the management port, e0M:", values, default)
    if answer is BACK:
        return False
    if answer == answers.DHCP:
        draft.address, draft.name_servers, draft.time_servers = None, (), ()
        return True
    before = draft.address
    shown = f"{before.address}/{before.prefix_length}" if before else ""
    text = "Address with its prefix length, such as 192.0.2.10/24:"
    address = screens.ask("management", text, shown, check=answers.parse_address)
    if isinstance(address, Back):
        return _management(draft)

    def check(gateway: str) -> None:
        answers.parse_address(address, gateway)

    text = "Gateway; empty for none:"
    gateway = screens.ask("management", text, before.gateway if before else "", check=check)
    if isinstance(gateway, Back):
        return _management(draft)
    draft.address = answers.parse_address(address, gateway)
    return True


def _name_servers(draft: Draft) -> bool | None:
    return _servers(draft, "name_servers", "Addresses of DNS servers", NAME_SERVERS)


def _time_servers(draft: Draft) -> bool | None:
    return _servers(draft, "time_servers", "Names or addresses of NTP servers", NTP_SERVERS)


def _servers(draft: Draft, name: str, text: str, kind: ListOf) -> bool | None:
    """Ask for the list `name` of the draft in one line, if DHCP does not provide it."""
    if draft.address is None:
        return None

    def check(line: str) -> None:
        answers.parse_list(kind, line)

    text = f"{text}, {kind.maximum} at most; empty for none:"
    before = " ".join(getattr(draft, name))
    answer = screens.ask(name.replace("_", " "), text, before, check=check)
    if isinstance(answer, Back):
        return False
    setattr(draft, name, answers.parse_list(kind, answer))
    return True


def _timezone(draft: Draft) -> bool:
    text = "Time zone, as the IANA database names it: Etc/UTC, Europe/Vienna, Asia/Tokyo ..."
    answer = screens.ask("time zone", text, draft.timezone, check=answers.check_timezone)
    if isinstance(answer, Back):
        return False
    draft.timezone = answer
    return True


def _password(draft: Draft) -> bool:
    text = "Password of admin: at least 8 characters, letters and digits."
    answer = screens.ask("password", text, check=answers.check_password, secret=True)
    if isinstance(answer, Back):
        return False

    def same(text: str) -> None:
        if text != answer:
            raise ValidationError("This is not what you typed before. Escape begins again.")

    again = screens.ask("password", "The same again:", check=same, secret=True)
    if isinstance(again, Back):
        return _password(draft)
    draft.password = answer
    return True


def _summary(draft: Draft) -> bool:
    address = draft.address
    static = f"{address.address}/{address.prefix_length}" if address else "by DHCP"
    way = f", gateway {address.gateway}" if address and address.gateway else ""
    lines = [f"Name {draft.host_name}, time zone {draft.timezone}.", f"Management: {static}{way}."]
    if address:
        lines.append(f"Name servers: {' '.join(draft.name_servers) or 'none'}.")
        lines.append(f"Time servers: {' '.join(draft.time_servers) or 'none'}.")
    return agree_to_erase("summary", lines, draft.disks)


def agree_to_erase(title: str, lines: Sequence[str], chosen: Sequence[Candidate]) -> bool:
    """Show the data to be erased and ask for confirmation, with a word for each kind of data."""
    names = " ".join(PurePosixPath(c.path).name for c in chosen)
    words = ["erase"]
    words += ["aggregate"] if any(c.array for c in chosen) else []
    words += ["installed"] if any(c.installed for c in chosen) else []
    contents = [f"  {c}\n    holds: {c.holds}" for c in chosen]
    text = [*lines, "", "Everything on these disks will be ERASED:", *contents, ""]
    return screens.agree(title, "\n".join(text), " ".join([*words, names]))
