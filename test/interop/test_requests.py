"""AWS' own models (botocore) read each request that the product makes, and moto carries it out.

Proven, of the functions (Secrets Manager, Lambda, SNS, EventBridge) and of `npm run deploy`, `--plan`, `doctor`,
`status` and `remove` (STS, CloudFormation, S3, Lambda, ECR, SNS, SQS, CloudWatch, Scheduler, IAM): the models know each
operation, parameter and type; botocore's serializer makes the same request of those parameters, and its signer the
same signature; notices arrive behind a topic and a bus; a stack is made, changed, examined and removed.

Not seen by them: what AWS refuses of what its models allow, and a stack with an API. IAM's simulation, which moto
lacks, is answered here.
"""

import json
import os
import re
import subprocess

import pytest
import redis

from conftest import CREDENTIALS, ROOT, functions_with, make_function, not_quick, redis_server, wait_until
from recorder import Recorder

ACCOUNT = "123456789012"
STAGE = "recorded"


# moto lacks UpdateTerminationProtection and SimulatePrincipalPolicy, and takes a warning of cfn-lint for an error.
ALLOWED = "<EvaluationResults><member><EvalDecision>allowed</EvalDecision></member></EvaluationResults>"
ANSWERED = {"UpdateTerminationProtection": "", "ValidateTemplate": "", "SimulatePrincipalPolicy": ALLOWED}


@pytest.fixture(scope="module")
def recorder(aws):
    recorder = Recorder(aws("sts").meta.endpoint_url, ANSWERED)
    yield recorder
    recorder.close()


def operations(recorder: Recorder) -> set[str]:
    """What was called; each request has no faults, and the signature that botocore makes."""
    requests, recorder.requests[:] = list(recorder.requests), []
    faults = [fault for request in requests for fault in request.faults()]
    assert not faults, "\n".join(faults)
    assert [request.target for request in requests if not request.is_signed()] == []
    return {f"{request.service}:{request.read()[0]}" for request in requests}


@pytest.fixture(scope="module")
def queue(aws):
    """Takes what is published to a topic, and what a rule sends on from a bus."""
    sqs, sns, events = aws("sqs"), aws("sns"), aws("events")
    url = sqs.create_queue(QueueName="notices")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    topic = sns.create_topic(Name="letters")["TopicArn"]
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
    bus = events.create_event_bus(Name="letters")["EventBusArn"]
    pattern = {"source": ["mdm-stream"], "detail-type": ["mdm-stream.dead-letter"]}
    events.put_rule(Name="letters", EventBusName="letters", EventPattern=json.dumps(pattern))
    events.put_targets(Rule="letters", EventBusName="letters", Targets=[{"Id": "queue", "Arn": arn}])

    def received() -> list[dict]:
        messages = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", [])
        for message in messages:
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return [json.loads(message["Body"]) for message in messages]

    return {"sns": topic, "events": bus, "received": received}


@pytest.fixture(scope="module")
def redis_port():
    with redis_server() as port:
        yield port


@pytest.fixture(scope="module")
def functions(recorder, aws, queue, redis_port):
    """The functions with all their services behind the recorder, by where a notice of dead letters goes."""
    make_function(aws, "orders")
    started = []

    def of(service: str):
        env = {"AWS_ENDPOINT_URL": recorder.url, "CONNECTOR_SECRET_PREFIX": "requests/"}
        more = {"CONNECTOR_DEAD_LETTER_TOPIC": queue[service], "CONNECTOR_CONSUMER_FUNCTION": "orders"}
        context = functions_with(env | more)
        functions = context.__enter__()
        started.append(context)
        ingest = {"stream": "changes", "shards": 1, "group": "mdm"}
        secret = {"redis": {"url": f"redis://127.0.0.1:{redis_port}"}, "mdm": functions.mdm, "ingest": ingest}
        secrets = aws("secretsmanager")
        names = {one["Name"] for one in secrets.list_secrets()["SecretList"]}
        store = secrets.put_secret_value if "requests/default" in names else secrets.create_secret
        store(
            **{"SecretId" if store == secrets.put_secret_value else "Name": "requests/default"},
            SecretString=json.dumps(secret),
        )
        return functions

    yield of
    for context in started:
        context.__exit__(None, None, None)


def test_secret_is_read_and_a_target_invoked(recorder, functions, redis_port):
    entries = redis.Redis(port=redis_port)
    entries.xadd("to-lambda", {"order": "1001"})
    consumer = functions("sns")
    recorder.requests.clear()

    report = consumer.invoke("stream-consumer", {"stream": "to-lambda", "group": "g", "target": "orders"})

    assert (report["processed"], report["deadLettered"]) == (1, 0), report
    [invoked] = [request for request in recorder.requests if request.service == "lambda"]
    name, parameters = invoked.read()
    assert (name, parameters["FunctionName"]) == ("Invoke", "orders")
    assert json.loads(parameters["Payload"])["entry"] == {"order": "1001"}
    assert operations(recorder) == {"secretsmanager:GetSecretValue", "lambda:Invoke"}


def test_enqueue_wakes_the_consumer_by_an_asynchronous_invocation(recorder, functions):
    enqueue = functions("sns")
    recorder.requests.clear()
    place = {"businessEntity": "c360.city", "sourceSystem": "geonames", "sourcePKey": "1"}

    enqueue.invoke("mdm-source-enqueue", {**place, "record": {"name": "Bonn", "country": {"Code": "DE"}}})

    wait_until(lambda: any(request.service == "lambda" for request in recorder.requests))
    [invoked] = [request for request in recorder.requests if request.service == "lambda"]
    assert invoked.read()[1]["InvocationType"] == "Event"
    assert operations(recorder) == {"secretsmanager:GetSecretValue", "lambda:Invoke"}


