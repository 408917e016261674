"""An array in memory that answers on a TCP port, for clients that are programs of their own.

    python tests/clients/serve.py FOLDER [--equipped | --behind-nginx]

serves a `Simulator` over TLS on a free port of 127.0.0.1, prints the port as soon as it does, and
ends with its standard input. FOLDER takes the database and the certificate. With `--equipped`
the disks are in a
shelf with lights, and there are more adapters, one with NVMe/FC. With `--behind-nginx`
TLS is that of a real nginx with the product's configuration, which takes clients' certificates.
"""

from __future__ import annotations

import logging
import ssl
import subprocess
import sys
import threading
from pathlib import Path

from installed import installed_array
from nginx import behind_nginx
from shelved_disks import attach
from simulator import Simulator, simulated
from werkzeug.serving import WSGIRequestHandler, make_server

from fakes.disks import Foreign


class QuietHandler(WSGIRequestHandler):
    """Says nothing of requests that went well."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Note refusals only, which a failing test wants to see."""
        if str(code)[:1] in "45":
            super().log_request(code, size)


def certificate(folder: Path) -> ssl.SSLContext:
    """Return TLS settings with a new self-signed certificate."""
    files = folder / "tls.key", folder / "tls.crt"
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1")
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-days", "1")
    out = ("-keyout", str(files[0]), "-out", str(files[1]))
    subprocess.run(
        ["/usr/bin/openssl", "req", "-x509", *kind, *names, *out], check=True, capture_output=True
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files[1], files[0])
    return context


def serve(array: Simulator, context: ssl.SSLContext) -> None:
    """Answer requests until standard input ends."""
    app = array.client.application
    server = make_server("127.0.0.1", 0, app, request_handler=QuietHandler, ssl_context=context)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.port, flush=True)
    sys.stdin.read()
    server.shutdown()


def serve_behind_nginx(array: Simulator) -> None:
    """Answer requests by way of nginx until standard input ends."""
    array.make("security/certificates", {"type": "server", "common_name": "array", "name": "web"})
    array.do("PATCH", "cluster/web", {"certificate.name": "web"})
    with behind_nginx(array) as port:
        print(port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    logging.getLogger("sanstone").setLevel(logging.ERROR)
    with simulated(Path(sys.argv[1])) as simulator:
        simulator.kernel.fibre_channel.plug()
        if "--equipped" in sys.argv[2:]:
            simulator.kernel.fibre_channel.plug("fcoe")
            simulator.kernel.rdma.plug("e0d")
            simulator.kernel.fibre_channel.plug("lpfc")
            simulator.kernel.fibre_channel.make_nvme_target("21:00:00:24:ff:00:00:03")
            nvme_ports = simulator.kernel.configfs.nvmet.fc_ports
            nvme_ports.add("nn-0x20000024ff000003:pn-0x21000024ff000003")
            attach(simulator.kernel)
            foreign = [Foreign("zfs_member", "filesystem")]
            simulator.kernel.storage.disks.present["sdh"].foreign = foreign
            simulator.read_disks()
            simulator.reconciler.rescan()
        simulator.settle()
        installed_array(simulator).reboots = True
        if "--behind-nginx" in sys.argv[2:]:
            serve_behind_nginx(simulator)
        else:
            serve(simulator, certificate(Path(sys.argv[1])))
