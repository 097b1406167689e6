"""What all parts share: the local stack as `npm start` runs it, a Redis client, and the count."""

import json
import logging
import os
import re
import socket
import subprocess
import time
import urllib.request
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import boto3
import pytest
import redis
from moto.server import ThreadedMotoServer

from moto_types import add_types
from stacks import Deployed, template_in

ROOT = Path(__file__).parents[2]
QUICK = "INTEROP_QUICK" in os.environ
SETS = ["default"] if QUICK else ["default", "everything", "mdm-alone", "streams-alone", "consumer-alone"]
not_quick = pytest.mark.skipif(QUICK, reason="not with --quick")
CREDENTIALS = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": "eu-central-1"}


@dataclass(frozen=True)
class Stack:
    """The functions over HTTP, and the servers behind them."""

    url: str
    lambda_url: str
    redis: redis.Redis
    mdm_url: str
    log: Path

    def post(self, route: str, parameters: object) -> tuple[int, object]:
        """Calls an operation; the status, and the JSON of the response."""
        return post(self.url + route, parameters)

    def call(self, route: str, parameters: object) -> object:
        """Calls an operation that must succeed."""
        status, output = self.post(route, parameters)
        assert status < 300, f"POST {route} returned {status}: {output}"
        return output


def post(url: str, parameters: object) -> tuple[int, object]:
    headers = {"content-type": "application/json", "accept": "application/json"}
    request = urllib.request.Request(url, json.dumps(parameters).encode(), headers)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, _parsed(response.read())
    except urllib.error.HTTPError as refused:
        return refused.code, _parsed(refused.read())


def _parsed(body: bytes) -> object:
    return json.loads(body) if body else None


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


@pytest.fixture(scope="session")
def stack():
    """`npm start` with 200 records, on free ports."""
    http, lambda_port = free_port(), free_port()
    options = ["--records", "200", "--port", str(http), "--lambda-port", str(lambda_port)]
    started = subprocess.Popen(
        ["node", "scripts/start.ts", *options], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        printed = ""
        for line in started.stdout:
            printed += line
            if "npm run invoke" in line:
                break
        else:
            pytest.exit(f"npm start ended:\n{printed}", returncode=1)
        yield Stack(
            url=f"http://localhost:{http}",
            lambda_url=f"http://localhost:{lambda_port}",
            redis=redis.Redis(port=int(_find(r"redis-server of this machine, on port (\d+)", printed))),
            mdm_url=_find(r"Sandbox MDM +(\S+)", printed),
            log=Path(_find(r"^Log +(\S+)", printed)),
        )
    finally:
        started.terminate()
        started.communicate()


@contextmanager
def redis_server(*options: str):
    """A Redis of its own; its port."""
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", *options]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    yield port
    server.terminate()
    server.wait()


@dataclass(frozen=True)
class Functions:
    """The functions and an MDM, as functions-server.ts runs them."""

    http_url: str
    invoke_url: str
    mdm: dict

    def invoke(self, name: str, payload: object, **more) -> object:
        """Invokes a function with boto3; its output, or the error that it ended with."""
        lambdas = boto3.client("lambda", endpoint_url=self.invoke_url, **CREDENTIALS)
        return json.load(lambdas.invoke(FunctionName=name, Payload=json.dumps(payload), **more)["Payload"])


@contextmanager
def functions_with(env: dict[str, str]):
    command = ["node", "test/interop/functions-server.ts", json.dumps(env)]
    server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    printed = json.loads(server.stdout.readline())
    yield Functions(http_url=printed["http"], invoke_url=printed["invoke"], mdm=printed["mdm"])
    server.stdin.close()
    server.wait()


def make_function(aws, name: str) -> None:
    """A function of moto's that responds with its input."""
    trust = json.dumps({"Version": "2012-10-17", "Statement": []})
    role = aws("iam").create_role(RoleName=f"of-{name}", AssumeRolePolicyDocument=trust)["Role"]["Arn"]
    code = {"S3Bucket": "none", "S3Key": "none"}
    aws("lambda").create_function(FunctionName=name, Role=role, Runtime="nodejs24.x", Handler="i.h", Code=code)


def wait_until(condition) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


@pytest.fixture(scope="session")
def templates() -> Path:
    """A folder for each parameter set of parameter-sets.ts, with what the framework packages."""
    subprocess.run(["node", "test/interop/parameter-sets.ts", *SETS], cwd=ROOT, check=True)
    return ROOT / ".build/interop/templates"


@pytest.fixture(scope="session")
def aws():
    """A client of moto's APIs by service and region."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    os.environ["VALIDATE_LAMBDA_S3"] = "false"  # functions are made without their zips
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    add_types(f"http://{host}:{port}", CREDENTIALS)
    config = json.dumps({"lambda": {"use_docker": False}}).encode()  # functions respond with their input
    urllib.request.urlopen(f"http://{host}:{port}/moto-api/config", config)

    @cache
    def client(service: str, region: str = "eu-central-1"):
        return boto3.client(service, endpoint_url=f"http://{host}:{port}", **CREDENTIALS | {"region_name": region})

    yield client
    server.stop()


@pytest.fixture(scope="session")
def deployed(aws, templates):
    """The stack of a parameter set, made once."""

    @cache
    def of(name: str) -> Deployed:
        stack = Deployed(aws, f"stack-{name}", (templates / name / "region").read_text())
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # moto warns of a type that it ignores
            stack.deploy(template_in(templates / name))
        return stack

    return of


def _find(pattern: str, text: str) -> str:
    return re.search(pattern, text, re.MULTILINE)[1]


def pytest_sessionfinish(session):
    """An interruption hides no failure before it."""
    if session.testsfailed:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config):
    """Notes the count for the line that closes the run."""
    stats = config.pluginmanager.get_plugin("terminalreporter").stats
    count = {outcome: len(stats.get(outcome, [])) for outcome in ("passed", "failed", "error")}
    note = {"passed": count["passed"], "failed": count["failed"] + count["error"]}
    Path(os.environ["INTEROP_COUNT"]).write_text(json.dumps(note))
