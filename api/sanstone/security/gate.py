"""Gates: so many threads of a process at a time do what costs much, and the others wait in turn.

A few threads wait, for a short time; a request that finds no room or waits too long gets an error
to retry (503). The next one is chosen at random by source, with equal chances, and in order of
arrival within a source. When there is no room, a thread of the source with the most is turned away.
So a flood from one source delays another by a turn or two and cannot lock it out.

A flood from many sources could: each has the same chance. So whom the gate `knows` has every second
turn, and strangers make room for it. Those who logged in from there before wait for one stranger,
however many there are.

**Passwords.** A hash deliberately takes 64 MiB and a processor, and anyone can cause one by trying
to log in. A process lets one thread hash at a time, so that gunicorn's two workers never use more
than 128 MiB for it; that needs no lock between them, and a worker that is killed leaves none.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import SystemRandom
from threading import Event, Lock, get_ident

from sanstone.core import errors

ROOM = 20
"""Threads that may wait: a third of a worker's threads (gunicorn.conf.py), so that the others
continue whatever happens here, and as many as a script starts at once with one account."""
PATIENCE = 5.0
"""Seconds that a thread waits; a hash takes a tenth of a second."""
MOST_KNOWN = 1024
"""Sources that are known at most: those that were so last."""
SOON = 5.0
"""Seconds after which a refused client may try again."""
PASSWORDS = "Too many passwords are being checked at the moment; try again in a few seconds."
_chance = SystemRandom()


@dataclass
class _Waiting:
    source: str
    thread: int
    called: Event = field(default_factory=Event)
    refused: bool = False


class Gate:
    """Lets `places` threads be inside at a time. Within its place a thread may pass again.

    `room` threads wait, for `patience` seconds at most. `refusal` is the answer to the others.
    """

    def __init__(
        self,
        room: int = ROOM,
        patience: float = PATIENCE,
        places: int = 1,
        refusal: str = PASSWORDS,
    ) -> None:
        self._room, self._patience, self._refusal = room, patience, refusal
        self._lock = Lock()
        self._free = places
        self._inside: set[int] = set()
        self._waiting: list[_Waiting] = []
        self._known: OrderedDict[str, None] = OrderedDict()
        self._turn_of_known = False

    def know(self, source: str) -> None:
        """Prefer a source from now on: who is there has proved to be no stranger."""
        with self._lock:
            self._known[source] = None
            self._known.move_to_end(source)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)

    @contextmanager
    def place(self, source: str = "") -> Iterator[None]:
        """Hold the place. Raises ApiError, 503, when it does not become free soon."""
        if get_ident() in self._inside:
            yield
            return
        self._enter(source)
        try:
            yield
        finally:
            self._leave()

    def waiting(self) -> list[str]:
        """Return the sources of the waiting threads."""
        with self._lock:
            return [each.source for each in self._waiting]

    def _enter(self, source: str) -> None:
        mine = _Waiting(source, get_ident())
        with self._lock:
            if self._free:
                self._free -= 1
                self._inside.add(mine.thread)
                return
            self._make_room(source)
            self._waiting.append(mine)
        if not mine.called.wait(self._patience):
            with self._lock:
                # It may have got the place just now.
                if mine in self._waiting:
                    self._waiting.remove(mine)
                    raise self._busy()
        if mine.refused:
            raise self._busy()

    def _make_room(self, source: str) -> None:
        if len(self._waiting) < self._room:
            return
        counts = Counter(each.source for each in self._waiting)
        strangers = {each.source for each in self._waiting} - self._known.keys()
        if source in self._known and strangers:
            giving_way = strangers
        else:
            crowd, most = counts.most_common(1)[0] if counts else ("", 0)
            if counts[source] + 1 >= most:
                raise self._busy()
            giving_way = {crowd}
        last = max(n for n, each in enumerate(self._waiting) if each.source in giving_way)
        refused = self._waiting.pop(last)
        refused.refused = True
        refused.called.set()

    def _leave(self) -> None:
        with self._lock:
            self._inside.discard(get_ident())
            self._free += 1
            if self._waiting:
                source = self._next_source()
                following = next(each for each in self._waiting if each.source == source)
                self._waiting.remove(following)
                self._free -= 1
                self._inside.add(following.thread)
                following.called.set()

    def _next_source(self) -> str:
        """Return the source that has the next turn, of those that wait."""
        sources = {each.source for each in self._waiting}
        self._turn_of_known = not self._turn_of_known
        known = sources & self._known.keys() if self._turn_of_known else set()
        return _chance.choice(sorted(known or sources))

    def _busy(self) -> errors.ApiError:
        return errors.again(503, self._refusal, SOON)


hashing = Gate()
"""The gate of this process for passwords."""
