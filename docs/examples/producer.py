"""Puts changes of source records on the stream of mdm-stream-functions: see docs/wire-format.md.

Needs redis-py. Usage: python producer.py redis://localhost:6379 < changes.jsonl
A line of the input: {"sourcePKey": "1", "record": {"name": "Bonn"}} or {"sourcePKey": "1", "operation": "delete"}
Python reads a decimal number as a float, of 17 digits at most: give one with more as text.
"""

import hashlib
import json
import sys

STREAM = "source-submit"  # ingest.stream of the secret
SHARDS = 16  # ingest.shards of the secret: the order by key depends on it


def compact(value):
    """JSON as JavaScript's JSON.stringify writes it: no spaces, and letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def shard_of(business_entity, source_system, source_pkey, stream=STREAM, shards=SHARDS):
    key = compact([business_entity, source_system, str(source_pkey)]).encode()  # a number travels as text
    return f"{stream}:{int.from_bytes(hashlib.sha256(key).digest()[:4], 'big') % shards}"


def entry_of(business_entity, source_system, change):
    fields = {"businessEntity": business_entity, "sourceSystem": source_system, "sourcePKey": change["sourcePKey"]}
    if change.get("operation", "submit") != "submit":
        fields["operation"] = change["operation"]
    if "record" in change:
        fields["record"] = compact(change["record"])
    return fields


def main(url):
    import redis

    server = redis.Redis.from_url(url)
    for line in sys.stdin:
        change = json.loads(line)
        stream = shard_of("c360.city", "geonames", change["sourcePKey"])
        server.xadd(stream, entry_of("c360.city", "geonames", change))


if __name__ == "__main__":
    main(sys.argv[1])
