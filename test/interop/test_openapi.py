"""schemathesis calls every operation of the local stack with what docs/openapi.json allows, and with what it forbids.

Proven, for each operation, with the examples of the document, its boundary values and generated inputs:
- no status, content type, header or body that the document does not describe, and no 500 for any input
- invalid inputs are refused; valid ones are refused only for the reasons below, which no schema can state
- Redis, the sandbox and the functions survive all of it

Not seen by schemathesis: whether an output is right (only its shape), what a call did to Redis or the MDM, sign-in and
routing (API Gateway's own), and sequences of calls (the document has no links).
"""

import json
import os
import re
import zlib

import pytest
import schemathesis
from schemathesis.config import GenerationConfig, ProjectConfig, ProjectsConfig, SchemathesisConfig
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance, unsupported_method

from conftest import ROOT

SEED = int(os.environ.get("INTEROP_SEED", "1"))
EXAMPLES = int(os.environ.get("INTEROP_EXAMPLES", "200"))

EXCLUDED = [
    ignored_auth,  # API Gateway asks for the signature; the local stack has no sign-in
    unsupported_method,  # routes are API Gateway's; the local one answers 404 for another method, as AWS does
    positive_data_acceptance,  # replaced by refuses_only_for_a_reason, which also reads the reason
]

# Why an input that fits its schema may be refused with 400 or 422.
REASONS = [
    r"names no connector configuration",
    r"needs mdm\.\w+ in the secret",  # a setting of the configuration
    r"must be base64",  # with encoding=base64, names and values of fields
    r"/entr\S+ must be an (array|object)",  # of another format than `format` says
    r"is not a field of the entity",  # with validate=true
    r"was used for other records",  # an idempotency key
    r"is there already",  # a stream that is named twice
    r"halves have at most 64 bits",  # an id beyond 2^64
    r"deadLetterStream must be another stream than stream",
    r"This server lacks the command or option: it needs Redis \S+ or newer",
    r"^The master data API answered 4\d\d:",  # no such entity, field, level, …
    r"/path must (have|begin)",  # forms of a path that could reach another resource
]

# Values that reach data. Half of the generated values are replaced by one of these.
KNOWN = {
    "configRef": ["default"],
    "key": ["orders", "orders", "text"],
    "group": ["billing"],
    "businessEntity": ["c360.city"],
    "sourceSystem": ["geonames"],
    "sourcePKey": ["2946447", "2950159"],
    "businessId": ["MDM00000000001"],
}

config = SchemathesisConfig(
    seed=SEED,
    projects=ProjectsConfig(
        default=ProjectConfig(generation=GenerationConfig(max_examples=EXAMPLES, deterministic=True, no_shrink=True))
    ),
)
schema = schemathesis.openapi.from_path(ROOT / "docs/openapi.json", config=config)


@pytest.fixture(scope="module")
def api(stack):
    """The local stack, with a stream that has a group, and a key that is no stream."""
    stack.redis.set("text", "no stream")
    stack.redis.xadd("orders", {"order": "1001"})
    stack.redis.xgroup_create("orders", "billing", "0")
    return stack


@schema.parametrize()
def test_operation_keeps_its_document(api, case):
    if is_positive(case):
        reach_data(case.body)
    elif case.body in (None, ""):
        return  # serverless-offline passes the bodies `null` and `""` on as no body; AWS, and a unit test, as they are
    response = case.call(base_url=api.url)
    case.validate_response(response, excluded_checks=EXCLUDED, additional_checks=[refuses_only_for_a_reason])


def test_servers_survive(api):
    assert api.redis.ping()
    assert api.post("/mdm/business-entities", {})[0] == 200
    assert "CONNECTOR:INTERNAL" not in api.log.read_text()


def is_positive(case) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


def reach_data(body: object) -> None:
    """Replaces half of the generated values by known ones, and waits no longer than a millisecond."""
    if not isinstance(body, dict):
        return
    for name, known in KNOWN.items():
        chance = zlib.crc32(repr(body.get(name)).encode())
        if name in body and chance % 2 == 0:
            body[name] = known[chance // 2 % len(known)]
    if "block" in body:
        body["block"] = 1


def refuses_only_for_a_reason(ctx, response, case) -> None:
    if not is_positive(case) or response.status_code not in (400, 422):
        return
    detail = json.loads(response.content)["detail"]
    assert any(re.search(reason, detail) for reason in REASONS), f"valid input was refused: {detail}"
