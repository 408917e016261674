"""A furnished array in this process, over HTTP, for the web interface: its API and its built files.

    python -m web_array [--port PORT] [[--luns NUMBER] [--hosts NUMBER] [--past] | --empty]
    python -m web_array --socket PATH

It is the product on a kernel in memory, with an example of everything (see `furnished_array`), or
with disks and ports and nothing else. The
files are those of webui/dist, under the array's own content policy, as nginx serves them. It ends
with its standard input, so that it does not outlive its parent; a line there is a command, and
gets a line as its answer (`Machine`).

At a socket the first line of a client has the options above: the client gets a copy, in a process
forked for it, of an array that was furnished once. The connection then serves as standard input and
output.
"""

from __future__ import annotations

import argparse
import json
import mimetypes
import socket
import socketserver
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, TextIO
from unittest.mock import patch

from furnished_array import FurnishedArray
from installed import Installed, installed_array
from passwords import hashed_quickly
from served import Quiet
from simulator import Simulator, simulated
from system_disk import Package
from web_history import add_history
from werkzeug.serving import make_server
from werkzeug.wrappers import Response

from sanstone.core import places
from sanstone.kernel.oidc import server as oidc_server
from sanstone.kernel.web import destination
from sanstone.security import oidc

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

REPOSITORY = Path(__file__).resolve().parents[2]
FILES = REPOSITORY / "webui" / "dist"
HEADERS = REPOSITORY / "overlay" / "etc" / "nginx" / "headers.conf"
ACCOUNTS = (
    {"name": "reader", "password": "a passw0rd", "role": "readonly"},
    {"name": "changer", "password": "a passw0rd", "role": "admin"},
)
GIB = 1024**3


@contextmanager
def served_array(
    folder: Path, port: int = 0, *, empty: bool = False
) -> Iterator[tuple[str, Machine]]:
    """Give the address of a furnished array, or of an empty one, and the machine it runs on."""
    begin = install if empty else furnish
    with hashed_quickly(), simulated(folder, begin) as simulator, asking_providers():
        app = Files(simulator.client.application)
        server = make_server("127.0.0.1", port, app, threaded=True, request_handler=Quiet)
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", Machine(simulator.begin_result, app)
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def furnish(simulator: Simulator) -> Installed:
    """Create an example of everything, and return the installed array."""
    furnished = FurnishedArray(simulator)
    furnished.furnish()
    add_accounts(simulator)
    return furnished.installed


def install(simulator: Simulator) -> Installed:
    """Install a new array, and return it."""
    installed = installed_array(simulator)
    add_accounts(simulator)
    return installed


def add_accounts(simulator: Simulator) -> None:
    """Create who may only look at an array, and who may change it."""
    access = [{"application": "http", "authentication_methods": ["password"]}]
    for account in ACCOUNTS:
        simulator.make("security/accounts", account | {"applications": access})


@contextmanager
def asking_providers() -> Iterator[None]:
    """Answer the array as the process does that asks identity providers, also of this machine."""
    with (
        patch.object(destination, "require_permitted", lambda _: None),
        patch.object(destination, "require_elsewhere", lambda *_: None),
        socket.socket(socket.AF_UNIX) as listening,
    ):
        listening.bind(str(places.run_directory() / oidc.SOCKET))
        listening.listen()
        thread = Thread(target=oidc_server.serve, args=(listening,))
        thread.start()
        try:
            yield
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


class Machine:
    """A test's commands to the machine."""

    def __init__(self, installed: Installed, app: Files) -> None:
        self.installed, self.simulator, self.app = installed, installed.simulator, app

    def do(self, line: str) -> str:
        """Carry out a command, and return its answer.

        `pull sda`: a disk is taken out, and the array looks; `down`: the API does not answer;
        `boot a`: the machine starts from that slot, and the API answers; `package 3.0`: return such
        a package's content; `reboot-requested`: whether the array has ordered a reboot since the
        last time.
        """
        match line.split():
            case ["pull", disk]:
                self.simulator.kernel.remove_disk(disk)
                self.simulator.reconciler.rescan()
                self.simulator.settle()
            case ["down"]:
                self.app.is_down = True
            case ["boot", slot]:
                self.installed.boot(slot)
                self.app.is_down = False
            case ["package", version]:
                return Package(version).content().decode()
            case ["reboot-requested"]:
                requested, self.installed.disk.reboot_requested = (
                    self.installed.disk.reboot_requested,
                    False,
                )
                return json.dumps(requested)
            case _:
                raise ValueError(line)
        return ""


def add_luns(simulator: Simulator, number: int) -> None:
    """Create many LUNs in the first volume, by one request."""
    volume = simulator.get("storage/volumes?fields=name,svm.name&max_records=1")["records"][0]
    common: dict[str, Any] = {
        "svm": {"name": volume["svm"]["name"]},
        "os_type": "linux",
        "space": {"size": GIB},
    }
    names = (f"/vol/{volume['name']}/many{number:05}" for number in range(number))
    simulator.do("POST", "storage/luns", {"records": [common | {"name": name} for name in names]})


