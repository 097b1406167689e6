"""Two Redis clients of others behind the same words: entries are (id, [(field, value), …]), everything in bytes."""

import base64
import subprocess

import redis

from conftest import ROOT

JARS = ROOT / ".build/interop/lettuce"


class RedisPy:
    """redis-py. Its reads return a dict, which keeps the last of repeated fields; its commands take any words."""

    def __init__(self, url: str):
        self._redis = redis.Redis.from_url(url)

    def xadd(self, key, id, *fields):
        return self._redis.execute_command("XADD", key, id, *fields).decode()

    def xrange(self, key):
        return _pairs(self._redis.xrange(key))

    def xgroup_create(self, key, group, id):
        self._redis.xgroup_create(key, group, id)

    def xreadgroup(self, key, group, consumer, id):
        return [entry for _, entries in self._redis.xreadgroup(group, consumer, {key: id}) for entry in _pairs(entries)]

    def xack(self, key, group, *ids):
        return self._redis.xack(key, group, *ids)

    def xpending(self, key, group):
        pending = self._redis.xpending_range(key, group, "-", "+", 100)
        return [(one["message_id"].decode(), one["consumer"].decode(), one["times_delivered"]) for one in pending]

    def xclaim(self, key, group, consumer, *ids):
        return _pairs(self._redis.xclaim(key, group, consumer, 0, ids))

    def xautoclaim(self, key, group, consumer):
        return _pairs(self._redis.xautoclaim(key, group, consumer, 0, "0")[1])

    def close(self):
        self._redis.close()


def _pairs(entries):
    return [(id.decode(), list((fields or {}).items())) for id, fields in entries]


class Lettuce:
    """Lettuce, the client of Mule's own connector, in a Java process of its own."""

    def __init__(self, url: str):
        command = ["java", "-cp", f"{JARS}/*", "test/interop/lettuce/LettuceClient.java", url]
        log = open(ROOT / ".build/interop/lettuce.log", "wb")
        self._java = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)

    def _run(self, *words):
        """Sends a command; the lines of its result."""
        sent = (word if isinstance(word, bytes) else str(word).encode() for word in words)
        self._java.stdin.write(b" ".join(map(base64.b64encode, sent)) + b"\n")
        self._java.stdin.flush()
        lines = []
        while (line := self._java.stdout.readline()) != b"\n":
            assert line, f"Lettuce failed: see {ROOT}/.build/interop/lettuce.log"
            lines.append([base64.b64decode(word) for word in line[:-1].split(b" ")])
        return lines

    def _entries(self, *words):
        return [(id.decode(), list(zip(fields[::2], fields[1::2]))) for id, *fields in self._run(*words)]

    def xadd(self, key, id, *fields):
        return self._run("xadd", key, id, *fields)[0][0].decode()

    def xrange(self, key):
        return self._entries("xrange", key)

    def xgroup_create(self, key, group, id):
        self._run("xgroup_create", key, group, id)

    def xreadgroup(self, key, group, consumer, id):
        return self._entries("xreadgroup", key, group, consumer, id)

    def xack(self, key, group, *ids):
        return int(self._run("xack", key, group, *ids)[0][0])

    def xpending(self, key, group):
        return [(id.decode(), who.decode(), int(times)) for id, who, times in self._run("xpending", key, group)]

    def xclaim(self, key, group, consumer, *ids):
        return self._entries("xclaim", key, group, consumer, *ids)

    def xautoclaim(self, key, group, consumer):
        return self._entries("xautoclaim", key, group, consumer)

    def close(self):
        self._java.stdin.close()
        self._java.wait()
