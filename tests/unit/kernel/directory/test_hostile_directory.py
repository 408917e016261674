"""Servers that answer as no good one does: their answers count for nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hostile_directory import (
    DONE,
    REFERENCE,
    REFERRAL,
    Answer,
    Conversation,
    element,
    entry,
    hostile_directory,
    message,
    result,
    text,
)
from slapd import BASE, READER, READERS_PASSWORD
from tls_material import material

from sanstone.kernel.directory import question as questions
from sanstone.kernel.directory.ldap import Client
from sanstone.kernel.directory.question import SUBTREE, Directory, Place, Question

JOE = {"uid": "joe", "gidNumber": "100"}
DN = f"uid=joe,{BASE}"
BASE_PLACE = Place(BASE, SUBTREE)
DIRECTORY = Directory(
    servers=("127.0.0.1",),
    port=0,
    ldaps=True,
    authorities=(),
    base=BASE_PLACE,
    users=BASE_PLACE,
    groups=BASE_PLACE,
    bind_dn=READER,
    bind_password=READERS_PASSWORD,
    # Out of reach, however slow this machine is.
    timeout=300,
)


def login_answer(port: int, **more: Any) -> questions.Answer:
    """Return the answer to whether joe has a password and is an operator."""
    question = Question(DIRECTORY, "joe", "a password", ("operators",))
    directory = replace(DIRECTORY, port=port, authorities=(material().authority.text,), **more)
    return Client().ask(replace(question, directory=directory))


def search_result(*operations: bytes) -> Answer:
    """Return the conversation of a search that finds this."""

    def answer(it: Conversation) -> None:
        it.let_bind()
        it.say(*operations, result(DONE))

    return answer


def accept_password(it: Conversation) -> None:
    """Take every password, and find nothing by it."""
    it.let_bind()
    it.say(result(DONE))


def test_a_well_formed_answer_is_accepted() -> None:
    """It shows that the other tests are refused for their own fault."""
    group = entry(f"cn=operators,{BASE}", cn="operators")
    with hostile_directory(
        search_result(entry(DN, **JOE)), accept_password, search_result(group)
    ) as server:
        answer = login_answer(server.port)
    assert answer == questions.Answer(known=True, proved=True, groups=("operators",))


def endless(it: Conversation) -> None:
    it.let_bind()
    while True:
        it.say(*[entry(DN, **JOE)] * 1000)


def hundred_thousand(it: Conversation) -> None:
    it.let_bind()
    it.say(*[entry(DN, **JOE)] * 100_000, result(DONE))


def endless_value(it: Conversation) -> None:
    it.let_bind()
    it.say(entry(DN, uid=b"joe", cn=b"\xff" * 1_000_000), result(DONE))


def endless_complaint(it: Conversation) -> None:
    it.let_bind()
    it.say(result(DONE, 1, "a" * 2_000_000))


def endless_message(it: Conversation) -> None:
    it.let_bind()
    it.connection.sendall(bytes((0x30, 0x84)) + (2**31 - 1).to_bytes(4))
    while True:
        it.connection.sendall(b"\0" * 65_536)


@pytest.mark.parametrize("answer", [endless_complaint, endless_message])
def test_an_answer_that_fills_the_memory_is_an_error(answer: Answer) -> None:
    with hostile_directory(answer) as server:
        result = login_answer(server.port)
    assert result.error.startswith("127.0.0.1: ")
    assert len(result.error) < 1000
    assert not result.known
    assert server.ended == [0], "nobody listens to it any more"


@pytest.mark.parametrize("answer", [endless, hundred_thousand, endless_value])
def test_an_oversized_answer_is_an_error(answer: Answer) -> None:
    with hostile_directory(answer) as server:
        assert login_answer(server.port).error == "127.0.0.1: its answer is too long"


def test_a_silent_server_is_an_error() -> None:
    def silent(it: Conversation) -> None:
        it.let_bind()
        it.hear()

    with hostile_directory(silent) as server:
        assert "did not answer in time" in login_answer(server.port, timeout=1).error


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\0" * 100,
        bytes((0x30, 0x80)) * 1000,
        bytes((0x30, 0x84)) + b"\xff" * 4,
        message(1, element(0x64, b"\xff" * 20)),
        message(2, entry(DN, **JOE))[:-3],
    ],
)
def test_a_malformed_answer_is_an_error(reply: bytes) -> None:
    def answer(it: Conversation) -> None:
        it.hear()
        it.connection.sendall(reply)

    with hostile_directory(answer) as server:
        result = login_answer(server.port, timeout=1)
    assert result.error.startswith("127.0.0.1: ")
    assert not result.known


def test_nobody_is_followed_to_another_server() -> None:
    """Nor back to the one that refers, which would do so again."""
    urls: list[str] = []

    def refers(it: Conversation) -> None:
        it.let_bind()
        it.say(element(REFERENCE, text(urls[0])), result(DONE))

    def refuses(it: Conversation) -> None:
        it.let_bind()
        it.say(result(DONE, REFERRAL, "", urls[0]))

    for answer, error in ((refers, ""), (refuses, "it does not have the base_dn")):
        with hostile_directory(answer) as server:
            urls = [f"ldaps://127.0.0.1:{server.port}/{BASE}"]
            login = login_answer(server.port)
        assert error in login.error
        assert not login.known
        assert server.began == (1 if error else 2), "the second is a bind that tells nothing"


@pytest.mark.parametrize(
    "entries",
    [
        # A bind by it would be an anonymous one, which every password is good for.
        (entry("", **JOE),),
        (entry(DN, **JOE), entry(f"uid=joe,ou=other,{BASE}", **JOE)),
        (entry(DN, uid="JOE"),),
        (entry(DN),),
        # Bytes that look like another entry are a value still.
        (entry(DN, cn=f"x\n\ndn: {DN}\nuid: joe"),),
        (entry(DN, userPassword=f"dn: uid=admin,{BASE}"),),
    ],
)
def test_entries_of_other_names_are_ignored(entries: tuple[bytes, ...]) -> None:
    with hostile_directory(search_result(*entries), accept_password) as server:
        assert login_answer(server.port) == questions.Answer()


def test_unrequested_attributes_change_nothing() -> None:
    """Neither a password nor a name that is somebody else's, however they are written."""
    more = {"userPassword": f"dn: uid=admin,{BASE}", "dn": f"uid=admin,{BASE}", "cn": "x\nuid: y"}
    tried: list[bytes] = []

    def binds(it: Conversation) -> None:
        tried.append(it.connection.recv(65_536))
        it.number += 1
        it.say(result(0x61))
        it.hear()
        it.say(result(DONE))

    with hostile_directory(
        search_result(entry(DN, **JOE | more)), binds, search_result()
    ) as server:
        assert login_answer(server.port).proved
    assert DN.encode() in tried[0]
    assert b"admin" not in tried[0]