def add_hosts(simulator: Simulator, number: int) -> None:
    """Create an SVM with four LIFs, and many hosts that may log in at each of them."""
    svm = {"svm": {"name": "many"}}
    simulator.make("svm/svms", {"name": "many", "iscsi": {"enabled": True}})
    for lif in range(1, 5):
        ip = {"ip": {"address": f"10.10.1.{60 + lif}", "netmask": 24}}
        port = {"location": {"home_port": {"name": "e0a"}}}
        simulator.make("network/ip/interfaces", svm | ip | port | {"name": f"many{lif}"})
    names = (f"iqn.1994-05.com.example:many{number:03}" for number in range(number))
    group = {"name": "many", "os_type": "linux", "initiators": [{"name": n} for n in names]}
    simulator.make("protocols/san/igroups", svm | group)
    simulator.settle()


class Files:
    """The files of webui/dist beside the API, with the headers that nginx sends."""

    def __init__(self, api: WSGIApplication) -> None:
        self.api = api
        self.headers = _headers()
        self.is_down = False
        """Whether nginx finds nobody behind the API's socket."""

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        path = environ["PATH_INFO"]
        if self.is_down and path.startswith("/api/"):
            return Response("{}", 503, {"Retry-After": "1"}, "application/json")(environ, start)
        return (
            self.api(environ, start)
            if path.startswith("/api/")
            else self._file(path)(environ, start)
        )

    def _file(self, path: str) -> Response:
        file = FILES / path.lstrip("/")
        if path.startswith("/docs/") and not file.is_file():
            file = file / "index.html"
        if not file.is_file():
            if path.startswith(("/assets/", "/docs/")):
                return Response(status=404)
            file = FILES / "index.html"
        packed = file.with_name(f"{file.name}.gz")
        response = Response((packed if packed.is_file() else file).read_bytes())
        response.headers.extend(self.headers)
        response.headers["Content-Type"] = mimetypes.guess_type(file)[0] or ""
        if packed.is_file():
            response.headers["Content-Encoding"] = "gzip"
        if path.startswith("/assets/"):
            # Named after their content: as nginx has it, a browser keeps them.
            response.headers["Cache-Control"] = "max-age=31536000, immutable"
        return response


def _headers() -> dict[str, str]:
    """Return the headers that nginx adds to each answer."""
    lines = HEADERS.read_text().splitlines()
    words = (line.removesuffix(" always;").split(maxsplit=2) for line in lines)
    return {each[1]: each[2].strip('"') for each in words if each[0] == "add_header"}


class Copies(socketserver.ForkingMixIn, socketserver.UnixStreamServer):
    """Arrays for clients, each furnished in a process of its own."""

    max_children = 100


class Connection(socketserver.BaseRequestHandler):
    """The connection of a client."""

    def handle(self) -> None:
        """Serve the array that the first line asks for until there are no more lines."""
        with self.request.makefile("r") as lines, self.request.makefile("w") as output:
            serve(parsed(json.loads(lines.readline())), lines, output)


def serve_copies(path: str) -> None:
    """Serve copies of arrays at a socket until standard input ends."""
    with Copies(path, Connection) as server:
        for begin in (install, furnish):
            with (
                tempfile.TemporaryDirectory() as folder,
                hashed_quickly(),
                simulated(Path(folder), begin),
            ):
                pass
        print(path, flush=True)
        # Copies are forked by the main thread: it alone goes on in them.
        Thread(target=_end_with_input, args=(server,), daemon=True).start()
        server.serve_forever()


def _end_with_input(server: Copies) -> None:
    sys.stdin.read()
    server.shutdown()


def serve(options: argparse.Namespace, lines: Iterable[str], output: TextIO) -> None:
    """Serve an array, and carry out the commands of lines until there are no more."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served_array(Path(folder), options.port, empty=options.empty) as (url, machine),
    ):
        if options.luns:
            add_luns(machine.simulator, options.luns)
        if options.hosts:
            add_hosts(machine.simulator, options.hosts)
        if options.past:
            add_history(machine.simulator)
        print(url, file=output, flush=True)
        for line in lines:
            print(f"done {machine.do(line)}", file=output, flush=True)


def parsed(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the options in arguments, or in those of this process."""
    parser = argparse.ArgumentParser(description="Serve a furnished array over HTTP.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--luns", type=int, default=0, help="LUNs besides the examples")
    parser.add_argument("--hosts", type=int, default=0, help="hosts besides the examples")
    parser.add_argument("--past", action="store_true", help="figures and samples until now")
    parser.add_argument("--empty", action="store_true", help="an array as new")
    parser.add_argument("--socket", help="serve each client of this path an array of its own")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    chosen = parsed()
    if chosen.socket:
        serve_copies(chosen.socket)
    else:
        serve(chosen, sys.stdin, sys.stdout)
