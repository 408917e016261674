"""Answers and announcements on a link: their content, destination and rate."""

from __future__ import annotations

import struct
from ipaddress import ip_address

import pytest

from sanstone.kernel.network import multicast_dns as dns
from sanstone.kernel.network.multicast_dns import Query, Question, Record
from sanstone.reconcile.tasks import responder
from sanstone.reconcile.tasks.responder import Responder

TYPE = dns.name_of("_nvme-disc", "_tcp")
INSTANCE, HOST = (b"lif1", *TYPE), dns.name_of("host")
POINTER = dns.pointer(TYPE, INSTANCE, 4500)
SERVICE = dns.service(INSTANCE, 8009, HOST, 120)
TEXT = dns.text(INSTANCE, ["p=tcp"], 4500)
ADDRESS = dns.host_address(HOST, ip_address("10.10.1.2"), 120)
RECORDS = [POINTER, SERVICE, TEXT, ADDRESS]
NEVER = float("inf")


def asking(*questions: tuple[dns.Name, int], known_answers: tuple[Record, ...] = ()) -> Query:
    """Return a query."""
    return Query(7, tuple(Question(*each) for each in questions), known_answers)


def types_and_ttls(messages: list[bytes], *, first: int = 0) -> list[tuple[int, int]]:
    """Return type and time to live of each answer, or of each additional record, in order."""
    pairs = []
    for message in messages:
        counts = struct.unpack_from("!6H", message)
        place = 12
        for number in range(counts[3] + counts[5]):
            while message[place]:
                place += 1 + message[place]
            kind, _, ttl, length = struct.unpack_from("!HHIH", message, place + 1)
            place += 11 + length
            if (number < counts[3]) == (first == 0):
                pairs.append((kind, ttl))
    return pairs


@pytest.fixture
def quiet() -> Responder:
    """One that has announced its records, long ago."""
    responder = Responder(lambda least, _most: least)
    responder.speak_for(RECORDS, 0)
    responder.say(0)
    responder.say(1)
    assert responder.due() == NEVER
    return responder


def test_new_records_are_announced_twice() -> None:
    own_responder = Responder()
    assert own_responder.speak_for(RECORDS, 10) == []
    everything = [(12, 4500), (33, 120), (16, 4500), (1, 120)]
    assert own_responder.due() == 10
    assert types_and_ttls(own_responder.say(10)) == everything
    assert own_responder.due() == 10 + responder.ANNOUNCED_AGAIN
    assert own_responder.say(10.5) == []
    assert types_and_ttls(own_responder.say(11)) == everything
    assert own_responder.due() == NEVER


def test_unchanged_records_are_not_announced_again(quiet: Responder) -> None:
    assert quiet.speak_for(RECORDS, 100) == []
    assert quiet.due() == NEVER
    other = dns.host_address(HOST, ip_address("fd00::2"), 120)
    quiet.speak_for([*RECORDS, other], 100)
    assert types_and_ttls(quiet.say(100)) == [(28, 120)]


def test_removed_records_are_withdrawn(quiet: Responder) -> None:
    quiet.hear(asking((TYPE, dns.PTR)), 100)
    assert types_and_ttls(quiet.speak_for([SERVICE], 100)) == [(12, 0), (16, 0), (1, 0)]
    assert quiet.due() == NEVER
    quiet.hear(asking((TYPE, dns.PTR)), 101)
    assert quiet.due() == NEVER


def test_an_answer_has_all_records_of_the_service(quiet: Responder) -> None:
    quiet.hear(asking((TYPE, dns.PTR)), 100)
    assert quiet.due() == 100 + responder.SHARED_DELAY[0]
    answers = quiet.say(quiet.due())
    assert types_and_ttls(answers) == [(12, 4500)]
    assert types_and_ttls(answers, first=1) == [(33, 120), (16, 4500), (1, 120)]


def test_unique_records_are_answered_at_once(quiet: Responder) -> None:
    quiet.hear(asking((INSTANCE, dns.SRV)), 100)
    assert quiet.due() == 100
    assert types_and_ttls(quiet.say(100)) == [(33, 120)]


def test_known_answers_are_omitted(quiet: Responder) -> None:
    quiet.hear(asking((TYPE, dns.PTR), (INSTANCE, dns.TXT), known_answers=(POINTER,)), 100)
    assert types_and_ttls(quiet.say(101)) == [(16, 4500)]


def test_questions_for_others_are_not_answered(quiet: Responder) -> None:
    quiet.hear(asking((dns.name_of("_http", "_tcp"), dns.PTR), (TYPE, dns.SRV)), 100)
    assert quiet.due() == NEVER
    assert quiet.reply(asking((dns.name_of("other"), dns.A)), 100) is None


def test_names_are_ours_in_any_case(quiet: Responder) -> None:
    quiet.hear(asking((tuple(label.upper() for label in INSTANCE), dns.SRV)), 100)
    assert types_and_ttls(quiet.say(100)) == [(33, 120)]


def test_an_nsec_record_denies_other_addresses(quiet: Responder) -> None:
    quiet.hear(asking((HOST, dns.AAAA)), 100)
    assert types_and_ttls(quiet.say(100)) == [(dns.NSEC, 120)]


def test_many_questions_get_one_answer_a_second(quiet: Responder) -> None:
    count = 0
    for tick in range(1000, 1500):
        quiet.hear(asking((INSTANCE, dns.ANY), (HOST, dns.A)), tick / 100)
        count += len(quiet.say(tick / 100))
    assert count == 5


def test_a_legacy_resolver_gets_a_unicast_answer(quiet: Responder) -> None:
    reply = quiet.reply(asking((TYPE, dns.PTR)), 100)
    assert reply
    assert reply.startswith(struct.pack("!3H", 7, 0x8400, 1))
    assert quiet.due() == NEVER
    assert quiet.reply(asking((TYPE, dns.PTR)), 100.001) is None, "too soon"
    assert quiet.reply(asking((TYPE, dns.PTR)), 101)


def test_many_questions_in_one_message_are_not_repeated_to_one_host(quiet: Responder) -> None:
    """An answer of DNS has the question in it, which may be short there and long here."""
    questions = [(TYPE, kind) for kind in range(1, 1500)]
    assert quiet.reply(asking(*questions), 100) is None
    assert quiet.reply(asking((TYPE, dns.PTR)), 100), "and it holds nobody up"


def test_a_flood_leaves_nothing_behind(quiet: Responder) -> None:
    for tick in range(3000):
        name = (b"%d" % tick, *TYPE)
        quiet.hear(asking(*((name, kind) for kind in (1, 12, 255))), 100)
        quiet.hear(asking(*((HOST, kind) for kind in range(tick, tick + 5))), 100)
    # It may answer with the host's address, and that there is no other.
    assert len(types_and_ttls(quiet.say(100))) == 2
    assert quiet.due() == NEVER
    quiet.hear(asking((INSTANCE, dns.SRV)), 200)
    assert types_and_ttls(quiet.say(200)) == [(33, 120)]
