"""The messages of multicast DNS on one link, and their times (RFC 6762), without any socket.

Records are announced twice when they come (8.3), sent in answers (6) and taken back when they go
(10.1). It sends no questions and believes no answers. Names are not probed for (8.1): each contains
the UUID of a LIF, which nobody else has.

Who asks makes little of it: a record is said once in a second at most (6), and answers to single
hosts (6.7) have a limit too. What a question costs does not grow with the number of records.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from sanstone.kernel.network import multicast_dns as dns
from sanstone.kernel.network.multicast_dns import Query, Record

ANNOUNCED_AGAIN = 1.0
"""Seconds from the first announcement to the second."""
SELDOM = 1.0
"""Seconds within which a record is not said again."""
SHARED_DELAY = 0.02, 0.12
"""Seconds, at least and at most, until records are said that others have too, so that not all speak
at once."""
REPLY_TTL = 10
"""Seconds for which an answer to one that does not know multicast is believed (6.7)."""
REPLY_PERIOD = 0.02
"""Seconds between such answers at least."""


class Responder:
    """Speaks for some records. Times are in seconds of any one clock."""

    def __init__(self, delay: Callable[[float, float], float] = random.uniform) -> None:
        self._delay = delay
        self._records: tuple[Record, ...] = ()
        self._of_name: dict[dns.Name, list[Record]] = {}
        """The records by name, as names are compared."""
        self._waiting: dict[Record, float] = {}
        """By record that is to be said: when."""
        self._again: dict[Record, float] = {}
        """By record that was announced once: when it is a second time."""
        self._sent_at: dict[Record, float] = {}
        """By record: when it was said last."""
        self._replied = float("-inf")

    def speak_for(self, records: Sequence[Record], now: float) -> list[bytes]:
        """Speak for these records from now on; return what takes back those that are gone."""
        withdrawn = [record for record in self._records if record not in records]
        for record in withdrawn:
            for each in (self._waiting, self._again, self._sent_at):
                each.pop(record, None)
        for record in records:
            if record not in self._records:
                self._waiting[record] = now
                self._again[record] = now + ANNOUNCED_AGAIN
        self._records = tuple(records)
        self._of_name = defaultdict(list)
        for record in records:
            self._of_name[dns.folded(record.name)].append(record)
        return list(dns.answers([replace(record, ttl=0) for record in withdrawn]))

    def hear(self, query: Query, now: float) -> None:
        """Queue the answers to a query, for all on the link."""
        for record in self._answers(query):
            due = now if record.is_unique else now + self._delay(*SHARED_DELAY)
            due = max(due, self._sent_at.get(record, float("-inf")) + SELDOM)
            self._waiting[record] = min(due, self._waiting.get(record, due))

    def reply(self, query: Query, now: float) -> bytes | None:
        """Return the answer to one that does not know multicast, None if there is none now.

        In DNS a message has one question (RFC 9619), and an answer with many would be long.
        """
        if len(query.questions) != 1 or now < self._replied + REPLY_PERIOD:
            return None
        answers = self._answers(query)
        if not answers:
            return None
        self._replied = now
        return dns.reply(query, answers, self._more(answers), REPLY_TTL)

    def say(self, now: float) -> list[bytes]:
        """Return the messages due by now."""
        for record in [record for record, due in self._again.items() if due <= now]:
            del self._again[record]
            self._waiting[record] = now
        due_records = [record for record, due in self._waiting.items() if due <= now]
        self._waiting = {r: due for r, due in self._waiting.items() if due > now}
        self._sent_at = {r: time for r, time in self._sent_at.items() if time > now - SELDOM}
        self._sent_at |= dict.fromkeys(due_records, now)
        return list(dns.answers(due_records, self._more(due_records)))

    def due(self) -> float:
        """Return when something is to be said next, infinity for never."""
        return min((*self._waiting.values(), *self._again.values()), default=float("inf"))

    def _answers(self, query: Query) -> list[Record]:
        """Return the records that answer a query, without those that its sender has."""
        unique: dict[Record, None] = {}
        for question in query.questions:
            of_name = self._of_name.get(dns.folded(question.name), ())
            answers = [record for record in of_name if question.type in (record.type, dns.ANY)]
            unique |= dict.fromkeys(answers or _denials(of_name))
        return [record for record in unique if not query.knows(record)]

    def _more(self, records: Iterable[Record]) -> list[Record]:
        """Return the records that a host with some will ask for next (RFC 6763, 12)."""
        answered = dict.fromkeys(records)
        more: dict[Record, None] = {}
        targets = [record.target for record in answered if record.target]
        while targets:
            target = targets.pop(0)
            for record in self._records:
                if (
                    record.name == target
                    and record.is_unique
                    and record not in {**answered, **more}
                ):
                    more[record] = None
                    targets += [record.target] if record.target else []
        return list(more)


def _denials(of_name: Sequence[Record]) -> list[Record]:
    """Return the record that a name of ours has none but these, if nobody else has it."""
    unique = [record for record in of_name if record.is_unique]
    if not unique:
        return []
    return [dns.no_others(unique[0].name, {each.type for each in unique}, unique[0].ttl)]
