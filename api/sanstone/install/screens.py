"""Full-screen text dialogues for a console of 80 by 24 characters and a serial line.

Each function shows one screen and returns the choice, or BACK for Escape. Ctrl-C on any of them
raises Interrupted. Keys only, no mouse, and no colour that carries meaning. The last line explains
the keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread
from typing import Any, Final, TypeVar

from marshmallow import ValidationError
from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import AnyContainer, HSplit, Layout, VSplit, Window
from prompt_toolkit.widgets import CheckboxList, Frame, Label, ProgressBar, RadioList, TextArea

T = TypeVar("T")
Check = Callable[[str], Any]
"""Raises ValidationError for an invalid text."""


class Back:
    """The answer of a user who goes back to the previous screen."""


BACK: Final = Back()
_LEAVE = "   Esc: back   Ctrl-C: leave"


class Interrupted(Exception):
    """Ctrl-C was pressed."""


def choose(title: str, text: str, values: Sequence[tuple[T, str]], default: T) -> T | Back:
    """Ask to choose one of several values."""
    choices = RadioList(list(values), default=default, select_on_focus=True, show_scrollbar=False)
    keys = _keys(lambda: choices.current_value)
    return _show(title, [Label(text), choices], keys, "Up, Down, Enter" + _LEAVE)  # type: ignore[no-any-return]


def pick(
    title: str, text: str, values: Sequence[tuple[T, str]], chosen: Sequence[T]
) -> list[T] | Back:
    """Ask to choose any number of values."""
    boxes = CheckboxList(list(values), default_values=list(chosen))
    keys = _keys(lambda: boxes.current_values)
    return _show(  # type: ignore[no-any-return]
        title, [Label(text), boxes], keys, "Up, Down, Space: mark, Enter: go on" + _LEAVE
    )


def ask(
    title: str, text: str, default: str = "", *, check: Check = str, secret: bool = False
) -> str | Back:
    """Ask for a line that passes its check."""
    field = TextArea(default, multiline=False, password=secret, style="reverse")
    field.buffer.cursor_position = len(default)
    wrong = Label("")

    def answer() -> str | None:
        try:
            check(field.text)
        except ValidationError as error:
            wrong.text = "\n".join(map(str, _flat(error.messages)))
            return None
        return field.text

    body: list[AnyContainer] = [Label(text), VSplit([Label("> ", width=2), field]), wrong]
    return _show(title, body, _keys(answer), "Enter: go on" + _LEAVE)  # type: ignore[no-any-return]


def agree(title: str, text: str, word: str) -> bool:
    """Ask to type a word as confirmation of the text; return False for Escape."""

    def agreed(typed: str) -> None:
        if typed.strip() != word:
            raise ValidationError(f"Nothing happens until you type: {word}")

    return not isinstance(ask(title, f"{text}\nTo agree, type: {word}", check=agreed), Back)


def tell(title: str, text: str) -> None:
    """Show a text until Enter is pressed."""
    _show(title, [Label(text)], _keys(lambda: True), "Enter: go on")


def work(title: str, task: Callable[[Callable[[str, int, int], None]], T]) -> T:
    """Run a task with a progress bar, and return its result.

    The task reports its step, the bytes processed, and the bytes in total. Raises the task's
    exceptions. Ctrl-C does nothing meanwhile: half an installation is useless.
    """
    bar, step = ProgressBar(), Label("")
    bar.percentage = 0
    app = _application(title, [step, bar], KeyBindings(), "Do not switch off.")
    ended: list[tuple[T | None, BaseException | None]] = []

    def report(text: str, done: int, total: int) -> None:
        step.text = text
        bar.percentage = 100 * done // max(total, 1)
        app.invalidate()

    def run() -> None:
        try:
            ended.append((task(report), None))
        except BaseException as error:  # noqa: BLE001 - raised again, in the caller's thread
            ended.append((None, error))
        finally:
            loop = app.loop
            assert loop is not None
            loop.call_soon_threadsafe(app.exit)

    # Started once the application runs: otherwise the task might end before the application starts.
    app.run(pre_run=Thread(target=run, daemon=True).start)
    result, error = ended[0]
    if error is not None:
        raise error
    return result  # type: ignore[return-value]


def _flat(messages: Any) -> list[Any]:
    if isinstance(messages, dict):
        return [text for below in messages.values() for text in _flat(below)]
    return list(messages)


def _keys(answer: Callable[[], Any]) -> KeyBindings:
    """Return the bindings of Enter, Escape and Ctrl-C; an answer of None keeps the screen."""
    keys = KeyBindings()

    @keys.add("enter", eager=True)
    def _go_on(event: KeyPressEvent) -> None:
        result = answer()
        if result is not None:
            event.app.exit(result=result)

    @keys.add("escape")
    def _go_back(event: KeyPressEvent) -> None:
        event.app.exit(result=BACK)

    @keys.add("c-c", eager=True)
    def _leave(event: KeyPressEvent) -> None:
        event.app.exit(exception=Interrupted())

    return keys


def _show(title: str, body: Sequence[AnyContainer], keys: KeyBindings, footer: str) -> Any:
    return _application(title, body, keys, footer).run()


def _application(
    title: str, body: Sequence[AnyContainer], keys: KeyBindings, footer: str
) -> Application[Any]:
    inside = HSplit([*body, Window()], padding=1, padding_char=" ")
    frame = Frame(inside, title=f"Sanstone: {title}")
    layout = Layout(HSplit([frame, Label(footer)]))
    return Application(layout, key_bindings=keys, full_screen=True)
