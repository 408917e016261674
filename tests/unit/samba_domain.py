"""Make a domain with Samba and serve it by LDAP, in a network namespace of its own.

Debian's own Python runs this, which has Samba's modules, as root of a user namespace: Samba's ports
are fixed and below 1024. Arguments are the configuration (smb.conf(5)), the domain's names, and the
ports with the listening sockets, inherited, from which connections are passed on to them:

    samba_domain.py smb.conf EXAMPLE.ORG EXAMPLE 389=3 636=4 < the password, a line, and a pipe

The domain is there when `ready` is printed, and goes when standard input ends.
"""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
import time
from threading import Thread

from samba.auth import system_session
from samba.dsdb import DS_DOMAIN_FUNCTION_2008_R2
from samba.provision import provision


def main(configuration: str, realm: str, domain: str, *relays: str) -> None:
    """Serve until standard input ends."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    logging.basicConfig(level=logging.WARNING)
    provision(
        logging.getLogger(),
        system_session(),
        smbconf=configuration,
        realm=realm,
        domain=domain,
        hostname="dc1",
        hostip="127.0.0.1",
        serverrole="active directory domain controller",
        dom_for_fun_level=DS_DOMAIN_FUNCTION_2008_R2,
        dns_backend="SAMBA_INTERNAL",
        # Nobody reads the shares that there would be. Their access control lists need a real root.
        skip_sysvolacl=True,
        adminpass=sys.stdin.readline().rstrip("\n"),
    )
    command = ["samba", "--interactive", "--model=single", "-s", configuration]
    samba = subprocess.Popen(command, stdout=sys.stderr)
    while not _serves(389):
        if samba.poll() is not None:
            sys.exit("Samba has ended")
        time.sleep(0.02)  # noqa: TID251 - a pause; nothing depends on it
    for relay in relays:
        port, descriptor = map(int, relay.split("="))
        listening = socket.socket(fileno=descriptor)
        Thread(target=_pass_on, args=(listening, port), daemon=True).start()
    print("ready", flush=True)
    sys.stdin.read()
    samba.kill()
    samba.wait()


def _serves(port: int) -> bool:
    try:
        _connect(port).close()
    except ConnectionRefusedError:
        return False
    return True


def _connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port))


def _pass_on(listening: socket.socket, port: int) -> None:
    """Connect each who comes with a port of the domain controller."""
    while True:
        outer, _ = listening.accept()
        inner = _connect(port)
        for ends in ((outer, inner), (inner, outer)):
            Thread(target=_copy, args=ends, daemon=True).start()


def _copy(source: socket.socket, sink: socket.socket) -> None:
    """Pass on bytes until either side has ended."""
    try:
        while chunk := source.recv(65536):
            sink.sendall(chunk)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        sink.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
