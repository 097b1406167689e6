"""What all parts share: the local stack as `npm start` runs it, a Redis client, and the closing line with the count."""

import json
import logging
import os
import re
import socket
import subprocess
import urllib.request
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import boto3
import pytest
import redis
from moto.server import ThreadedMotoServer

ROOT = Path(__file__).parents[2]


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


@pytest.fixture(scope="session")
def templates() -> Path:
    """A folder for each parameter set of parameter-sets.ts, with what the framework packages."""
    subprocess.run(["node", "test/interop/parameter-sets.ts"], cwd=ROOT, check=True)
    return ROOT / ".build/interop/templates"


@pytest.fixture(scope="session")
def aws():
    """A client of moto's APIs by service and region."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    os.environ["VALIDATE_LAMBDA_S3"] = "false"  # functions are made without their zips
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()

    @cache
    def client(service: str, region: str = "eu-central-1"):
        keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
        return boto3.client(service, region_name=region, endpoint_url=f"http://{host}:{port}", **keys)

    yield client
    server.stop()


def _find(pattern: str, text: str) -> str:
    return re.search(pattern, text, re.MULTILINE)[1]


def pytest_unconfigure(config):
    """Closes the run as `npm test` does."""
    stats = config.pluginmanager.get_plugin("terminalreporter").stats
    count = {outcome: len(stats.get(outcome, [])) for outcome in ("passed", "failed", "error")}
    print(f"{count['passed']} passed, {count['failed'] + count['error']} failed")
