"""Accounts of the array log in at its console, as the program login lets them."""

from __future__ import annotations

import pytest

from lab.api import Api
from lab.station import Array, Station

# Sits at a terminal of its own in the array: argument 1 is the account, standard input the password
# and the lines after it; prints all that the terminal showed.
SIT = """
import os, pty, select, sys
password, *lines = sys.stdin.read().splitlines()
child, terminal = pty.fork()
if child == 0:
    os.execv("/bin/login", ["login", sys.argv[1]])
shown = b""

def wait_for(*words):
    global shown
    seen = len(shown)
    while not any(word in shown[seen:] for word in words):
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            # login hangs the terminal up and opens it anew (vhangup(2)).
            select.select([], [], [], 0.1)
            continue
        shown += piece
        os.write(1, piece)
wait_for(b"assword:")
os.write(terminal, password.encode() + b"\\n")
wait_for(b"::> ", b"ncorrect")
for line in lines:
    os.write(terminal, line.encode() + b"\\n")
    wait_for(b"::> ")
"""


def sit(array: Array, name: str, *typed: str) -> str:
    """Return the text of the console after a password, and lines after it, are typed."""
    stdin = "".join(f"{line}\n" for line in typed).encode()
    return array.run(f"exec python3 -c '{SIT}' {name}", stdin=stdin)


def test_administrator_gets_the_shell(array: Array, station: Station) -> None:
    shown = sit(array, "admin", station.rack.password, "version")
    assert "Sanstone" in shown.partition("version")[2], shown


@pytest.mark.usefixtures("api")
def test_wrong_password_is_refused(array: Array, api: Api) -> None:
    shown = sit(array, "admin", "not the password")
    assert "ncorrect" in shown, shown
    assert "::>" not in shown
    assert api.get("cluster")["name"]
