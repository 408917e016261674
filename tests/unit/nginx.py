"""A real nginx on this machine before an array in memory, with the product's configuration.

Facts of the machine in it, such as ports and folders, are replaced; of the system's own
configuration it reads only the types of files. As by the product's path unit, it reloads whenever
the array writes its certificates.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from ports import wait_for
from served import Quiet
from simulator import Simulator
from werkzeug.serving import make_server

from lab.rack import free_port

PROGRAM = "/usr/sbin/nginx"
WATCHED = ("server.pem",)
"""By the product's path unit, too (test_reload)."""
CONFIGURATION = Path(__file__).parents[2] / "overlay/etc/nginx"


@contextmanager
def behind_nginx(array: Simulator) -> Iterator[int]:
    """Serve an array that has a web server's certificate; give the port on 127.0.0.1."""
    folder, port = array.folder / "nginx", free_port()
    shutil.copytree(CONFIGURATION, folder, dirs_exist_ok=True)
    (folder / "transit").mkdir(exist_ok=True)
    socket = array.folder / "api.sock"
    socket.unlink(missing_ok=True)
    replaced = {
        "user www-data;": "user root;",
        "/run/nginx": str(folder),
        "/run/sanstone/api.sock": str(socket),
        "/var/lib/sanstone/tls": str(array.folder / "tls"),
        "root /usr/share/sanstone": f"root {array.folder / 'share'}",
        "include mime.types;": "include /etc/nginx/mime.types;",
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "listen [::]:443 ssl;": "",
        # Debian 12 says it otherwise.
        "http2 on;": "",
    }
    text = (folder / "nginx.conf").read_text()
    for ours, theirs in replaced.items():
        assert ours in text, f"nginx.conf has no {ours}"
        text = text.replace(ours, theirs)
    (folder / "nginx.conf").write_text(text)
    app = array.client.application
    server = make_server(f"unix://{socket}", 0, app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    options = ["-e", "stderr", "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
    ends = Event()
    with subprocess.Popen([PROGRAM, *options]) as nginx:
        watch = Thread(target=_reload, args=(nginx, array.folder / "tls", ends), daemon=True)
        try:
            wait_for(port, nginx)
            watch.start()
            yield port
        finally:
            ends.set()
            if watch.ident:
                watch.join()
            nginx.terminate()
            nginx.wait()
            server.shutdown()
            thread.join()
            server.server_close()


def _reload(nginx: subprocess.Popen[bytes], folder: Path, ends: Event) -> None:
    """Have nginx reload whenever a folder's files change, until it `ends`."""
    before = _log_sizes(folder)
    while not ends.wait(0.1):
        if (now := _log_sizes(folder)) != before:
            nginx.send_signal(signal.SIGHUP)
            before = now


def _log_sizes(folder: Path) -> list[int]:
    there = (folder / name for name in WATCHED if (folder / name).exists())
    return [file.stat().st_mtime_ns for file in there]
