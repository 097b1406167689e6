"""moto's IAM lets each role do what its contract says, and nothing else that is asked; packaged functions run with the
credentials of their roles while it enforces them.

Proven: of each function of five parameter sets, the policies in moto allow its log group, its secrets with their key,
its targets, the wake and the notices that its contract names, and nothing else that is asked. Over the wire, a function
reads a secret of its own stage and no other's, of its own key and of no other, invokes a target within consumerTargets
and none outside, and publishes notices to its own topic alone.

Not seen by moto: what docs/proven.md lists under "What moto does not enforce"; the last test here compares.
"""

import json
import re

import boto3
import pytest
import redis
from botocore.exceptions import ClientError

from conftest import CREDENTIALS, ROOT, SETS, functions_with, make_function, not_quick, post, redis_server
from enforcement import enforced
from stacks import ACCOUNT, is_allowed

KEY = f"arn:aws:kms:eu-central-1:{ACCOUNT}:key/11111111-2222-3333-4444-555555555555"  # kmsKeyArn of `everything`
OTHER_KEY = f"arn:aws:kms:eu-central-1:{ACCOUNT}:key/99999999-2222-3333-4444-555555555555"


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

    prefix = "everything/" if name == "everything" else f"mdm-stream/{stage}/"
    own_secret = arn("secretsmanager", f"secret:{prefix}default-AbCdEf")
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
            ("kms:Decrypt", KEY, name == "everything" and rights["readsSecret"]),
            ("kms:Decrypt", OTHER_KEY, False),
            ("lambda:InvokeFunction", target, rights["invokesTargets"]),
            ("lambda:InvokeFunction", arn("lambda", "function:payroll"), False),
            (
                "lambda:InvokeFunction",
                arn("lambda", f"function:{consumer}"),
                rights["wakesConsumer"] and consumer in names.values(),
            ),
            ("sns:Publish", arn("sns", "letters"), name == "everything" and function == consumer),
            ("sns:Publish", arn("sns", "on-call"), False),
            ("events:PutEvents", arn("events", "event-bus/letters"), name == "consumer-alone" and function == consumer),
            ("events:PutEvents", arn("events", "event-bus/default"), False),
            ("lambda:UpdateFunctionCode", arn("lambda", f"function:{function}"), False),
            ("iam:PassRole", f"arn:{partition}:iam::{ACCOUNT}:role/{stack.ids[role]}", False),
            ("s3:GetObject", f"arn:{partition}:s3:::{bucket}/x", False),
        ]
        policies, via = stack.policies(role), {"kms:ViaService": f"secretsmanager.{region}.amazonaws.com"}
        assert [(*one[:2], is_allowed(policies, *one[:2], via)) for one in asked] == asked, function
        assert not is_allowed(policies, "kms:Decrypt", KEY, {"kms:ViaService": f"s3.{region}.amazonaws.com"}), function


@pytest.fixture(scope="module")
def redis_port():
    with redis_server() as port:
        yield port


@pytest.fixture(scope="module")
def secrets(aws, redis_port):
    """Of two stages; of the first, one with another key. All get the configuration that is stored."""
    keys = {"everything/default": KEY, "everything/sealed": OTHER_KEY, "mdm-stream/other/default": KEY}
    for name, key in keys.items():
        aws("secretsmanager").create_secret(Name=name, SecretString="{}", KmsKeyId=key)

    def store(mdm: dict) -> None:
        text = json.dumps({"redis": {"url": f"redis://127.0.0.1:{redis_port}"}, "mdm": mdm})
        for name in keys:
            aws("secretsmanager").put_secret_value(SecretId=name, SecretString=text)

    return store


@pytest.fixture(scope="module")
def topics(aws):
    return {name: aws("sns").create_topic(Name=name)["TopicArn"] for name in ("letters", "on-call")}


@pytest.fixture(scope="module")
def url(aws):
    return aws("sts").meta.endpoint_url


@pytest.fixture
def credentials_of(aws):
    """The credentials of a role's session."""

    def of(role: str) -> dict[str, str]:
        arn = f"arn:aws:iam::{ACCOUNT}:role/{role}"
        made = aws("sts").assume_role(RoleArn=arn, RoleSessionName="function")["Credentials"]
        names = {"AccessKeyId": "aws_access_key_id", "SecretAccessKey": "aws_secret_access_key"}
        return {ours: made[theirs] for theirs, ours in {**names, "SessionToken": "aws_session_token"}.items()}

    return of


