"""redis-py and Lettuce work on the same streams and groups as the operations, each seeing what the other did.

Proven: ids and special ids, texts of any script, bytes that are no UTF-8, empty and repeated fields, groups, pending
lists, acknowledgements and claims pass between both clients and the operations unchanged.

Not seen by them: clusters, Sentinel and TLS (our own tests have those), and what a client's API cannot hold: redis-py
returns the fields of an entry as a dict, with the last of repeated ones.
"""

import base64
import itertools
import threading

import pytest

from clients import JARS, Lettuce, RedisPy

TEXTS = ["", "plain", "zwei Wörter", "日本語", "🚀", "__proto__", "null", "-", "line\nbreak\0"]
BINARY = bytes(range(256))
LAST_ID = "18446744073709551615-18446744073709551615"


@pytest.fixture(scope="module", params=[RedisPy, Lettuce])
def client(request, stack):
    if request.param is Lettuce and not JARS.exists():
        pytest.skip("Lettuce needs Java 17 and Maven")
    port = stack.redis.connection_pool.connection_kwargs["port"]
    client = request.param(f"redis://127.0.0.1:{port}")
    yield client
    client.close()


@pytest.fixture
def key(counter=itertools.count()):
    return f"clients-{next(counter)}"


def base64_of(value: bytes) -> str:
    return base64.b64encode(value).decode()


def test_operation_reads_every_text_that_a_client_wrote(stack, client, key):
    id = client.xadd(key, "*", *(word for text in TEXTS for word in (text, text)))

    entries = stack.call("/stream/xrange", {"key": key, "start": "-", "end": "+"})

    assert entries == {id: {text: text for text in TEXTS}}


def test_client_reads_every_text_that_an_operation_wrote(stack, client, key):
    id = stack.call("/stream/xadd", {"key": key, "entry": {text: text for text in TEXTS}})

    assert client.xrange(key) == [(id, [(text.encode(), text.encode()) for text in TEXTS])]


def test_bytes_pass_in_both_directions_as_base64(stack, client, key):
    written = client.xadd(key, "*", BINARY, BINARY)
    status, problem = stack.post("/stream/xrange", {"key": key, "start": "-", "end": "+"})
    assert (status, "base64" in problem["detail"]) == (422, True)

    read = stack.call("/stream/xrange", {"key": key, "start": "-", "end": "+", "encoding": "base64"})
    assert read == {written: {base64_of(BINARY): base64_of(BINARY)}}

    entry = {base64_of(b"\xff"): base64_of(BINARY)}
    added = stack.call("/stream/xadd", {"key": key, "encoding": "base64", "entry": entry})
    assert client.xrange(key) == [(written, [(BINARY, BINARY)]), (added, [(b"\xff", BINARY)])]


def test_repeated_fields_keep_their_number_and_order(stack, client, key):
    pairs = [["tag", "red"], ["size", "1"], ["tag", "blue"]]
    written = client.xadd(key, "*", *itertools.chain(*pairs))
    added = stack.call("/stream/xadd", {"key": key, "format": "pairs", "entry": pairs})

    read = stack.call("/stream/xrange", {"key": key, "start": "-", "end": "+", "format": "pairs"})
    status, problem = stack.post("/stream/xrange", {"key": key, "start": "-", "end": "+"})

    assert read == {written: pairs, added: pairs}
    assert (status, "pairs" in problem["detail"]) == (422, True)
    fields = [(field.encode(), value.encode()) for field, value in pairs]
    held = list(dict(fields).items()) if isinstance(client, RedisPy) else fields
    assert client.xrange(key) == [(written, held), (added, held)]


def test_ids_have_the_same_digits_for_both(stack, client, key):
    ids = ["1-0", "7-*", "9007199254740993-1", LAST_ID]

    added = [
        client.xadd(key, ids[0], "a", "1"),
        stack.call("/stream/xadd", {"key": key, "id": ids[1], "entry": {"a": ""}}),
    ]
    added += [
        client.xadd(key, ids[2], "a", "1"),
        stack.call("/stream/xadd", {"key": key, "id": ids[3], "entry": {"a": ""}}),
    ]

    assert added == ["1-0", "7-0", ids[2], ids[3]]
    assert list(stack.call("/stream/xrange", {"key": key, "start": "-", "end": "+"})) == added
    assert [id for id, _ in client.xrange(key)] == added


