"""moto, a server of AWS' APIs, takes the packaged template of five parameter sets, and gives back what it was told.

Proven: each template becomes a stack, and 1.0.0's becomes today's by an update that keeps every physical id. AWS' own
API models (botocore) accept every API, route, integration, stage, schedule, alarm and invoke configuration with the
template's properties. Each resource, read back by its service's API, holds what the template says. moto's evaluator of
policies lets each role do what its contract says, and nothing else that is asked.

Not seen by moto: whether AWS refuses a value that its models allow, what replaces a resource, quotas, service-linked
roles, and calls through the API. Its CloudFormation lacks the types of CREATE below, which go to their services. Its
server asks policies only about the resource `*`, so they are evaluated here, with the resources' ARNs.
"""

import ast
import gzip
import json
import re
import warnings
from functools import cache

import pytest
from botocore.exceptions import ClientError
from moto.iam.access_control import IAMPolicy, PermissionResult

from conftest import ROOT

SETS = ["default", "everything", "mdm-alone", "streams-alone", "consumer-alone"]
ACCOUNT = "123456789012"

# What moto's CloudFormation lacks: service, call, and what a Ref to it is. In this order.
CREATE = {
    "AWS::ApiGatewayV2::Api": ("apigatewayv2", "create_api", "ApiId"),
    "AWS::ApiGatewayV2::Authorizer": ("apigatewayv2", "create_authorizer", "AuthorizerId"),
    "AWS::ApiGatewayV2::Integration": ("apigatewayv2", "create_integration", "IntegrationId"),
    "AWS::ApiGatewayV2::Route": ("apigatewayv2", "create_route", "RouteId"),
    "AWS::ApiGatewayV2::Stage": ("apigatewayv2", "create_stage", "StageName"),
    "AWS::Scheduler::ScheduleGroup": ("scheduler", "create_schedule_group", "Name"),
    "AWS::Scheduler::Schedule": ("scheduler", "create_schedule", "Name"),
    "AWS::CloudWatch::Alarm": ("cloudwatch", "put_metric_alarm", "AlarmName"),
    "AWS::Lambda::EventInvokeConfig": ("lambda", "put_function_event_invoke_config", None),
    "AWS::S3::BucketPolicy": ("s3", "put_bucket_policy", None),
    "AWS::SQS::QueuePolicy": ("sqs", "set_queue_attributes", None),
}

# Those that permissions and roles of the stack name.
FIRST = {"AWS::ApiGatewayV2::Api", "AWS::Scheduler::ScheduleGroup"}

# Where CloudFormation makes up a name, and its service wants one.
NAMES = {"AWS::Scheduler::Schedule": "Name", "AWS::CloudWatch::Alarm": "AlarmName"}

# How each type is read back: service, call, its arguments from properties and physical id, and the part that answers.
READ = {
    "AWS::ApiGatewayV2::Api": ("apigatewayv2", "get_api", lambda p, id: {"ApiId": id}, None),
    "AWS::ApiGatewayV2::Authorizer": (
        "apigatewayv2",
        "get_authorizer",
        lambda p, id: {"ApiId": p["ApiId"], "AuthorizerId": id},
        None,
    ),
    "AWS::ApiGatewayV2::Integration": (
        "apigatewayv2",
        "get_integration",
        lambda p, id: {"ApiId": p["ApiId"], "IntegrationId": id},
        None,
    ),
    "AWS::ApiGatewayV2::Route": ("apigatewayv2", "get_route", lambda p, id: {"ApiId": p["ApiId"], "RouteId": id}, None),
    "AWS::ApiGatewayV2::Stage": (
        "apigatewayv2",
        "get_stage",
        lambda p, id: {"ApiId": p["ApiId"], "StageName": id},
        None,
    ),
    "AWS::CloudWatch::Alarm": ("cloudwatch", "describe_alarms", lambda p, id: {"AlarmNames": [id]}, "MetricAlarms"),
    "AWS::CloudWatch::Dashboard": ("cloudwatch", "get_dashboard", lambda p, id: {"DashboardName": id}, None),
    "AWS::IAM::Role": ("iam", "get_role", lambda p, id: {"RoleName": id}, "Role"),
    "AWS::Lambda::EventInvokeConfig": (
        "lambda",
        "get_function_event_invoke_config",
        lambda p, id: {"FunctionName": p["FunctionName"]},
        None,
    ),
    "AWS::Lambda::Function": ("lambda", "get_function_configuration", lambda p, id: {"FunctionName": id}, None),
    "AWS::Logs::LogGroup": ("logs", "describe_log_groups", lambda p, id: {"logGroupNamePrefix": id}, "logGroups"),
    "AWS::SQS::Queue": (
        "sqs",
        "get_queue_attributes",
        lambda p, id: {"QueueUrl": id, "AttributeNames": ["All"]},
        "Attributes",
    ),
    "AWS::Scheduler::Schedule": (
        "scheduler",
        "get_schedule",
        lambda p, id: {"Name": id, "GroupName": p["GroupName"]},
        None,
    ),
    "AWS::Scheduler::ScheduleGroup": ("scheduler", "get_schedule_group", lambda p, id: {"Name": id}, None),
}

