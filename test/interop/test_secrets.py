"""The functions read their configurations from moto's Secrets Manager, through a rotation and a deletion.

Proven: a new version is used while calls run, and none of them fails; a version that is only AWSPENDING is not read
until AWSCURRENT moves to it, and a label that moves back is followed; a deleted secret ends calls by its own error, and
a restored one lets them on. test_roles.py has the refusals of IAM and KMS.

Not seen by moto: throttling (test/integration/runtime has it, on our own endpoint). It moves labels, but goes on to
give the version that was current before; `move` below moves what it gives with the label.
"""

import json
import threading
import time

import pytest
import redis
from moto.secretsmanager.models import secretsmanager_backends

from conftest import functions_with, post, redis_server, wait_until
from stacks import ACCOUNT

NAME = "interop/default"


@pytest.fixture(scope="module")
def redis_url():
    with redis_server("--requirepass", "admin") as port:
        yield f"redis://%s@127.0.0.1:{port}"


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
    with functions_with({"AWS_ENDPOINT_URL_SECRETS_MANAGER": secrets.meta.endpoint_url}) as functions:
        yield lambda: post(functions.http_url + "/stream/xlen", {"key": "orders"})


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


@pytest.fixture
def move(secrets):
    """Moves AWSCURRENT to another version; which had it."""

    def to(version: str) -> str:
        before = secrets.get_secret_value(SecretId=NAME)["VersionId"]
        change = {"RemoveFromVersionId": before, "MoveToVersionId": version}
        secrets.update_secret_version_stage(SecretId=NAME, VersionStage="AWSCURRENT", **change)
        secretsmanager_backends[ACCOUNT]["eu-central-1"].secrets[NAME].default_version_id = version
        return before

    return to


def test_a_pending_version_is_not_read_until_the_label_moves_to_it(secrets, secret, call, admin, move):
    stored = secrets.put_secret_value(SecretId=NAME, SecretString=secret("three"), VersionStages=["AWSPENDING"])
    time.sleep(1.1)  # a configuration is kept for a second
    assert (call(), users_of(admin)) == ((200, 0), {"two"})

    before = move(stored["VersionId"])
    wait_until(lambda: call() == (200, 0) and "three" in users_of(admin))

    move(before)
    admin.acl_deluser("three")
    wait_until(lambda: call() == (200, 0) and users_of(admin) == {"two"})


def test_a_deleted_secret_ends_calls_and_a_restored_one_lets_them_on(secrets, call):
    secrets.delete_secret(SecretId=NAME, RecoveryWindowInDays=7)
    time.sleep(1.1)
    status, problem = call()
    assert (status, problem["type"]) == (500, "CONNECTOR:CONFIGURATION")
    assert "two" not in json.dumps(problem) and "three" not in json.dumps(problem)

    secrets.restore_secret(SecretId=NAME)

    wait_until(lambda: call() == (200, 0))
