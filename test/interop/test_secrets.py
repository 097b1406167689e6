"""The functions read their configurations from moto's Secrets Manager, through a rotation and a deletion.

Proven: a new version is used while calls run, and none of them fails; a version that is only AWSPENDING is not read; a
deleted secret ends calls by its own error, and a restored one lets them on.

Not seen by moto: refusals of KMS and of IAM, throttling (test/integration/runtime has them, on our own endpoint), and a
moved label: after UpdateSecretVersionStage it goes on to give the version that was current before.
"""

import json
import subprocess
import threading
import time

import pytest
import redis

from conftest import ROOT, free_port, post

NAME = "interop/default"


@pytest.fixture(scope="module")
def redis_url():
    port = free_port()
    options = ["--bind", "127.0.0.1", "--save", "", "--requirepass", "admin"]
    server = subprocess.Popen(["redis-server", "--port", str(port), *options], stdout=subprocess.DEVNULL)
    yield f"redis://%s@127.0.0.1:{port}"
    server.terminate()
    server.wait()


@pytest.fixture(scope="module")
def admin(redis_url):
    client = redis.Redis.from_url(redis_url % ":admin", retry=redis.retry.Retry(redis.backoff.ConstantBackoff(0.1), 50))
    client.ping()
    return client


@pytest.fixture(scope="module")
def secrets(aws):
    return aws("secretsmanager")


@pytest.fixture(scope="module")
def secret(secrets, redis_url, admin):
    """A configuration with the Redis user `one`."""
    for user in ("one", "two", "three"):
        admin.acl_setuser(user, enabled=True, passwords=[f"+{user}"], commands=["+@all"], keys=["*"])

    def of(user: str) -> str:
        return json.dumps({"redis": {"url": redis_url % f"{user}:{user}"}})

    secrets.create_secret(Name=NAME, SecretString=of("one"))
    return of


@pytest.fixture(scope="module")
def call(secrets, secret):
    """Calls stream-xlen, which logs in to Redis with what the secret holds."""
    command = ["node", "test/interop/functions-server.ts", secrets.meta.endpoint_url]
    server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    url = server.stdout.readline().strip()
    yield lambda: post(url + "/stream/xlen", {"key": "orders"})
    server.stdin.close()
    server.wait()


def users_of(admin) -> set[str]:
    return {client["user"] for client in admin.client_list() if client["user"] != "default"}


def test_a_new_version_is_used_while_calls_run(secrets, secret, call, admin):
    responses, ended = [], threading.Event()

    def call_until_ended():
        while not ended.is_set():
            responses.append(call())

    assert (call(), users_of(admin)) == ((200, 0), {"one"})
    callers = [threading.Thread(target=call_until_ended) for _ in range(4)]
    for caller in callers:
        caller.start()
    secrets.put_secret_value(SecretId=NAME, SecretString=secret("two"))
    wait_until(lambda: "two" in users_of(admin))
    admin.acl_deluser("one")
    count = len(responses)
    wait_until(lambda: len(responses) > count + 20)
    ended.set()
    for caller in callers:
        caller.join()

    assert {status for status, _ in responses} == {200}
    assert users_of(admin) == {"two"}


def test_a_pending_version_is_not_read_until_it_is_current(secrets, secret, call, admin):
    secrets.put_secret_value(SecretId=NAME, SecretString=secret("three"), VersionStages=["AWSPENDING"])
    time.sleep(1.1)  # a configuration is kept for a second
    assert (call(), users_of(admin)) == ((200, 0), {"two"})

    secrets.put_secret_value(SecretId=NAME, SecretString=secret("three"))
    admin.acl_deluser("two")

    wait_until(lambda: call() == (200, 0) and users_of(admin) == {"three"})


def test_a_deleted_secret_ends_calls_and_a_restored_one_lets_them_on(secrets, call):
    secrets.delete_secret(SecretId=NAME, RecoveryWindowInDays=7)
    time.sleep(1.1)
    status, problem = call()
    assert (status, problem["type"]) == (500, "CONNECTOR:CONFIGURATION")
    assert "one" not in json.dumps(problem) and "three" not in json.dumps(problem)

    secrets.restore_secret(SecretId=NAME)

    wait_until(lambda: call() == (200, 0))


def wait_until(condition) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)