# What a service does not read back under its name in the template, or moto does not keep.
UNREAD = {
    *("ApiId", "FunctionName", "Qualifier"),  # what it was asked by
    *("Architectures", "KmsKeyId", "RecursiveLoop", "ReservedConcurrentExecutions"),  # moto's CloudFormation drops them
    *("Code", "Tags", "TracingConfig"),  # and these too
    *("Policies", "DashboardBody"),  # compared by tests of their own
}


def template_in(folder) -> dict:
    return json.loads((folder / "cloudformation-template-update-stack.json").read_text())


class Deployed:
    """A template in moto, with the physical id of each resource."""

    def __init__(self, aws, name: str, region: str):
        self.client = lambda service: aws(service, region)
        self._name = name
        self._pseudo = {
            "AWS::Partition": "aws-us-gov" if region.startswith("us-gov-") else "aws",
            "AWS::Region": region,
            "AWS::AccountId": ACCOUNT,
            "AWS::URLSuffix": "amazonaws.com",
        }
        self.ids: dict[str, str] = {}
        self.template: dict = {}

    def deploy(self, template: dict) -> None:
        """What the framework does: a stack with the bucket alone, then the whole template."""
        self.template = template
        resources = template["Resources"]
        if not self.ids:
            bucket = {"Resources": {"ServerlessDeploymentBucket": resources["ServerlessDeploymentBucket"]}}
            self.client("cloudformation").create_stack(StackName=self._name, TemplateBody=json.dumps(bucket))
            self._read_ids()
        for id, resource in resources.items():
            if resource["Type"] in FIRST and id not in self.ids:
                self._create(id)
        self.client("cloudformation").update_stack(
            StackName=self._name, TemplateBody=self._known(template), Capabilities=["CAPABILITY_IAM"]
        )
        self._read_ids()
        for type in CREATE:
            for id, resource in resources.items():
                if resource["Type"] == type and id not in self.ids:
                    self._create(id)

    def _known(self, template: dict) -> str:
        """What moto's CloudFormation takes, with the ids of the rest filled in."""
        kept = {id: one for id, one in template["Resources"].items() if one["Type"] not in CREATE}
        known = {id: self._filled(one) for id, one in kept.items()}
        known["ServerlessDeploymentBucket"]["Properties"]["BucketName"] = self.ids["ServerlessDeploymentBucket"]
        text = json.dumps({"Resources": known})  # moto changes a bucket by its name alone
        return text.replace("${AWS::Partition}", self._pseudo["AWS::Partition"])  # which moto takes for aws everywhere

    def _filled(self, node):
        if isinstance(node, list):
            return [self._filled(one) for one in node]
        if not isinstance(node, dict):
            return node
        named = node.get("Ref") or node.get("Fn::GetAtt", [None])[0]
        if named in self.ids and self.template["Resources"][named]["Type"] in FIRST:
            return self.resolve(node)
        return {name: self._filled(one) for name, one in node.items() if name != "DependsOn"}

    def _create(self, id: str) -> None:
        type = self.template["Resources"][id]["Type"]
        service, call, ref = CREATE[type]
        properties = self.properties(id)
        if type in NAMES:
            properties.setdefault(NAMES[type], f"{self._name}-{id}"[-64:])
        match type:
            case "AWS::S3::BucketPolicy":
                properties = {"Bucket": properties["Bucket"], "Policy": json.dumps(properties["PolicyDocument"])}
            case "AWS::SQS::QueuePolicy":
                policy = json.dumps(properties["PolicyDocument"])
                properties = {"QueueUrl": properties["Queues"][0], "Attributes": {"Policy": policy}}
        created = getattr(self.client(service), call)(**properties)
        self.ids[id] = (properties | created)[ref] if ref else id

    def _read_ids(self) -> None:
        stack = self.client("cloudformation").describe_stack_resources(StackName=self._name)
        for one in stack["StackResources"]:  # moto forgets the ids of a permission when it is updated
            if "LogicalResourceId" in one:
                self.ids[one["LogicalResourceId"]] = one.get("PhysicalResourceId", "")

    def properties(self, id: str) -> dict:
        return self.resolve(self.template["Resources"][id].get("Properties", {}))

    def arn(self, id: str) -> str:
        """What Fn::GetAtt Arn of a resource is."""
        type, physical = self.template["Resources"][id]["Type"], self.ids[id]
        prefix = f"arn:{self._pseudo['AWS::Partition']}"
        region = self._pseudo["AWS::Region"]
        match type:
            case "AWS::IAM::Role":
                return f"{prefix}:iam::{ACCOUNT}:role/{physical}"
            case "AWS::Lambda::Function":
                return f"{prefix}:lambda:{region}:{ACCOUNT}:function:{physical}"
            case "AWS::Logs::LogGroup":
                return f"{prefix}:logs:{region}:{ACCOUNT}:log-group:{physical}:*"
            case "AWS::SQS::Queue":
                return f"{prefix}:sqs:{region}:{ACCOUNT}:{physical.split('/')[-1]}"
            case "AWS::Scheduler::ScheduleGroup":
                return f"{prefix}:scheduler:{region}:{ACCOUNT}:schedule-group/{physical}"
        raise AssertionError(f"No ARN of {type}")

    def resolve(self, node):
        if isinstance(node, list):
            return [self.resolve(one) for one in node]
        if not isinstance(node, dict):
            return node
        match node:
            case {"Ref": name}:
                return self._pseudo.get(name) or self.ids[name]
            case {"Fn::GetAtt": [id, "Arn"]}:
                return self.arn(id)
            case {"Fn::GetAtt": [id, "QueueName"]}:
                return self.ids[id].split("/")[-1]
            case {"Fn::Join": [separator, parts]}:
                return separator.join(self.resolve(parts))
            case {"Fn::Sub": str(text)}:
                return re.sub(r"\$\{([^}]+)\}", lambda name: self.resolve({"Ref": name[1]}), text)
        return {name: self.resolve(one) for name, one in node.items()}

    def read(self, id: str) -> dict:
        """A resource as its service has it."""
        service, call, arguments, part = READ[self.template["Resources"][id]["Type"]]
        output = getattr(self.client(service), call)(**arguments(self.properties(id), self.ids[id]))
        found = output[part] if part else output
        return found[0] if isinstance(found, list) else found

    def policies(self, role: str) -> list[str]:
        """The policies of a role, as IAM has them."""
        iam, name = self.client("iam"), self.ids[role]
        names = iam.list_role_policies(RoleName=name)["PolicyNames"]
        documents = [iam.get_role_policy(RoleName=name, PolicyName=policy)["PolicyDocument"] for policy in names]
        return [json.dumps(ast.literal_eval(str(document))) for document in documents]  # moto keeps Python's text of it


