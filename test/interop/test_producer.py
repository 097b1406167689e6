"""The producer of docs/wire-format.md, in Python, feeds the consumer; boto3 invokes that as another Lambda would.

Proven: the shard of a key is the one that `mdm-source-enqueue` chooses, for keys of every script; ten versions each of
40 records, added interleaved, end with the newest, and with a delete where that came last; nothing becomes a dead letter.

Not seen by it: how the consumer gets through failures (test/integration/consumer breaks each promise).
"""

import importlib.util
import json

import boto3
import pytest

from conftest import ROOT

SHARDS = 2  # of the local stack
PLACE = ("c360.city", "geonames")
KEYS = ["1", "a b", "ä", "日本", "🚀", "'", "<&>", "\u2028", "\u00a0x", "null"]

_spec = importlib.util.spec_from_file_location("producer", ROOT / "docs/examples/producer.py")
producer = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(producer)


def shard_of(key: str) -> str:
    return producer.shard_of(*PLACE, key, shards=SHARDS)


def source(key: str) -> dict:
    return {"businessEntity": PLACE[0], "sourceSystem": PLACE[1], "sourcePKey": key}


@pytest.fixture
def consume(stack):
    keys = {"aws_access_key_id": "local", "aws_secret_access_key": "local"}
    lambdas = boto3.client("lambda", endpoint_url=stack.lambda_url, region_name="eu-central-1", **keys)

    def invoke() -> dict:
        response = lambdas.invoke(FunctionName="mdm-stream-local-stream-consumer", Payload=b"{}")
        output = json.load(response["Payload"])
        assert "FunctionError" not in response, output
        return output

    return invoke


@pytest.mark.parametrize("key", KEYS)
def test_shard_is_the_one_of_source_enqueue(stack, key):
    record = {"name": "Bonn", "country": {"Code": "DE"}}
    enqueued = stack.call("/mdm/source-enqueue", {**source(f"shard {key}"), "record": record})

    assert enqueued["stream"] == shard_of(f"shard {key}")


@pytest.mark.parametrize("key", [4711, 999456789222123000456])
def test_key_given_as_a_number_is_on_the_shard_of_its_text(key):
    assert producer.shard_of(*PLACE, key) == producer.shard_of(*PLACE, str(key))


def test_newest_change_of_each_record_wins(stack, consume):
    keys = [f"python-{at}" for at in range(40)]
    changes = [
        {"sourcePKey": key, "record": {"name": f"City {key}", "country": {"Code": "DE"}, "population": version}}
        for version in range(10)
        for key in keys
    ]
    changes += [{"sourcePKey": key, "operation": "delete"} for key in keys[:5]]
    for change in changes:
        stack.redis.xadd(shard_of(change["sourcePKey"]), producer.entry_of(*PLACE, change))

    run = {"stoppedBecause": "lease-held"}
    while run["stoppedBecause"] == "lease-held":  # by the schedule's own run
        run = consume()

    assert (run["stoppedBecause"], run["pending"], run["lag"]) == ("drained", 0, 0)
    read = [stack.post("/mdm/source-read", source(key)) for key in keys]
    assert [status for status, _ in read] == [404] * 5 + [200] * 35
    assert {output["payload"]["population"] for _, output in read[5:]} == {9}
    letters = [
        stream for shard in range(SHARDS) for stream in stack.redis.xrange(f"{{source-submit:{shard}}}:dead:mdm")
    ]
    assert not [letter for _, letter in letters if letter.get(b"sourcePKey", b"").startswith(b"python-")]
