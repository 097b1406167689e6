"""moto, a server of AWS' APIs, takes the packaged template of five parameter sets, and gives back what it was told.

Proven: each template becomes a stack, and 1.0.0's becomes today's by an update that keeps every physical id. AWS' own
API models (botocore) accept every API, route, integration, stage, schedule, alarm and invoke configuration with the
template's properties. Each resource, read back by its service's API, holds what the template says, its tags too.

Not seen by moto: whether AWS refuses a value that its models allow, what replaces a resource, quotas, service-linked
roles, and calls through the API. stacks.py says what its CloudFormation lacks, and what it forgets.
"""

import gzip
import json

import pytest
from botocore.exceptions import ClientError
from botocore.validate import ParamValidator

from conftest import ROOT, SETS
from stacks import ACCOUNT, FIXED, LACKS, READ, TAGS, UNREAD, Deployed, is_allowed, tags_of, template_in


def differences(told, read, path="") -> list[str]:
    """What a service was told, and does not give back. Lower-case names and numbers as text are its own way."""
    if isinstance(told, dict) and isinstance(read, dict):
        by_name = {name.lower(): value for name, value in read.items()}
        return [
            difference
            for name, value in told.items()
            if name not in UNREAD
            for difference in differences(value, by_name.get(name.lower()), f"{path}/{name}")
        ]
    if isinstance(told, list) and isinstance(read, list) and len(told) == len(read):
        return [one for at, value in enumerate(told) for one in differences(value, read[at], f"{path}/{at}")]
    if isinstance(told, int | float) and not isinstance(told, bool) and read is not None:
        return [] if float(told) == float(read) else [f"{path}: told {told}, read {read}"]
    if isinstance(read, dict) and told in read.values():
        return []  # the boundary of a role, with its type
    same = str(told).lower() == str(read).lower() or (told in ({}, []) and not read)
    return [] if same else [f"{path}: told {told}, read {read}"]


@pytest.mark.parametrize("name", SETS)
def test_every_resource_is_there_as_the_template_says(deployed, name):
    stack = deployed(name)

    resources = stack.template["Resources"]
    assert [id for id, one in resources.items() if id not in stack.ids and one["Type"] not in LACKS] == []
    read = [id for id, resource in resources.items() if resource["Type"] in READ]
    found = [f"{id}{one}" for id in read for one in differences(stack.properties(id), stack.read(id))]
    assert not found, "\n".join(found)


def test_dashboard_is_the_body_of_the_template(deployed):
    stack = deployed("default")
    told = json.loads(stack.properties("Dashboard")["DashboardBody"])

    assert json.loads(stack.read("Dashboard")["DashboardBody"]) == told
    assert len(told["widgets"]) > 5


def test_saved_queries_have_the_parameters_of_their_service(deployed):
    stack = deployed("default")
    queries = [id for id, one in stack.template["Resources"].items() if one["Type"] == "AWS::Logs::QueryDefinition"]
    shape = stack.client("logs").meta.service_model.operation_model("PutQueryDefinition").input_shape
    assert len(queries) >= 5

    for id in queries:
        parameters = {name[0].lower() + name[1:]: value for name, value in stack.properties(id).items()}
        assert not ParamValidator().validate(parameters, shape).has_errors(), id


@pytest.mark.parametrize("name", SETS)
def test_every_resource_has_the_tags_of_the_template(deployed, name):
    stack = deployed(name)
    tagged = {id: stack.properties(id) for id, one in stack.template["Resources"].items() if one["Type"] in TAGS}
    assert all(map(tags_of, tagged.values()))

    assert [
        id for id, properties in tagged.items() if not tags_of(properties).items() <= stack.read_tags(id).items()
    ] == []


