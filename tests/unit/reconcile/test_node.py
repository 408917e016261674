"""What is observed of the machine itself."""

from __future__ import annotations

from scenarios import MIB
from simulator import Simulator

from sanstone.kernel.fake.files import Text

EVENTS = "support/ems/events?fields=message.name&message.name=node.memory*"


def leave(array: Simulator, mebibytes: int, *, quick: bool = False) -> None:
    """Let as much memory be left, and a pass see it."""
    text = f"MemTotal:        8388608 kB\nMemAvailable:    {mebibytes * 1024} kB\n"
    array.kernel.files.place("/proc/meminfo", Text(text))
    if quick:
        array.wake()
    else:
        array.settle()


def told(array: Simulator) -> list[str]:
    records = array.get(EVENTS)["records"]
    return sorted(record["message"]["name"] for record in records)


def test_a_shortage_of_memory_is_told_once_and_when_it_ends(array: Simulator) -> None:
    for left in (4096, 255, 200, 255, 300):
        leave(array, left)
    assert told(array) == ["node.memory.low"]
    leave(array, 4096)
    assert told(array) == ["node.memory.low", "node.memory.low.resolved"]


def test_a_pass_for_the_api_sees_what_memory_is_left(array: Simulator) -> None:
    leave(array, 200, quick=True)
    assert told(array) == ["node.memory.low"]
    shown = array.get("cluster/nodes?fields=controller,uptime")["records"][0]
    assert shown["controller"] == {"cpu": {"count": 2}, "memory_size": 8192 * MIB}
    assert shown["uptime"] == 100


def test_the_machine_has_the_name_of_the_array(array: Simulator) -> None:
    def name() -> str:
        return array.kernel.files.read("/proc/sys/kernel/hostname")

    assert name() == array.get("cluster")["name"]
    array.do("PATCH", "cluster", {"name": "san2"})
    assert name() == "san2"
    array.kernel.files.write("/proc/sys/kernel/hostname", "localhost")
    array.settle()
    assert name() == "san2"
