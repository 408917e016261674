"""The shell's own commands: navigation, settings, history, help."""

from __future__ import annotations

from sanstone.shell import help, running
from sanstone.shell.arguments import REST, Arguments
from sanstone.shell.errors import Left, ShellError
from sanstone.shell.parameters import Parameter
from sanstone.shell.session import Session
from sanstone.shell.tree import PRIVILEGES, Command
from sanstone.shell.values import UNITS, to_body

_DANGER = (
    "These {} commands are potentially dangerous; use them only when you know what they do or "
    "support tells you to. Do you want to continue?"
)
ON_OFF = ("on", "off")


def _set(session: Session, arguments: Arguments) -> None:
    values = {p.word: to_body(p, word) for p, word in arguments.parameters()}
    settings = session.settings
    privilege = values.get("privilege", settings.privilege)
    higher = PRIVILEGES.index(privilege) > PRIVILEGES.index(settings.privilege)
    # Scripts use `set -confirmations off -privilege advanced`, so confirmations come first.
    settings.confirmations = values.get("confirmations", settings.confirmations)
    if not higher or session.confirm(_DANGER.format(privilege)):
        settings.privilege = privilege
    settings.units = values.get("units", settings.units)
    settings.separator = values.get("showseparator", settings.separator)
    settings.all_fields = values.get("showallfields", settings.all_fields)
    settings.stop_on_error = values.get("stop-on-error", settings.stop_on_error)
    settings.rows = int(values.get("rows", settings.rows))
    settings.dry_run = session.array.dry_run = values.get("dry-run", settings.dry_run)
    if not values:
        session.write(_settings(session))


def _settings(session: Session) -> list[str]:
    settings = session.settings
    return [
        f"privilege: {settings.privilege}",
        f"confirmations: {'on' if settings.confirmations else 'off'}",
        f"units: {settings.units}",
        f'showseparator: "{settings.separator}"',
        f"showallfields: {str(settings.all_fields).lower()}",
        f"stop-on-error: {str(settings.stop_on_error).lower()}",
        f"rows: {settings.rows}",
        f"dry-run: {'on' if settings.dry_run else 'off'}",
    ]


def _rows(session: Session, arguments: Arguments) -> None:
    if "rows" in arguments.bound:
        session.settings.rows = int(to_body(_ROWS, arguments.bound["rows"]))
    else:
        session.write([f"Rows per page: {session.settings.rows}"])


def _version(session: Session, _arguments: Arguments) -> None:
    cluster = session.array.get("cluster", {"fields": "version.full"})
    session.write([cluster["version"]["full"]])


def _whoami(session: Session, _arguments: Arguments) -> None:
    account = session.array.get("security/session")["account"]
    session.write([f"User: {account['name']}", f"Role: {account['role']['name']}"])


def _history(session: Session, _arguments: Arguments) -> None:
    session.write([f"{number:4}  {line}" for number, line in enumerate(session.history, 1)])


def _redo(session: Session, arguments: Arguments) -> None:
    """Run a line of the history again: by number, by its beginning, or the last one."""
    session.history.pop()
    reference = arguments.text("command")
    if reference.isdigit() and 0 < int(reference) <= len(session.history):
        line = session.history[int(reference) - 1]
    else:
        line = next((x for x in reversed(session.history) if x.startswith(reference)), "")
    if not line:
        raise ShellError(f'there is no "{reference}" in the history')
    session.write([line])
    session.undone = running.run(session, line) != 0


def _top(session: Session, _arguments: Arguments) -> None:
    session.here = session.root


def _up(session: Session, _arguments: Arguments) -> None:
    session.here = session.root.at(session.here.path[:-1])


def _exit(session: Session, _arguments: Arguments) -> None:
    if not session.vserver:
        raise Left
    session.vserver = ""
    session.array.headers.pop("X-Dot-SVM-Name")


def _context(session: Session, arguments: Arguments) -> None:
    name = arguments.text("vserver")
    if not list(session.array.records("svm/svms", {"name": name})):
        raise ShellError(f'command failed: Vserver "{name}" does not exist.')
    session.vserver = name
    session.array.headers["X-Dot-SVM-Name"] = name
    session.here = session.root


def _help(session: Session, arguments: Arguments) -> None:
    session.write(help.about(session, arguments.text("command").split()))


def _manual(session: Session, arguments: Arguments) -> None:
    session.write(help.manual(session, arguments.text("command").split()))


def _choice(word: str, doc: str, *choices: str, positional: bool = False) -> Parameter:
    return Parameter(word, "choice", doc, choices=choices, positional=positional)


_ROWS = Parameter("rows", "integer", "Lines of a page; 0 for no pages.", positional=True)
_SET = (
    _choice("privilege", "Which commands and parameters there are.", *PRIVILEGES, positional=True),
    Parameter(
        "confirmations", "boolean", "Whether to ask before dangerous commands.", truth=ON_OFF
    ),
    Parameter("showallfields", "boolean", "Whether `show` shows every field."),
    Parameter("showseparator", "text", 'What separates fields, for scripts; "" for tables.'),
    _choice("units", "Unit of sizes.", *UNITS),
    Parameter("rows", "integer", "Lines of a page; 0 for no pages."),
    Parameter("dry-run", "boolean", "Whether commands only tell what they would do.", truth=ON_OFF),
    Parameter("stop-on-error", "boolean", "Whether an error ends a line of several commands."),
)
_WORDS = Parameter("command", REST, "A command or directory.", positional=True)
_LINE = Parameter("command", REST, "Its number, or how it began.", positional=True)
_VSERVER = Parameter(
    "vserver", "name", "The Vserver.", required=True, positional=True, source="svm/svms"
)

COMMANDS = (
    Command(("exit",), "Leave the shell, or the context of a Vserver", _exit),
    Command(("quit",), "Leave the shell, or the context of a Vserver", _exit),
    Command(("help",), "Show what a command takes", _help, lambda: (_WORDS,)),
    Command(("history",), "Show the commands of this session", _history),
    Command(("man",), "Show the manual of a command", _manual, lambda: (_WORDS,)),
    Command(("redo",), "Run a command of the history again", _redo, lambda: (_LINE,)),
    Command(("rows",), "Show or set the lines of a page", _rows, lambda: (_ROWS,)),
    Command(("set",), "Show or set how the shell behaves", _set, lambda: _SET),
    Command(("top",), "Go to the top-level directory", _top),
    Command(("up",), "Go up one directory", _up),
    Command(("version",), "Show the version of the array's software", _version),
    Command(("security", "login", "whoami"), "Show whose shell this is", _whoami),
    Command(("vserver", "context"), "Work in one Vserver", _context, lambda: (_VSERVER,)),
)
