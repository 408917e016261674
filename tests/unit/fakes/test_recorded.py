"""A capture answers as the machine did."""

from __future__ import annotations

import pytest

from fakes import FakeKernel
from fakes.files import Text
from fakes.recorded import Unrecorded, record, replay
from sanstone.kernel.host import CommandError, FileError, Host


def captured() -> tuple[FakeKernel, Host, Host]:
    """Return a machine, and a recording and a replaying of one conversation with it."""
    kernel = FakeKernel()
    kernel.commands.register("lsblk", lambda argv, _: " ".join(argv))
    kernel.files.place("/sys/one", Text("1"))
    recorder, recording = record(kernel.host)
    talk(recorder)
    return kernel, recorder, replay(recording.dump())


def talk(host: Host) -> list[object]:
    """Ask everything that a capture must hold."""
    answers: list[object] = [
        host.commands.run(["lsblk", "--json"]),
        host.files.listdir("/sys"),
        host.files.block_number("/sys/one"),
        host.network.links(),
        host.mapper.devices(),
    ]
    with pytest.raises(CommandError) as status:
        host.commands.run(["nothing"])
    with pytest.raises(FileError) as errno:
        host.files.read("/missing")
    return [*answers, str(status.value), str(errno.value)]


def test_the_same_questions_get_the_same_answers() -> None:
    kernel, _, player = captured()
    assert talk(player) == talk(kernel.host)


def test_answers_change_as_they_did_and_the_last_one_stays() -> None:
    kernel = FakeKernel()
    kernel.files.place("/sys/one", Text("1"))
    recorder, recording = record(kernel.host)
    recorder.files.read("/sys/one")
    recorder.files.write("/sys/one", "2")
    recorder.files.read("/sys/one")
    player = replay(recording.dump())
    assert [player.files.read("/sys/one") for _ in range(3)] == ["1", "2", "2"]
    player.files.write("/sys/one", "2")


def test_an_unrecorded_question_has_no_answer() -> None:
    _, _, player = captured()
    with pytest.raises(Unrecorded, match=r"files\.read"):
        player.files.read("/sys/two")
