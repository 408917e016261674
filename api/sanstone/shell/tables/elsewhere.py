"""Commands of ONTAP's that the array has not, with the sentence that each is refused by.

They are those that scripts and administrators type: the sentence says what to do in their place.
"""

from __future__ import annotations

_MOVED = "A LUN has moved when `lun move start` is answered: there is none to {}."
_COPIED = "A LUN is copied when `lun copy start` is answered: there is none to {}."

ELSEWHERE: dict[str, str] = {
    **{f"lun move {verb}": _MOVED.format(verb) for verb in ("modify", "pause", "resume", "cancel")},
    **{
        f"lun copy {verb}": _COPIED.format(verb) for verb in ("modify", "pause", "resume", "cancel")
    },
}
"""By command."""
