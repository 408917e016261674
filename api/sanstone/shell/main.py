"""`sanstone-shell`: the login shell of array accounts, and a client for administrators' machines.

    sanstone-shell                                       on the array: as the user logged in
    sanstone-shell --url https://array --user admin      from elsewhere; asks for the password
    sanstone-shell -c 'lun show'                         one line, as sshd runs it
    ssh admin@array 'lun show'                           likewise

The exit status is 0 when all commands of the line succeeded, 1 when one failed, 2 when the array
could not be reached. On the array it needs no password: the API identifies the caller on its
socket. An account that needs a code (a second factor) enters it before anything else.
"""

from __future__ import annotations

import argparse
import getpass
import os
import ssl
import sys
from contextlib import suppress
from datetime import UTC, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sanstone.client.connection import Way, local, remote
from sanstone.client.errors import ClientError, Forbidden
from sanstone.client.rest import Array
from sanstone.shell import commands, description, running
from sanstone.shell.errors import AWAY, Idle, Left
from sanstone.shell.session import Session, Settings
from sanstone.shell.terminal import Terminal

SOCKET = "shell.sock"
FORCED = "sanstone-login"
"""The command that sshd runs for array accounts instead of the requested one (ForceCommand), even
for file transfer: this word arrives after `-c`, and the requested command in the environment."""
UNREACHABLE = 2
FOR_EVER = "PT0M"
"""The shell timeout of an array with a release that reports none."""
NAMELESS = "sanstone"


def main() -> None:
    """Run the shell and exit with its status."""
    options = _parser().parse_args()
    line = options.command or " ".join(options.words)
    if line in ("", FORCED):
        line = os.environ.get("SSH_ORIGINAL_COMMAND", "")
    try:
        way = _way(options)
        settings = Settings()
        terminal = Terminal(settings)
        array = Array(way, terminal.ask_code)
        session = open_session(array, terminal, settings)
    except (ClientError, OSError, ValueError) as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(UNREACHABLE)
    try:
        sys.exit(running.run(session, line) if line else _talk(session, terminal))
    except Idle:
        print(f"\n{AWAY}", file=sys.stderr)
        sys.exit(1)
    except (Left, BrokenPipeError):
        # The reader of our output has closed it; there is nowhere to report this.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        array.log_out()


def open_session(array: Array, terminal: Terminal, settings: Settings) -> Session:
    """Return a session with commands from the array's description. Raises ClientError."""
    name, zone = NAMELESS, "UTC"
    # Where the account's role does not allow this path: the name is for the prompt alone.
    with suppress(Forbidden):
        cluster = array.get("cluster", {"fields": "name,timezone.name"})
        name, zone = str(cluster["name"]), str(cluster["timezone"]["name"])
    terminal.idle = _seconds(array.get("security/session").get("shell_timeout", FOR_EVER))
    by_path = commands.collections(description.read(array.get("declarations.json")))
    return Session(
        array,
        commands.build(by_path.values()),
        terminal.write,
        terminal.complain,
        terminal.ask,
        terminal.ask_secret,
        terminal.ask_within,
        collections=by_path,
        name=name,
        width=terminal.width,
        idle=terminal.idle,
        interactive=terminal.interactive,
        zone=_zone(zone, terminal),
        settings=settings,
    )


def _seconds(minutes: str) -> float:
    """Return the seconds of an ISO 8601 duration in minutes, as `PT30M`."""
    return 60.0 * int(minutes.removeprefix("PT").removesuffix("M"))


def _zone(name: str, terminal: Terminal) -> tzinfo:
    """Return a time zone, UTC where this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        terminal.complain(f"The time zone {name} is not known here: times are in UTC.")
        return UTC


def _talk(session: Session, terminal: Terminal) -> int:
    """Serve a user at a terminal, or run the lines of another program."""
    if not terminal.interactive:
        statuses = [running.run(session, line) for line in sys.stdin]
        return max(statuses, default=0)
    # Imported here: a single command does not need it, and it is slow to load.
    from sanstone.shell import interactive

    session.settings.rows = os.get_terminal_size().lines
    _greet(session)
    return interactive.run(session)


def _greet(session: Session) -> None:
    """Show the message of the day."""
    query = {"scope": "cluster", "fields": "message"}
    try:
        for record in session.array.records("security/login/messages", query):
            session.write(str(record.get("message", "")).splitlines())
    except Forbidden:
        # The account's role does not allow it, and the user can work without it.
        return


def _way(options: argparse.Namespace) -> Way:
    if not options.url:
        folder = os.environ.get("SANSTONE_RUN", "/run/sanstone")
        way = local(str(Path(folder) / SOCKET))
        # sshd sets both ends: the user's is for the audit log, and the array tells by them which
        # changes may cut this session off.
        user, _, array, _ = (os.environ.get("SSH_CONNECTION", "").split(" ") + [""] * 4)[:4]
        return Way(way.connect, {"X-Forwarded-For": user, "X-Sanstone-Server-Address": array})
    try:
        password = (
            Path(options.password_file).read_text().rstrip("\n")
            if options.password_file
            else getpass.getpass(f"Password of {options.user}: ")
        )
        return remote(
            options.url,
            options.user,
            password,
            authority=options.certificates,
            verify=not options.insecure,
        )
    except ssl.SSLError as error:
        raise ValueError(f"{options.certificates}: {error}") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="sanstone-shell", description="Shell of a Sanstone array")
    parser.add_argument("-c", dest="command", default="", help="a line to run")
    parser.add_argument("--url", default="", help="https://host[:port] of the array")
    parser.add_argument("--user", default="admin", help="the account (%(default)s)")
    parser.add_argument("--password-file", default="", help="file that holds the password")
    parser.add_argument("--certificates", default="", help="file of certificates to be trusted")
    parser.add_argument("--insecure", action="store_true", help="trust any certificate")
    parser.add_argument("words", nargs="*", help="a line to run")
    return parser
