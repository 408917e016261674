"""A simulated array that is reached over a socket, as a client reaches a real one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from simulator import LOGIN, Begin, Simulator, simulated
from werkzeug.serving import WSGIRequestHandler, make_server

from sanstone.client.connection import remote
from sanstone.client.rest import Array

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


class Quiet(WSGIRequestHandler):
    """As gunicorn does it: connections are kept, a socket's peer has no address, no log.

    A request with the header of the reached address counts as passed on by nginx, over a socket.
    """

    protocol_version = "HTTP/1.1"

    def make_environ(self) -> WSGIEnvironment:
        """Return the environment for the application."""
        environ = super().make_environ()
        passed_on = "HTTP_X_SANSTONE_SERVER_ADDRESS" in environ
        peer = "" if passed_on else environ["REMOTE_ADDR"]
        environ["REMOTE_ADDR"] = peer.replace("<local>", "")
        return environ

    def log(self, type: str, message: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path, begin: Begin | None = None) -> Iterator[tuple[Simulator, Array]]:
    """Give an array, which begins as `begin` leaves it, and a client of it.

    One request is served at a time, in another thread.
    """
    with simulated(folder, begin) as simulator:
        app = simulator.client.application
        server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        array = Array(remote(f"http://127.0.0.1:{server.server_port}", *LOGIN))
        try:
            yield simulator, array
        finally:
            array.close()
            server.shutdown()
            thread.join()
            server.server_close()


@contextmanager
def behind_proxy(array: Array, reached: str, caller: str) -> Iterator[None]:
    """Let a client have come from the address `caller` to the array's address `reached`."""
    headers = {"X-Sanstone-Server-Address": reached, "X-Forwarded-For": caller}
    array.headers.update(headers)
    yield
    for name in headers:
        del array.headers[name]
