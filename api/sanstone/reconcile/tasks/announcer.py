"""`sanstone-announcer`: tells hosts where discovery is, by multicast DNS, in a process of its own.

The announcements are in the file of `reconcile.announcement`, at which it looks every second; it
ends when that is gone. On each link it speaks for the LIFs of that link alone. For each LIF it has
(RFC 6763, TP8009 of NVM Express):

    _nvme-disc._tcp.local      PTR  <LIF's name> <LIF's UUID>._nvme-disc._tcp.local
    <name> <UUID>.…            SRV  port 8009 of <LIF's UUID>.local
                               TXT  p=tcp, nqn=<discovery subsystem>
    <LIF's UUID>.local         A or AAAA, the LIF's address

systemd-resolved and Avahi do not do this: both tell of all addresses of a link, of LIFs that serve
iSCSI alone too, or of a configured one on every link, and they also ask and believe. Nor does
python-zeroconf (0.154): it hears all links by one socket at any address, and keeps what others say.
"""

from __future__ import annotations

import errno
import logging
import selectors
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from ipaddress import ip_address, ip_interface
from typing import NamedTuple

from sanstone.kernel.host import FileError, Files
from sanstone.kernel.network import multicast_dns as dns
from sanstone.kernel.network.multicast_dns import Record
from sanstone.kernel.network.multicast_socket import MulticastSocket
from sanstone.kernel.real.files import RealFiles
from sanstone.reconcile import announcement
from sanstone.reconcile.announcement import Announcement
from sanstone.reconcile.tasks.responder import Responder

PERIOD = 1.0
"""Seconds between looks at the file and the links."""
OF_HOST, OF_OTHERS = 120, 4500
"""Seconds for which records with a host's name, or any others, are believed (RFC 6762, 10)."""
SERVICES = dns.name_of("_services", "_dns-sd", "_udp")
"""The name with the types of service as its records (RFC 6763, 9)."""
_NAME_BYTES = 26
"""Bytes of a LIF's name beside its UUID, as many as a label has room for."""
log = logging.getLogger("sanstone.announcer")


class Place(NamedTuple):
    """Where a socket speaks: a link, the kernel's number of it, and the address it speaks from."""

    link: str
    number: int
    source: str


class Speaker:
    """A socket, and the responder that speaks by it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.socket = MulticastSocket(*place)
        self.responder = Responder()
        self.announced: Sequence[Announcement] = ()

    def send(self, messages: Sequence[bytes]) -> None:
        """Send messages to all on the link."""
        for message in messages:
            self._send(message)

    def hear(self, now: float) -> None:
        """Take a message in."""
        try:
            message, address, port = self.socket.receive()
            query = dns.parse(message)
        except (OSError, dns.BadMessage) as error:
            log.debug("%s: %s", self.place.link, error)
            return
        if query and port == dns.PORT:
            self.responder.hear(query, now)
        elif query and self._is_on_link(address) and (reply := self.responder.reply(query, now)):
            self._send(reply, address, port)

    def _is_on_link(self, address: str) -> bool:
        """Return whether an answer to an address stays on the link."""
        host = ip_address(address)
        networks = (ip_interface(f"{a.address}/{a.prefix_length}").network for a in self.announced)
        return host.is_link_local or any(host in network for network in networks)

    def _send(self, message: bytes, address: str = "", port: int = dns.PORT) -> None:
        try:
            self.socket.send(message, address, port)
        except OSError as error:
            # As where the address or the link goes, which the next look at the file tells.
            log.info("not sent on %s: %s", self.place.link, error)


class Announcer:
    """Speaks on links. `files` are those of the machine."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._speakers: dict[Place, Speaker] = {}
        self._failures: dict[Place, str] = {}
        self._selector = selectors.DefaultSelector()

    def run(self) -> None:
        """Speak until nothing is announced any more, or the process is to end."""
        try:
            while text := self._read(announcement.path()):
                self._follow(announcement.from_text(text))
                self._serve(time.monotonic() + PERIOD)
        finally:
            self._follow(())

    def _read(self, path: str) -> str:
        """Return the content of a file, '' if it is not there, or goes in this moment."""
        try:
            return self._files.read(path)
        except FileError as error:
            if error.errno not in (errno.ENOENT, errno.ENODEV):
                raise
            return ""

    def _follow(self, announced: Sequence[Announcement]) -> None:
        """Speak for these and no others."""
        by_link: dict[str, list[Announcement]] = defaultdict(list)
        for each in announced:
            by_link[each.link].append(each)
        places = {place for link in by_link for place in self._places(link, by_link[link])}
        for place in self._speakers.keys() - places:
            self._end(self._speakers.pop(place))
        self._failures = {at: text for at, text in self._failures.items() if at in places}
        for place in sorted(places - self._speakers.keys()):
            self._begin(place)
        now = time.monotonic()
        for place, speaker in self._speakers.items():
            speaker.announced = by_link[place.link]
            speaker.send(speaker.responder.speak_for(records(speaker.announced), now))

    def _places(self, link: str, announced: Sequence[Announcement]) -> list[Place]:
        """Return where is spoken on a link: once for each version of IP, nowhere if it is gone."""
        number = self._read(f"/sys/class/net/{link}/ifindex")
        sources = {ip_address(each.address).version: each.address for each in reversed(announced)}
        return [Place(link, int(number), source) for source in sources.values() if number]

    def _begin(self, place: Place) -> None:
        try:
            speaker = Speaker(place)
        except OSError as error:
            if self._failures.get(place) != str(error):
                log.warning("nothing is announced on %s: %s", place.link, error)
            self._failures[place] = str(error)
            return
        self._speakers[place] = speaker
        self._selector.register(speaker.socket, selectors.EVENT_READ, speaker)

    def _end(self, speaker: Speaker) -> None:
        speaker.send(speaker.responder.speak_for((), time.monotonic()))
        self._selector.unregister(speaker.socket)
        speaker.socket.close()

    def _serve(self, until: float) -> None:
        """Send due messages and answer, until a time of the clock."""
        while (now := time.monotonic()) < until:
            for speaker in self._speakers.values():
                speaker.send(speaker.responder.say(now))
            due = min((s.responder.due() for s in self._speakers.values()), default=until)
            for key, _ in self._selector.select(max(0.0, min(due, until) - time.monotonic())):
                key.data.hear(time.monotonic())


def records(announced: Sequence[Announcement]) -> list[Record]:
    """Return the records of some announcements."""
    unique: dict[Record, None] = {}
    for each in announced:
        kind = dns.name_of(*each.type.split("."))
        name = each.interface_name.encode()[:_NAME_BYTES].decode(errors="ignore")
        label = f"{name} {each.interface_uuid}"
        instance = (*dns.name_of(label)[:1], *kind)
        host = dns.name_of(each.interface_uuid)
        unique |= dict.fromkeys(
            (
                dns.pointer(SERVICES, kind, OF_OTHERS),
                dns.pointer(kind, instance, OF_OTHERS),
                dns.service(instance, each.port, host, OF_HOST),
                dns.text(instance, each.text, OF_OTHERS),
                dns.host_address(host, ip_address(each.address), OF_HOST),
            )
        )
    return list(unique)


def main() -> None:
    """Announce until a signal stops the process."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    signal.signal(signal.SIGTERM, lambda _signal, _frame: sys.exit())
    Announcer(RealFiles()).run()
