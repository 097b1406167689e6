"""Events that AWS SAM generates reach the functions, and those under events/ have SAM's form.

Proven: SAM's event of an HTTP API carries a call, its body in base64 included; every event under events/ has SAM's
members with SAM's types; a function that any other event reaches, of all services that SAM knows, refuses it by a typed
error and changes nothing; boto3 takes every payload under events/direct, with its client context, for an Invoke.

Not seen by SAM: what AWS adds over time, and an event of EventBridge Scheduler, which it does not know: that of
EventBridge's rules stands for it.
"""

import base64
import json
import warnings
from pathlib import Path

import boto3
import pytest

from conftest import CREDENTIALS, ROOT

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from samcli.lib.generated_sample_events.events import Events

SAM = Events()
HTTP = ("apigateway", "http-api-proxy")
EVENTS = ROOT / "events"
OTHERS = [(service, kind) for service, kinds in SAM.event_mapping.items() for kind in kinds if (service, kind) != HTTP]
PREFIX = "mdm-stream-local-"

REFUSALS = ("STREAM:ARGUMENT", "MDM:CLIENT_ERROR")

# Functions of each connector, with and without required parameters.
REACHED = ["stream-xadd", "stream-consumer", "mdm-source-submit", "mdm-business-entities"]


def of_sam(service: str, kind: str, **values: str) -> dict:
    tags = SAM.event_mapping[service][kind]["tags"]
    dicts = {name: tag["default"] for name, tag in tags.items() if tag.get("type") == "dict"}
    return json.loads(SAM.generate_event(service, kind, dicts | values))


def of_ours(path: Path) -> dict:
    return {name: value for name, value in json.loads(path.read_text()).items() if name != "//"}


@pytest.fixture(scope="module")
def invoke(stack):
    lambdas = boto3.client("lambda", endpoint_url=stack.lambda_url, **CREDENTIALS)

    def call(name: str, event: object, context: object = None) -> object:
        more = {} if context is None else {"ClientContext": base64.b64encode(json.dumps(context).encode()).decode()}
        response = lambdas.invoke(FunctionName=PREFIX + name, Payload=json.dumps(event), **more)
        output = response["Payload"].read().decode()
        return json.loads(output) if output[:1] in ("{", "[") else output  # serverless-offline sends texts as they are

    return call


def test_http_event_of_sam_carries_a_call(stack, invoke):
    body = json.dumps({"key": "of-sam", "entry": {"city": "Köln"}})
    event = of_sam(*HTTP, body=body, method="POST", path="stream/xadd", stage="$default")
    assert (event["isBase64Encoded"], base64.b64decode(event["body"]).decode()) == (True, body)

    response = invoke("stream-xadd", event)

    assert response["statusCode"] == 200
    assert list(stack.redis.xrange("of-sam")) == [(response["body"].encode(), {b"city": "Köln".encode()})]


@pytest.mark.parametrize("path", sorted(EVENTS.glob("**/*.json")), ids=lambda path: str(path.relative_to(EVENTS)))
def test_event_has_the_form_of_sams(path):
    event = of_ours(path)
    if "requestContext" in event:
        assert misfits(event, of_sam(*HTTP, method="POST", path=event["rawPath"][1:])) == []
    elif "detail-type" in event:
        assert misfits(event, of_sam("cloudwatch", "scheduled-event")) == []
    else:
        assert not {"headers", "version", "source", "Records"} & set(event), "an event of AWS, and not known as one"


# Where SAM's is a sample of one way to be, of several that AWS documents.
FREE = {"/headers", "/requestContext/authorizer", "/requestContext/authentication", "/detail", "/version"}
OPTIONAL = {"cookies", "queryStringParameters", "pathParameters", "stageVariables"}


def misfits(ours: object, theirs: object, path: str = "") -> list[str]:
    if path in FREE:
        return []
    if type(ours) is not type(theirs):
        return [f"{path}: {type(ours).__name__}, and {type(theirs).__name__} of SAM"]
    if not isinstance(ours, dict):
        return []
    unknown = [f"{path}/{name}: not known to SAM" for name in ours if name not in theirs and f"{path}/{name}" not in FREE]
    missing = [f"{path}/{name}: missing" for name in theirs if name not in ours and name not in OPTIONAL]
    both = [name for name in ours if name in theirs]
    return unknown + missing + [one for name in both for one in misfits(ours[name], theirs[name], f"{path}/{name}")]


@pytest.mark.parametrize("service, kind", OTHERS)
def test_event_of_another_service_is_refused_by_name(stack, invoke, service, kind):
    before = set(stack.redis.scan_iter())
    event = of_sam(service, kind)

    for name in REACHED:
        response = invoke(name, event)
        refusal = json.loads(response["body"])["type"] if "body" in response else error_type(response)
        assert refusal in REFUSALS, f"{name} responded {response}"

    assert set(stack.redis.scan_iter()) <= before  # some of the samples before expire meanwhile


def test_client_context_of_boto3_names_the_call_in_the_log(stack, invoke):
    captured = json.loads((EVENTS / "captured/direct.json").read_text())

    invoke("mdm-source-list", {}, captured["clientContext"])

    _, trace, *_ = captured["clientContext"]["custom"]["traceparent"].split("-")
    assert any("order-17" in line and trace in line for line in stack.log.read_text().splitlines())


@pytest.mark.parametrize("path", sorted(EVENTS.glob("direct/*.json")), ids=lambda path: path.stem)
def test_direct_payload_is_taken_by_boto3_and_the_function(invoke, path):
    response = invoke(path.stem, of_ours(path))

    if isinstance(response, dict) and "errorType" in response:  # the record, group or entry that it names is not there
        assert "upstream" in response["trace"][-1], response["errorMessage"]


def error_type(response: dict) -> str:
    """From the trace: serverless-offline reports `Error` as the type of every error."""
    return response["trace"][0].split(": ")[0]