@pytest.mark.parametrize("name", SETS)
def test_functions_have_the_parameters_of_their_service(deployed, name):
    stack = deployed(name)
    model = stack.client("lambda").meta.service_model
    functions = [id for id, one in stack.template["Resources"].items() if one["Type"] == "AWS::Lambda::Function"]

    for id in functions:
        properties = stack.properties(id)
        recursive_loop = properties.pop("RecursiveLoop", None)
        limit = properties.pop("ReservedConcurrentExecutions", None)
        asked = {
            "CreateFunction": properties | {"Tags": tags_of(properties)},
            "PutFunctionRecursionConfig": {
                "FunctionName": stack.ids[id],
                "RecursiveLoop": recursive_loop or "Terminate",
            },
        }
        for operation, parameters in asked.items():
            report = ParamValidator().validate(parameters, model.operation_model(operation).input_shape)
            assert not report.has_errors(), f"{id}: {report.generate_report()}"
        read = stack.client("lambda").get_function_concurrency(FunctionName=stack.ids[id])
        assert read.get("ReservedConcurrentExecutions") == limit, id


def test_bucket_and_queue_have_the_policies_of_the_template(deployed):
    stack = deployed("default")
    queue, bucket = stack.ids["SchedulesDeadLetterQueue"], stack.ids["ServerlessDeploymentBucket"]
    policies = {
        one["Type"]: stack.properties(id)
        for id, one in stack.template["Resources"].items()
        if one["Type"].endswith("Policy")
    }

    told = {type: properties["PolicyDocument"] for type, properties in policies.items()}
    attributes = stack.client("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=["Policy"])["Attributes"]
    assert told == {
        "AWS::S3::BucketPolicy": json.loads(stack.client("s3").get_bucket_policy(Bucket=bucket)["Policy"]),
        "AWS::SQS::QueuePolicy": json.loads(attributes["Policy"]),
    }


@pytest.mark.parametrize("name", SETS)
def test_every_trigger_may_invoke_its_function(deployed, name):
    """By the function's policy, as Lambda has it; a schedule by its role."""
    stack = deployed(name)
    resources = stack.template["Resources"]
    integrated = [id for id, one in resources.items() if one["Type"] == "AWS::ApiGatewayV2::Integration"]
    schedules = [id for id, one in resources.items() if one["Type"] == "AWS::Scheduler::Schedule"]
    assert integrated or schedules

    for id in integrated:
        function = stack.properties(id)["IntegrationUri"].split(":")[-1]
        policy = json.loads(stack.client("lambda").get_policy(FunctionName=function)["Policy"])
        sources = [one["Condition"]["ArnLike"]["AWS:SourceArn"] for one in policy["Statement"]]
        assert [one["Principal"]["Service"] for one in policy["Statement"]] == ["apigateway.amazonaws.com"]
        assert sources[0].endswith(f":{ACCOUNT}:{stack.ids['HttpApi']}/*")
    for id in schedules:
        target = stack.properties(id)["Target"]["Arn"]
        assert is_allowed(stack.policies("SchedulesRole"), "lambda:InvokeFunction", target)
        assert not is_allowed(stack.policies("SchedulesRole"), "lambda:InvokeFunction", f"{target}-other")


# What moto's CloudFormation keeps as it was made.
KEPT = {"AWS::Logs::LogGroup"}


def test_update_from_1_0_0_keeps_every_physical_id(aws, templates):
    before = json.loads(gzip.decompress((ROOT / "test/fixtures/template-1.0.0.json.gz").read_bytes()))
    after = template_in(templates / "default")
    stack = Deployed(aws, "upgraded", "eu-west-1")
    stack.deploy(before)
    ids = dict(stack.ids)

    stack.deploy(after)

    kept = [id for id in before["Resources"] if id in after["Resources"]]
    assert len(kept) > 300
    assert {id: stack.ids[id] for id in kept} == {id: ids[id] for id in kept}
    read = [id for id, one in after["Resources"].items() if one["Type"] in READ.keys() - KEPT - FIXED]
    found = [f"{id}{one}" for id in read for one in differences(stack.properties(id), stack.read(id))]
    assert not found, "\n".join(found)


def test_bucket_of_the_zips_refuses_plain_http(deployed):
    stack = deployed("default")

    with pytest.raises(ClientError, match="Forbidden"):  # moto's endpoint has no TLS
        stack.client("s3").put_object(Bucket=stack.ids["ServerlessDeploymentBucket"], Key="x", Body=b"x")
