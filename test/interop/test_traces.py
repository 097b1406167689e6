"""rotel, a collector of OpenTelemetry, takes the spans of a call and of an entry.

Proven: what the functions, their layer's SDK and its exporter send is OTLP to a collector of others; a call continues
the trace of its caller, with its Redis commands below it; an attempt of an entry links the call that enqueued it; spans
hold no key and no value.

Not seen by it: a published layer of AWS or OpenTelemetry, sampling, and what a backend makes of the spans.
"""

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import rotel

from conftest import free_port, functions_with, redis_server, wait_until

CALLER = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = f"00-{CALLER}-00f067aa0ba902b7-01"
OURS = "mdm-stream-functions"


@dataclass
class Span:
    scope: str
    trace: str = ""
    id: str = ""
    parent: str = ""
    name: str = ""
    kind: str = ""
    status: str = ""
    text: str = field(default="", repr=False)


MEMBERS = {
    "Trace ID": "trace",
    "Parent ID": "parent",
    "ID": "id",
    "Name": "name",
    "Kind": "kind",
    "Status code": "status",
}


def spans_in(log: str) -> list[Span]:
    """The spans that the collector printed."""
    spans, scope = [], ""
    for line in log.splitlines():
        name, _, value = (part.strip() for part in line.partition(":"))
        if line.startswith("InstrumentationScope"):
            scope = line.split()[1]
        elif line.startswith("Span #"):
            spans.append(Span(scope))
        elif spans:
            spans[-1].text += line + "\n"
            if name in MEMBERS and line.startswith("    "):
                setattr(spans[-1], MEMBERS[name], value)
    return spans


@pytest.fixture(scope="module")
def collector(tmp_path_factory):
    """Its address, and the file of what it printed."""
    folder = tmp_path_factory.mktemp("rotel")
    http, grpc = free_port(), free_port()
    agent = Path(rotel.__file__).with_name("rotel-agent")
    options = ["--exporter", "blackhole", "--debug-log", "traces", "--debug-log-verbosity", "detailed"]
    addresses = ["--otlp-http-endpoint", f"127.0.0.1:{http}", "--otlp-grpc-endpoint", f"127.0.0.1:{grpc}"]
    files = ["--pid-file", folder / "pid", "--log-file", folder / "log"]
    log = folder / "printed"
    with log.open("wb") as printed:
        running = subprocess.Popen([agent, "start", *options, *addresses, *files], stdout=printed, stderr=printed)
    wait_until(lambda: "Starting Rotel" in log.read_text())
    yield f"http://127.0.0.1:{http}", log
    running.terminate()
    running.wait()


@pytest.fixture(scope="module")
def functions(collector, aws):
    secrets = aws("secretsmanager")
    url, _ = collector
    env = {"AWS_ENDPOINT_URL_SECRETS_MANAGER": secrets.meta.endpoint_url, "OTEL_EXPORTER_OTLP_ENDPOINT": url}
    with redis_server() as port, functions_with(env | {"CONNECTOR_SECRET_PREFIX": "traces/"}) as functions:
        ingest = {"stream": "spans-of-entries", "shards": 1, "group": "mdm"}
        secret = {"redis": {"url": f"redis://127.0.0.1:{port}"}, "mdm": functions.mdm, "ingest": ingest}
        secrets.create_secret(Name="traces/default", SecretString=json.dumps(secret))
        yield functions


@pytest.fixture(scope="module")
def spans(collector, functions):
    """What the collector has of an enqueue and of the run that carries its entry."""
    _, log = collector
    place = {"businessEntity": "c360.city", "sourceSystem": "geonames", "sourcePKey": "key-of-the-record"}
    record = {"name": "value-of-the-record", "country": {"Code": "DE"}}
    event = {
        "version": "2.0",
        "rawPath": "/mdm/source-enqueue",
        "routeKey": "POST /mdm/source-enqueue",
        "headers": {"content-type": "application/json", "traceparent": TRACEPARENT},
        "requestContext": {"http": {"method": "POST", "path": "/mdm/source-enqueue"}, "stage": "$default"},
        "body": json.dumps({**place, "record": record}),
        "isBase64Encoded": False,
    }
    assert functions.invoke("mdm-source-enqueue", event)["statusCode"] == 200
    assert functions.invoke("stream-consumer", {})["processed"] == 1
    wait_until(lambda: {"process", "stream-consumer"} <= {span.name for span in spans_in(log.read_text())})
    return spans_in(log.read_text())


def only(spans: list[Span], name: str) -> Span:
    found = [span for span in spans if span.name == name and span.scope == OURS]
    assert len(found) == 1, f"{len(found)} spans named {name}"
    return found[0]


def test_call_continues_its_callers_trace_with_its_commands_below(spans):
    call = only(spans, "POST /mdm/source-enqueue")

    assert (call.trace, call.kind) == (CALLER, "SPAN_KIND_SERVER")
    assert "http.response.status_code: Int(200)" in call.text
    below = [span for span in spans if span.parent == call.id]
    assert below and {(span.trace, span.kind) for span in below} == {(CALLER, "SPAN_KIND_CLIENT")}


def test_attempt_of_an_entry_links_the_call_that_enqueued_it(spans):
    call, run, attempt = (only(spans, name) for name in ("POST /mdm/source-enqueue", "stream-consumer", "process"))

    assert (attempt.parent, attempt.trace, attempt.kind) == (run.id, run.trace, "SPAN_KIND_CONSUMER")
    assert run.trace != CALLER
    assert re.search(rf"{CALLER}[\s\S]*{call.id}", attempt.text), attempt.text
    assert any(span.name == "POST" and span.parent == attempt.id for span in spans)


def test_layers_own_span_is_around_each_invocation(spans):
    layers = {span.id: span.name for span in spans if span.scope != OURS}

    assert [layers[only(spans, name).parent] for name in ("POST /mdm/source-enqueue", "stream-consumer")] == [
        "mdm-source-enqueue",
        "stream-consumer",
    ]


def test_no_span_holds_a_key_or_a_value(spans):
    assert not re.search("(key|value)-of-the-record|spans-of-entries|geonames", "".join(span.text for span in spans))