@pytest.fixture
def running(deployed, credentials_of, secrets, url):
    """The functions with the role of one of them, in the environment that the template gives it."""
    started = []

    def of(function: str, **more: str):
        stack = deployed("everything")
        properties = stack.properties(function)
        credentials = credentials_of(properties["Role"].split("/")[-1])
        variables = properties["Environment"]["Variables"]
        ours = {name: value for name, value in variables.items() if name.startswith("CONNECTOR_")}
        env = {"AWS_ENDPOINT_URL": url, **ours, **{name.upper(): value for name, value in credentials.items()}, **more}
        context = functions_with(env)
        started.append(context)
        functions = context.__enter__()
        secrets(functions.mdm)
        return functions

    yield of
    for context in started:
        context.__exit__(None, None, None)


XADD = {"key": "roles", "entry": {"order": "1001"}}


@not_quick
def test_function_reads_a_secret_of_its_stage_and_of_its_key_alone(running, url):
    functions = running("StreamDashxaddLambdaFunction")

    with enforced(url):
        own = post(f"{functions.http_url}/stream/xadd", XADD)
        sealed = post(f"{functions.http_url}/stream/xadd", XADD | {"configRef": "sealed"})

    assert own[0] == 200, own
    assert (sealed[0], sealed[1]["type"]) == (500, "CONNECTOR:CONFIGURATION")
    assert "could not decrypt it (AccessDeniedException)" in sealed[1]["detail"]


@not_quick
def test_function_does_not_read_a_secret_of_another_stage(running, url):
    functions = running("StreamDashxaddLambdaFunction", CONNECTOR_SECRET_PREFIX="mdm-stream/other/")

    with enforced(url):
        status, problem = post(f"{functions.http_url}/stream/xadd", XADD)

    assert (status, problem["type"]) == (500, "CONNECTOR:CONFIGURATION")
    assert "AWS refused it (AccessDeniedException)" in problem["detail"]


@not_quick
def test_consumer_invokes_a_target_within_the_pattern_and_none_outside(aws, running, url, redis_port):
    make_function(aws, "orders-eu")
    make_function(aws, "payroll")
    entries = redis.Redis(port=redis_port)
    for stream in ("within", "outside"):
        entries.xadd(stream, {"order": "1001"})
    consumer = running("StreamDashconsumerLambdaFunction")

    with enforced(url):
        within = consumer.invoke("stream-consumer", {"stream": "within", "group": "g", "target": "orders-eu"})
        outside = consumer.invoke("stream-consumer", {"stream": "outside", "group": "g", "target": "payroll"})

    assert (within["processed"], within["pending"]) == (1, 0), within
    assert (outside["processed"], outside["deadLettered"]) == (0, 0), outside
    assert entries.xpending("outside", "g")["pending"] == 1


