"""The prompt: line editing, history, Tab, and `?`, which is answered as soon as it is typed."""

from __future__ import annotations

import time
from asyncio import sleep
from collections.abc import Callable, Iterator

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.shortcuts import CompleteStyle

from sanstone.shell import completion, running
from sanstone.shell.errors import AWAY, Idle, Left
from sanstone.shell.session import Session
from sanstone.shell.words import scan


class _Completer(Completer):
    """prompt_toolkit's view of `completion`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """Yield completions of the text before the cursor."""
        line = document.text_before_cursor
        for candidate in completion.complete(self._session, line):
            yield Completion(
                candidate.text,
                start_position=candidate.start - len(line),
                display=candidate.text.strip(),
                display_meta=candidate.doc,
            )


def _keys(session: Session) -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("?")
    def _question(event: KeyPressEvent) -> None:
        line = event.current_buffer.document.text_before_cursor
        words = scan(line)[-1]
        if words and words[-1].open and words[-1].quoted:
            event.current_buffer.insert_text("?")
            return

        def answer() -> None:
            print(f"{session.prompt}{line}?")
            running.question(session, line)

        run_in_terminal(answer)

    return bindings


def _watch(idle: float) -> Callable[[], None]:
    """Return a hook that ends a prompt by Idle after so many seconds without a key, 0 for ever."""

    def begin() -> None:
        if not idle:
            return
        prompt, last = get_app(), time.monotonic()

        def pressed(_sender: object) -> None:
            nonlocal last
            last = time.monotonic()

        async def wait() -> None:
            keys = prompt.key_processor.after_key_press
            keys += pressed
            try:
                while (remaining := last + idle - time.monotonic()) > 0:
                    await sleep(remaining)
            finally:
                keys -= pressed
            prompt.exit(exception=Idle)

        prompt.create_background_task(wait())

    return begin


def run(session: Session) -> int:
    """Read and run lines until the user leaves, or is away too long; return an exit status."""
    prompt: PromptSession[str] = PromptSession(
        completer=_Completer(session),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        key_bindings=_keys(session),
        enable_history_search=True,
        reserve_space_for_menu=0,
    )
    while True:
        try:
            line = prompt.prompt(session.prompt, pre_run=_watch(session.idle))
        except KeyboardInterrupt:
            continue
        except EOFError:
            return 0
        except Idle:
            session.write([AWAY])
            return 0
        try:
            running.run(session, line)
        except Idle:
            session.write(["", AWAY])
            return 0
        except Left:
            return 0
        except KeyboardInterrupt:
            session.complain("Interrupted; the array goes on with the change.")