@pytest.fixture(scope="module")
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
    assert [id for id in resources if id not in stack.ids] == []
    read = [id for id, resource in resources.items() if resource["Type"] in READ]
    found = [f"{id}{one}" for id in read for one in differences(stack.properties(id), stack.read(id))]
    assert not found, "\n".join(found)


def test_dashboard_is_the_body_of_the_template(deployed):
    stack = deployed("default")
    told = json.loads(stack.properties("Dashboard")["DashboardBody"])

    assert json.loads(stack.read("Dashboard")["DashboardBody"]) == told
    assert len(told["widgets"]) > 5


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


def is_allowed(policies: list[str], action: str, resource: str) -> bool:
    results = [IAMPolicy({"policy_document": policy}).is_action_permitted(action, resource) for policy in policies]
    return PermissionResult.PERMITTED in results and PermissionResult.DENIED not in results


@pytest.mark.parametrize("name", SETS)
def test_each_role_may_do_what_its_contract_says_and_nothing_else(deployed, templates, name):
    stack = deployed(name)
    contracts = json.loads((templates / "contracts.json").read_text())
    functions = {id: one for id, one in stack.template["Resources"].items() if one["Type"] == "AWS::Lambda::Function"}
    assert functions

    names = {id: stack.properties(id)["FunctionName"] for id in functions}
    stage = re.match(r"mdm-stream-([a-z]+)-", next(iter(names.values())))[1]
    region, partition = stack.resolve([{"Ref": "AWS::Region"}, {"Ref": "AWS::Partition"}])

    def arn(service: str, rest: str) -> str:
        return f"arn:{partition}:{service}:{region}:{ACCOUNT}:{rest}"

    own_secret = arn("secretsmanager", f"secret:mdm-stream/{stage}/default-AbCdEf")
    other_secret = arn("secretsmanager", "secret:mdm-stream/other/default-AbCdEf")
    target = arn("lambda", f"function:{'orders-eu' if name == 'everything' else f'mdm-stream-{stage}-target-orders'}")
    consumer = f"mdm-stream-{stage}-stream-consumer"
    bucket = stack.ids["ServerlessDeploymentBucket"]

    for id, function in names.items():
        rights = contracts[function.removeprefix(f"mdm-stream-{stage}-")]
        role = functions[id]["Properties"]["Role"]["Fn::GetAtt"][0]
        asked = [
            ("logs:PutLogEvents", arn("logs", f"log-group:/aws/lambda/{function}:log-stream:x"), True),
            ("logs:PutLogEvents", arn("logs", f"log-group:/aws/lambda/{function}-other:log-stream:x"), False),
            ("secretsmanager:GetSecretValue", own_secret, rights["readsSecret"]),
            ("secretsmanager:GetSecretValue", other_secret, False),
            ("secretsmanager:PutSecretValue", own_secret, False),
            ("lambda:InvokeFunction", target, rights["invokesTargets"]),
            ("lambda:InvokeFunction", arn("lambda", "function:payroll"), False),
            (
                "lambda:InvokeFunction",
                arn("lambda", f"function:{consumer}"),
                rights["wakesConsumer"] and consumer in names.values(),
            ),
            ("lambda:UpdateFunctionCode", arn("lambda", f"function:{function}"), False),
            ("iam:PassRole", f"arn:{partition}:iam::{ACCOUNT}:role/{stack.ids[role]}", False),
            ("s3:GetObject", f"arn:{partition}:s3:::{bucket}/x", False),
        ]
        policies = stack.policies(role)
        assert [(*one[:2], is_allowed(policies, *one[:2])) for one in asked] == asked, function


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
    read = [id for id, one in after["Resources"].items() if one["Type"] == "AWS::Lambda::Function"]
    found = [f"{id}{one}" for id in read for one in differences(stack.properties(id), stack.read(id))]
    assert not found, "\n".join(found)


def test_bucket_of_the_zips_refuses_plain_http(deployed):
    stack = deployed("default")

    with pytest.raises(ClientError, match="Forbidden"):  # moto's endpoint has no TLS
        stack.client("s3").put_object(Bucket=stack.ids["ServerlessDeploymentBucket"], Key="x", Body=b"x")
