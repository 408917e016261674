"""The prompt: line editing, history, Tab, and `?`, which is answered as soon as it is typed."""

from __future__ import annotations

from collections.abc import Iterator

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.shortcuts import CompleteStyle

from sanstone.shell import completion, running
from sanstone.shell.errors import Left
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


def run(session: Session) -> int:
    """Read and run lines until the user leaves; return an exit status."""
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
            line = prompt.prompt(session.prompt)
        except KeyboardInterrupt:
            continue
        except EOFError:
            return 0
        try:
            running.run(session, line)
        except Left:
            return 0
        except KeyboardInterrupt:
            session.complain("Interrupted; what the array was told to do goes on.")