def test_group_is_shared_and_each_acknowledges_what_the_other_read(stack, client, key):
    ids = [client.xadd(key, "*", "n", str(n)) for n in range(4)]
    client.xgroup_create(key, "g", "0")
    member = {"key": key, "group": "g"}
    watermark = {"group": "g", "consumer": "ours", "streamWatermarks": [{"key": key, "id": ">"}]}

    ours = stack.call("/stream/xreadgroup", {**watermark, "count": 2})[key]
    theirs = client.xreadgroup(key, "g", "theirs", ">")

    assert [one["id"] for one in ours] == ids[:2]
    assert [id for id, _ in theirs] == ids[2:]
    assert client.xpending(key, "g") == [(id, "ours" if id in ids[:2] else "theirs", 1) for id in ids]
    overview = stack.call("/stream/xpending", member)
    assert [(one["name"], one["pending"]) for one in overview["consumers"]] == [("ours", 2), ("theirs", 2)]

    assert client.xack(key, "g", *ids[:2]) == 2
    assert stack.call("/stream/xack", {**member, "ids": ids[2:]}) == 2
    assert client.xpending(key, "g") == []
    assert stack.call("/stream/xreadgroup", watermark) == {}


def test_claims_move_entries_between_both_and_count_deliveries(stack, client, key):
    ids = [client.xadd(key, "*", "n", str(n)) for n in range(3)]
    stack.call("/stream/xgroup-create", {"key": key, "group": "g", "lastEntryId": "0", "mkstream": False})
    client.xreadgroup(key, "g", "theirs", ">")
    claim = {"key": key, "group": "g", "consumer": "ours", "minIdleMs": 0}

    claimed = stack.call("/stream/xclaim", {**claim, "ids": [ids[0]]})
    autoclaimed = stack.call("/stream/xautoclaim", {**claim, "start": "0", "count": 10})
    assert [one["id"] for one in claimed] == ids[:1]
    assert [one["id"] for one in autoclaimed["entries"]] == ids
    assert client.xpending(key, "g") == [(ids[0], "ours", 3), (ids[1], "ours", 2), (ids[2], "ours", 2)]

    assert [id for id, _ in client.xclaim(key, "g", "theirs", ids[1])] == [ids[1]]
    assert [id for id, _ in client.xautoclaim(key, "g", "theirs")] == ids
    pending = stack.call("/stream/xpending", {"key": key, "group": "g", "start": "-", "end": "+", "count": 10})
    assert [(one["id"], one["consumer"], one["deliveries"]) for one in pending] == [
        (ids[0], "theirs", 4),
        (ids[1], "theirs", 4),
        (ids[2], "theirs", 3),
    ]


def test_deleted_entry_stays_pending_and_reads_as_null(stack, client, key):
    ids = [client.xadd(key, "*", "n", str(n)) for n in range(2)]
    client.xgroup_create(key, "g", "0")
    client.xreadgroup(key, "g", "ours", ">")
    assert stack.call("/stream/xdel", {"key": key, "ids": ids[:1]}) == 1

    history = {"group": "g", "consumer": "ours", "streamWatermarks": [{"key": key, "id": "0"}]}
    read = stack.call("/stream/xreadgroup", history)[key]

    assert read == [{"id": ids[0], "entry": None}, {"id": ids[1], "entry": {"n": "1"}}]
    assert client.xreadgroup(key, "g", "ours", "0") == [(ids[0], []), (ids[1], [(b"n", b"1")])]


def test_dollar_reads_only_what_a_client_adds_during_the_call(stack, client, key):
    client.xadd(key, "*", "n", "before")
    ended = threading.Event()

    def add_until_ended():
        while not ended.wait(0.1):
            client.xadd(key, "*", "n", "during")

    adding = threading.Thread(target=add_until_ended)
    adding.start()
    read = stack.call("/stream/xread", {"streamWatermarks": [{"key": key, "id": "$"}], "block": 10_000})
    ended.set()
    adding.join()

    assert {one["entry"]["n"] for one in read[key]} == {"during"}
