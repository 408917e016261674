"""Passwords that were found right, so that not every request costs a hash.

A program sends its password with each request, and a modern hash is slow on purpose. What was found
right is known again by a digest, under a key that lives as long as the process: of the account, of
its stored hash, so that a changed password is forgotten by itself, of the password, and of the
source that it came from, so that what one source did tells another nothing.

The digests lie in memory that gunicorn's workers share, since they are forked after the import of
this module: what one of them checked, all know, and a worker that is killed takes nothing along.
There is no lock. A digest that is read while another takes its place equals none that there is.
"""

from __future__ import annotations

import hmac
import mmap
import os
from random import SystemRandom

_KEY = os.urandom(32)
_SIZE = 32
_PLACES = 8
"""Where one digest may lie; the one that gives way is chosen by chance."""
SETS = 64
_chance = SystemRandom()


def digest(*parts: str) -> bytes:
    """Return what stands for some texts."""
    # With their lengths, so that no two lists of texts make the same bytes.
    told = "".join(f"{len(part)}:{part}" for part in parts)
    return hmac.digest(_KEY, told.encode("utf-8", "surrogatepass"), "sha256")


class Remembered:
    """At most `sets` times eight digests."""

    def __init__(self, sets: int = SETS) -> None:
        self._sets = sets
        self._memory = mmap.mmap(-1, sets * _PLACES * _SIZE)

    def add(self, digest: bytes) -> None:
        """Remember a digest, in the place of another one where all are taken."""
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
