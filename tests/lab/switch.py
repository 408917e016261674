"""An Ethernet switch in user space: one network per socket, any number of machines on each.

`python3 -m lab.switch SOCKET…` listens on a Unix socket per network. A machine is a client of
QEMU's `stream` network backend: each frame is preceded by its length, four bytes, big-endian. It
may come, be killed and come back without the others noticing, and no privilege is needed. (QEMU's
own `mcast` backend would need no process, but it returns a machine's frames to itself, which breaks
duplicate address detection and bonding.)

Addresses are learned from source fields, unknown and group addresses are flooded, and the group of
addresses that bridges must not forward (IEEE 802.1Q, 8.6.3) is dropped. A machine that does not
read loses frames beyond QUEUE_BYTES, as on a real switch.
"""

from __future__ import annotations

import selectors
import socket
import sys
from pathlib import Path

QUEUE_BYTES = 8 << 20
RECEIVE_BYTES = 1 << 18
RESERVED = b"\x01\x80\xc2\x00\x00"


class Client:
    """One machine's port: bytes that came in, and bytes that wait to go out."""

    def __init__(self, connection: socket.socket, network: Network) -> None:
        self.connection = connection
        self.network = network
        self.received = bytearray()
        self.waiting = bytearray()

    @property
    def closed(self) -> bool:
        """Whether the machine's end was found closed, perhaps in the same round."""
        return self.connection.fileno() < 0

    def frames(self) -> list[tuple[int, int]]:
        """Return start and end, with the length field, of each complete frame received."""
        complete = []
        start = 0
        while len(self.received) >= start + 4:
            end = start + 4 + int.from_bytes(self.received[start : start + 4], "big")
            if end > len(self.received):
                break
            complete.append((start, end))
            start = end
        return complete

    def flush(self) -> None:
        """Send as much as the socket takes now."""
        while self.waiting:
            try:
                sent = self.connection.send(self.waiting)
            except BlockingIOError:
                return
            del self.waiting[:sent]


class Network:
    """The machines that share one Ethernet."""

    def __init__(self) -> None:
        self.clients: list[Client] = []
        self.table: dict[bytes, Client] = {}

    def forward(self, sender: Client) -> set[Client]:
        """Queue the frames of `sender` and return the clients that have something to send now."""
        touched: set[Client] = set()
        end = 0
        for start, end in sender.frames():
            frame = bytes(sender.received[start:end])
            destination = frame[4:10]
            if destination.startswith(RESERVED):
                continue
            self.table[frame[10:16]] = sender
            learned = None if destination[0] & 1 else self.table.get(destination)
            for receiver in [learned] if learned else self.clients:
                if receiver is not sender and len(receiver.waiting) < QUEUE_BYTES:
                    receiver.waiting += frame
                    touched.add(receiver)
        del sender.received[:end]
        return touched

    def remove(self, client: Client) -> None:
        """Forget a machine that went away."""
        self.clients.remove(client)
        self.table = {address: owner for address, owner in self.table.items() if owner != client}


class Switch:
    """The event loop over all networks."""

    def __init__(self, paths: list[Path]) -> None:
        self.selector = selectors.DefaultSelector()
        for path in paths:
            path.unlink(missing_ok=True)
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(path))
            listener.listen()
            self.selector.register(listener, selectors.EVENT_READ, Network())

    def serve(self) -> None:
        """Switch frames for ever."""
        while True:
            self.serve_once()

    def serve_once(self) -> None:
        """Wait until something happens, and see to all that has."""
        for key, events in self.selector.select():
            if isinstance(key.data, Network):
                self._accept(key.fileobj, key.data)  # type: ignore[arg-type]
            elif isinstance(key.data, Client) and not key.data.closed:
                self._serve_client(key.data, events)

    def _accept(self, listener: socket.socket, network: Network) -> None:
        connection, _ = listener.accept()
        connection.setblocking(False)
        client = Client(connection, network)
        network.clients.append(client)
        self.selector.register(connection, selectors.EVENT_READ, client)

    def _serve_client(self, client: Client, events: int) -> None:
        touched = {client} if events & selectors.EVENT_WRITE else set()
        if events & selectors.EVENT_READ:
            try:
                data = client.connection.recv(RECEIVE_BYTES)
            except ConnectionResetError:
                data = b""
            if not data:
                self._drop(client)
                return
            client.received += data
            touched |= client.network.forward(client)
        for each in touched:
            self._flush(each)

    def _flush(self, client: Client) -> None:
        try:
            client.flush()
        except (BrokenPipeError, ConnectionResetError):
            self._drop(client)
            return
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if client.waiting else 0)
        if self.selector.get_key(client.connection).events != events:
            self.selector.modify(client.connection, events, client)

    def _drop(self, client: Client) -> None:
        self.selector.unregister(client.connection)
        client.connection.close()
        client.network.remove(client)


if __name__ == "__main__":
    Switch([Path(name) for name in sys.argv[1:]]).serve()
