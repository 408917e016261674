"""What a shell remembers between commands, and the running of one line.

The session knows neither a terminal nor how it was reached: it is given the array, a function that
writes lines, and one that asks questions. So a test drives it as a terminal would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sanstone.client.errors import ClientError, Refused
from sanstone.client.rest import Array
from sanstone.shell import arguments, completion, errors, tree, words
from sanstone.shell.collection import Collection
from sanstone.shell.tree import Command, Directory
from sanstone.shell.values import Style

Ask = Callable[[str], bool]


@dataclass
class Settings:
    """What `set` and `rows` change; `rows` 0 shows everything without a pause."""

    privilege: str = "admin"
    confirmations: bool = True
    units: str = "auto"
    separator: str = ""
    all_fields: bool = False
    rows: int = 0
    stop_on_error: bool = False


@dataclass
class Session:
    """One user's shell on one array."""

    array: Array
    root: Directory
    write: Callable[[Sequence[str]], None]
    complain: Callable[[str], None]
    ask: Ask
    ask_secret: Callable[[str], str]
    collections: dict[str, Collection] = field(default_factory=dict)
    name: str = "sanstone"
    width: Callable[[], int] = lambda: 80
    settings: Settings = field(default_factory=Settings)
    history: list[str] = field(default_factory=list)
    vserver: str = ""
    here: Directory = field(init=False)
    undone: bool = False
    """Whether the command that runs has left something undone without an error of its own."""

    def __post_init__(self) -> None:
        self.here = self.root

    @property
    def style(self) -> Style:
        """Return how values are shown."""
        return Style(self.settings.units, bool(self.settings.separator))

    @property
    def prompt(self) -> str:
        """Return ONTAP's prompt: name, directory, and a star beyond the admin level."""
        star = "" if self.settings.privilege == tree.PRIVILEGES[0] else "*"
        return f"{self.vserver or self.name}::{' '.join(self.here.path)}{star}> "

    def confirm(self, question: str) -> bool:
        """Ask, unless confirmations are off; return whether to go on."""
        agreed = not self.settings.confirmations or self.ask(f"\nWarning: {question} {{y|n}}: ")
        self.undone |= not agreed
        return agreed

    def run(self, line: str) -> int:
        """Run the commands of a line and return an exit status, 0 when all went well."""
        if line.strip():
            self.history.append(line.strip())
        before, asked = line.rstrip()[:-1], line.rstrip()[-1:] == "?"
        if asked and not (words.scan(before)[-1] or [words.Word("", 0)])[-1].open:
            return self.question(before)
        try:
            found = words.commands(line)
        except errors.ShellError as error:
            self.complain(f"Error: {error}")
            return 1
        status = 0
        for command in found:
            done = self._run(command)
            status = status or done
            if done and self.settings.stop_on_error:
                break
        return status

    def question(self, line: str) -> int:
        """Show what may come next on a line, and return an exit status."""
        try:
            self.write(completion.candidates_for_help(self, line))
        except errors.ShellError as error:
            self.complain(f"Error: {error}")
            return 1
        return 0

    def _run(self, command: list[words.Word]) -> int:
        meant: Command | None = None
        self.undone = False
        try:
            node, count = tree.find(self.root, self.here, self._path(command))
            if isinstance(node, Directory):
                if count < len(command):
                    raise errors.unknown_command(command[count].text, node.children)
                self.here = node
                return 0
            meant = node
            bound = arguments.bind(node, command[count:], self.settings.privilege, self.vserver)
            self._ask_secrets(bound)
            node.run(self, bound)
        except errors.ShellError as error:
            self.complain(f"Error: {error}")
            return 1
        except Refused as error:
            self.complain(f"Error: {errors.failed(_in_words(error, meant))}")
            return 1
        except ClientError as error:
            self.complain(f"Error: {error}")
            return 1
        return int(self.undone)

    def _ask_secrets(self, bound: arguments.Arguments) -> None:
        """Ask for the secrets that a command needs, twice each. Raises ShellError."""
        for parameter, word in bound.parameters():
            if word is arguments.ASKED:
                text = self.ask_secret(f"Enter the {parameter.label.lower()}: ")
                if text != self.ask_secret("Enter it again: "):
                    raise errors.ShellError("the two are not the same")
                bound.given[parameter.word] = words.Word(text, 0, quoted=True)

    def _path(self, command: list[words.Word]) -> list[str]:
        """Return the words that may name a command: those before the first that cannot."""
        found: list[str] = []
        for word in command:
            if word.quoted or word.braced or arguments.names_parameter(word):
                break
            found.append(word.text)
        return found


def _in_words(error: Refused, command: Command | None) -> str:
    """Return an error's message with the parameter's word in the place of the field's name."""
    collection = command.collection if command else None
    if not collection or not error.target:
        return error.message
    names = {error.target, f"{error.target}.name"}
    word = next((w for name, w in collection.words.items() if name in names), "")
    if not word:
        return error.message
    # A field is named as `"space.size"`, an object as `svm "svm1"`.
    message = error.message.replace(f'"{error.target}"', f'"-{word}"')
    return message.replace(f'{error.target} "', f'{word} "')