@pytest.mark.parametrize("service, operation", [("sns", "sns:Publish"), ("events", "events:PutEvents")])
def test_notice_of_a_dead_letter_arrives_behind(recorder, functions, queue, redis_port, service, operation):
    stream = f"buried-{service}"
    redis.Redis(port=redis_port).xadd(stream, {"field": "no change of a record"})
    consumer = functions(service)
    recorder.requests.clear()

    report = consumer.invoke("stream-consumer", {"stream": stream, "group": "g"})

    assert report["deadLettered"] == 1, report
    [message] = queue["received"]()
    notice = json.loads(message["Message"]) if service == "sns" else message["detail"]
    assert (notice["stream"], notice["group"], notice["count"]) == (stream, "g", 1)
    assert operations(recorder) == {"secretsmanager:GetSecretValue", operation}


def run(recorder: Recorder, script: str, *options: str) -> subprocess.CompletedProcess:
    keys = {name.upper(): value for name, value in CREDENTIALS.items() if name != "region_name"}
    env = {**os.environ, **keys, "AWS_REGION": "eu-central-1", "AWS_ENDPOINT_URL": recorder.url}
    command = ["node", f"scripts/{script}.ts", "--stage", STAGE, *options]
    return subprocess.run(
        command, cwd=ROOT, env=env | {"SLS_AWS_MONITORING_FREQUENCY": "50"}, capture_output=True, text=True
    )


TOPIC = f"arn:aws:sns:eu-central-1:{ACCOUNT}:letters"
OPERATIONS = "stream-consumer,stream-check,stream-status,mdm-check,mdm-source-enqueue"
OPTIONS = [f"--param=operations={OPERATIONS}", "--param=httpApi=off", f"--param=alarmTopicArn={TOPIC}"]
DEPLOYED = {
    "sts:GetCallerIdentity",
    "cloudformation:CreateChangeSet",
    "cloudformation:ExecuteChangeSet",
    "s3:PutObject",
}


@not_quick
def test_deploy_makes_a_stack(recorder, aws):
    recorder.requests.clear()

    deployed = run(recorder, "deploy", *OPTIONS)

    assert deployed.returncode == 0, deployed.stdout + deployed.stderr
    assert aws("lambda").get_function(FunctionName=f"mdm-stream-{STAGE}-stream-consumer")
    assert DEPLOYED <= operations(recorder)


@not_quick
def test_plan_changes_nothing_and_says_what_would_change(recorder, aws):
    before = aws("cloudformation").get_template(StackName=f"mdm-stream-{STAGE}")["TemplateBody"]

    planned = run(recorder, "deploy", "--plan", *OPTIONS, "--param=logLevel=debug")

    assert "changes AWS::Lambda::Function StreamDashconsumerLambdaFunction" in planned.stdout, (
        planned.stdout + planned.stderr
    )
    assert aws("cloudformation").get_template(StackName=f"mdm-stream-{STAGE}")["TemplateBody"] == before
    assert {"cloudformation:DescribeChangeSet", "cloudformation:DeleteChangeSet", "s3:DeleteObject"} <= operations(
        recorder
    )


EXAMINED = {
    *("cloudformation:DescribeStacks", "cloudformation:GetTemplate", "cloudformation:ListStackResources"),
    *("scheduler:ListSchedules", "cloudwatch:GetMetricData", "cloudwatch:DescribeAlarms", "sqs:GetQueueAttributes"),
    *("lambda:GetFunctionConcurrency", "lambda:GetFunctionConfiguration", "iam:SimulatePrincipalPolicy"),
    *("sns:ListSubscriptionsByTopic", "lambda:Invoke"),
}


@pytest.fixture
def stage(recorder, functions):
    """The functions behind the names of the stack."""
    recorder.functions_url = functions("sns").invoke_url
    recorder.requests.clear()
    yield
    recorder.functions_url = None


@not_quick
def test_doctor_reads_the_stack_and_calls_its_checks(recorder, stage):
    examined = run(recorder, "doctor", "--remote")

    assert f"The stack mdm-stream-{STAGE}" in examined.stdout, examined.stderr
    for found in (r"schedules +\d+ enabled", r"wake +mdm-source-enqueue, .* may invoke", r"alarms +\d+, none rings"):
        assert re.search(found, examined.stdout), examined.stdout
    assert EXAMINED <= operations(recorder)


@not_quick
def test_status_invokes_the_function_of_the_stage(recorder, stage):
    shown = run(recorder, "status", "--remote")

    assert shown.returncode == 0 and "changes" in shown.stdout, shown.stdout + shown.stderr
    assert operations(recorder) == {"lambda:Invoke", "secretsmanager:GetSecretValue"}


@not_quick
def test_remove_leaves_no_stack(recorder, aws):
    removed = run(recorder, "remove")

    assert removed.returncode == 0, removed.stdout + removed.stderr
    assert {"cloudformation:DeleteStack", "s3:DeleteObjects"} <= operations(recorder)
    names = {
        one["StackName"]
        for one in aws("cloudformation").list_stacks()["StackSummaries"]
        if one["StackStatus"] != "DELETE_COMPLETE"
    }
    assert f"mdm-stream-{STAGE}" not in names