@not_quick
def test_consumer_publishes_notices_to_its_own_topic_alone(aws, running, url, redis_port, topics):
    queue = aws("sqs").create_queue(QueueName="of-notices")["QueueUrl"]
    queue_arn = aws("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    received = []
    for name, topic in topics.items():
        aws("sns").subscribe(TopicArn=topic, Protocol="sqs", Endpoint=queue_arn)
        redis.Redis(port=redis_port).xadd(f"buried-{name}", {"field": "no change of a record"})
        consumer = running("StreamDashconsumerLambdaFunction", CONNECTOR_DEAD_LETTER_TOPIC=topic)
        with enforced(url):
            report = consumer.invoke("stream-consumer", {"stream": f"buried-{name}", "group": "g"})
        assert report.get("deadLettered") == 1, report
        messages = aws("sqs").receive_message(QueueUrl=queue).get("Messages", [])
        received += [json.loads(json.loads(message["Body"])["Message"])["stream"] for message in messages]

    assert received == ["buried-letters"]


# A call of each right that a role of the templates has.
CALLS = {
    "ec2:AssignPrivateIpAddresses": ("ec2", "assign_private_ip_addresses", {"NetworkInterfaceId": "eni-1"}),
    "ec2:CreateNetworkInterface": ("ec2", "create_network_interface", {"SubnetId": "subnet-11111111"}),
    "ec2:DeleteNetworkInterface": ("ec2", "delete_network_interface", {"NetworkInterfaceId": "eni-1"}),
    "ec2:DescribeNetworkInterfaces": ("ec2", "describe_network_interfaces", {}),
    "ec2:DescribeSubnets": ("ec2", "describe_subnets", {}),
    "ec2:UnassignPrivateIpAddresses": (
        "ec2",
        "unassign_private_ip_addresses",
        {"NetworkInterfaceId": "eni-1", "PrivateIpAddresses": ["10.0.0.1"]},
    ),
    "events:PutEvents": (
        "events",
        "put_events",
        {"Entries": [{"EventBusName": "letters", "Source": "x", "Detail": "{}"}]},
    ),
    "kms:Decrypt": ("kms", "decrypt", {"CiphertextBlob": b"x"}),
    "lambda:InvokeFunction": ("lambda", "invoke", {"FunctionName": "orders-eu", "Payload": b"{}"}),
    "logs:CreateLogStream": ("logs", "create_log_stream", {"logGroupName": "/aws/lambda/x", "logStreamName": "x"}),
    "logs:PutLogEvents": (
        "logs",
        "put_log_events",
        {"logGroupName": "/aws/lambda/x", "logStreamName": "x", "logEvents": [{"timestamp": 1, "message": "x"}]},
    ),
    "secretsmanager:GetSecretValue": ("secretsmanager", "get_secret_value", {"SecretId": "everything/default"}),
    "sns:Publish": ("sns", "publish", {"TopicArn": f"arn:aws:sns:eu-central-1:{ACCOUNT}:letters", "Message": "x"}),
    "sqs:SendMessage": ("sqs", "send_message", {"QueueUrl": f"http://sqs/{ACCOUNT}/failed", "MessageBody": "x"}),
    "xray:PutTelemetryRecords": ("xray", "put_telemetry_records", {"TelemetryRecords": []}),
    "xray:PutTraceSegments": ("xray", "put_trace_segments", {"TraceSegmentDocuments": ["{}"]}),
}

REFUSED = r"AccessDenied|UnauthorizedOperation|AuthFailure"


def clients_of(credentials: dict[str, str], url: str):
    return lambda service: boto3.client(service, endpoint_url=url, **(CREDENTIALS | credentials))


def is_refused(call) -> bool:
    try:
        call()
    except ClientError as error:
        return re.search(REFUSED, str(error)) is not None
    return False


@pytest.fixture
def without_rights(aws, credentials_of, url):
    """Clients of a role that has no policy."""
    if not any(role["RoleName"] == "nobody" for role in aws("iam").list_roles(MaxItems=1000)["Roles"]):
        aws("iam").create_role(RoleName="nobody", AssumeRolePolicyDocument='{"Version":"2012-10-17","Statement":[]}')
    return clients_of(credentials_of("nobody"), url)


def documented() -> set[str]:
    """The rows of the table in docs/proven.md."""
    page = (ROOT / "docs/proven.md").read_text()
    section = page.partition("## What moto does not enforce")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `?([\w:]+[^`|]*?)`? \|", section, re.MULTILINE)) - {"what"}


@not_quick
def test_what_moto_does_not_enforce_is_what_the_page_lists(
    aws, deployed, templates, without_rights, credentials_of, url
):
    roles = [
        (stack, role)
        for stack in map(deployed, SETS)
        for role, one in stack.template["Resources"].items()
        if one["Type"] == "AWS::IAM::Role"
    ]
    statements = [
        statement
        for stack, role in roles
        for policy in stack.policies(role)
        for statement in json.loads(policy)["Statement"]
    ]
    rights = {
        right
        for statement in statements
        for right in ([statement["Action"]] if isinstance(statement["Action"], str) else statement["Action"])
    }
    clients = clients_of(bounded(aws, credentials_of), url)
    with enforced(url):
        allowed = {
            right
            for right in rights
            if right not in CALLS or not is_refused(lambda: call(without_rights, *CALLS[right]))
        }
        if not is_refused(lambda: clients("sqs").list_queues()):
            allowed.add("a permissions boundary")

    assert CALLS.keys() <= rights
    assert allowed == documented()


def call(clients, service: str, name: str, parameters: dict) -> None:
    getattr(clients(service), name)(**parameters)


def bounded(aws, credentials_of) -> dict[str, str]:
    """The credentials of a role whose boundary allows nothing of what its policy allows."""
    iam = aws("iam")
    boundary = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sqs:*", "Resource": "*"}]}
    arn = iam.create_policy(PolicyName="boundary", PolicyDocument=json.dumps(boundary))["Policy"]["Arn"]
    trust = '{"Version":"2012-10-17","Statement":[]}'
    iam.create_role(RoleName="bounded", AssumeRolePolicyDocument=trust, PermissionsBoundary=arn)
    iam.put_role_policy(RoleName="bounded", PolicyName="queues", PolicyDocument=json.dumps(policy))
    return credentials_of("bounded")
