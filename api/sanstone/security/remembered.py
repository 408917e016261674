"""Passwords that were verified before, so that not every request costs a hash.

A program sends its password with each request, and a modern hash is deliberately slow. A verified
password is recognised by a digest, under a key that lives as long as the process. The digest covers
the account, its stored hash (so that a changed password invalidates it), the password, and its
source (so that one source reveals nothing to another).

The digests are in memory that gunicorn's workers share, since they are forked after the import of
this module: a password that one worker verified is known to all, and a worker that is killed loses
nothing. There is no lock: a digest that is read while another overwrites it matches none.
"""

from __future__ import annotations

import hmac
import mmap
import os
from random import SystemRandom

_KEY = os.urandom(32)
_SIZE = 32
_PLACES = 8
"""Places for a digest; the one to overwrite is chosen at random."""
SETS = 64
_chance = SystemRandom()


def digest(*parts: str) -> bytes:
    """Return the digest of a sequence of texts."""
    # With their lengths, so that different sequences never yield the same bytes.
    content = "".join(f"{len(part)}:{part}" for part in parts)
    return hmac.digest(_KEY, content.encode("utf-8", "surrogatepass"), "sha256")


class Remembered:
    """At most `sets` times eight digests."""

    def __init__(self, sets: int = SETS) -> None:
        self._sets = sets
        self._memory = mmap.mmap(-1, sets * _PLACES * _SIZE)

    def add(self, digest: bytes) -> None:
        """Store a digest; overwrite another one if there is no free place."""
        if digest in self:
            return
        places = self._where(digest)
        free = [place for place in places if not any(self._at(place))]
        place = _chance.choice(free or places)
        self._memory[place : place + _SIZE] = digest

    def __contains__(self, digest: bytes) -> bool:
        return any(hmac.compare_digest(self._at(place), digest) for place in self._where(digest))

    def _where(self, digest: bytes) -> list[int]:
        first = int.from_bytes(digest[:4]) % self._sets * _PLACES * _SIZE
        return [first + number * _SIZE for number in range(_PLACES)]

    def _at(self, place: int) -> bytes:
        return self._memory[place : place + _SIZE]
