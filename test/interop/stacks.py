"""The packaged templates as stacks in moto, and how each resource is told to its service and read back.

moto's CloudFormation makes functions, permissions, roles, log groups, queues, buckets and dashboards. Other types, and
what it drops of a function, go to their own services' APIs, with the template's properties.
"""

import ast
import json
import re

from moto.iam.access_control import IAMPolicy, PermissionResult

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

# What moto lacks altogether: read by botocore's model alone.
LACKS = {"AWS::Logs::QueryDefinition"}

# What moto cannot change once it is made.
FIXED = {"AWS::ApiGatewayV2::Stage", "AWS::Scheduler::ScheduleGroup"}

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
    *("Architectures", "Code", "KmsKeyId", "RecursiveLoop", "TracingConfig"),  # moto's CloudFormation drops them
    *("Tags", "Policies", "DashboardBody", "ReservedConcurrentExecutions"),  # compared by tests of their own
}


# How the tags of each type are read back.
TAGS = {
    "AWS::ApiGatewayV2::Api": ("apigatewayv2", "get_api", lambda arn, id: {"ApiId": id}),
    "AWS::CloudWatch::Alarm": ("cloudwatch", "list_tags_for_resource", lambda arn, id: {"ResourceARN": arn}),
    "AWS::IAM::Role": ("iam", "list_role_tags", lambda arn, id: {"RoleName": id}),
    "AWS::Lambda::Function": ("lambda", "list_tags", lambda arn, id: {"Resource": arn}),
    "AWS::Logs::LogGroup": ("logs", "list_tags_log_group", lambda arn, id: {"logGroupName": id}),
    "AWS::SQS::Queue": ("sqs", "list_queue_tags", lambda arn, id: {"QueueUrl": id}),
    "AWS::Scheduler::ScheduleGroup": ("scheduler", "list_tags_for_resource", lambda arn, id: {"ResourceArn": arn}),
}


def tags_of(part: dict) -> dict[str, str]:
    """The tags of a template or of a response, in whichever of AWS' forms."""
    tags = next((value for name, value in part.items() if name.lower() in ("tags", "taglist")), {})
    return tags if isinstance(tags, dict) else {tag["Key"]: tag["Value"] for tag in tags}


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
        before, self.template = self.template.get("Resources", {}), template
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
                elif resource["Type"] == type and type not in FIXED and before and before.get(id) != resource:
                    self._change(id)
        for id, resource in resources.items():
            if resource["Type"] == "AWS::Lambda::Function" and before.get(id) != resource:
                self._complete(id)

    def _complete(self, id: str) -> None:
        """Tells Lambda what moto's CloudFormation drops of a function that it makes."""
        properties, service, name = self.properties(id), self.client("lambda"), self.ids[id]
        service.tag_resource(Resource=self.arn(id), Tags=tags_of(properties))
        if layers := properties.get("Layers"):
            for layer in (arn.split(":")[-2] for arn in layers):
                if not service.list_layer_versions(LayerName=layer)["LayerVersions"]:
                    service.publish_layer_version(LayerName=layer, Content={"ZipFile": b"of others"})
            service.update_function_configuration(FunctionName=name, Layers=layers)
        if "ReservedConcurrentExecutions" in properties:
            limit = properties["ReservedConcurrentExecutions"]
            service.put_function_concurrency(FunctionName=name, ReservedConcurrentExecutions=limit)

    def _known(self, template: dict) -> str:
        """What moto's CloudFormation takes, with the ids of the rest filled in."""
        kept = {id: one for id, one in template["Resources"].items() if one["Type"] not in LACKS | set(CREATE)}
        known = {id: self._filled(one) for id, one in kept.items()}
        known["ServerlessDeploymentBucket"]["Properties"]["BucketName"] = self.ids["ServerlessDeploymentBucket"]
        text = json.dumps({"Resources": known})  # moto changes a bucket by its name alone
        for id in self.ids.keys() - kept.keys():
            text = text.replace(f"${{{id}}}", self.ids[id])
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
        service, call, ref = CREATE[self.template["Resources"][id]["Type"]]
        parameters = self._parameters(id)
        created = getattr(self.client(service), call)(**parameters)
        self.ids[id] = (parameters | created)[ref] if ref else id

    def _change(self, id: str) -> None:
        service, call, ref = CREATE[self.template["Resources"][id]["Type"]]
        client, call = self.client(service), call.replace("create", "update")
        parameters = self._parameters(id) | ({ref: self.ids[id]} if ref else {})
        known = client.meta.service_model.operation_model(client.meta.method_to_api_mapping[call]).input_shape.members
        getattr(client, call)(**{name: value for name, value in parameters.items() if name in known})

    def _parameters(self, id: str) -> dict:
        """Of the call that makes or changes a resource."""
        type, properties = self.template["Resources"][id]["Type"], self.properties(id)
        match type:
            case "AWS::S3::BucketPolicy":
                return {"Bucket": properties["Bucket"], "Policy": json.dumps(properties["PolicyDocument"])}
            case "AWS::SQS::QueuePolicy":
                policy = json.dumps(properties["PolicyDocument"])
                return {"QueueUrl": properties["Queues"][0], "Attributes": {"Policy": policy}}
        return ({NAMES[type]: f"{self._name}-{id}"[-64:]} if type in NAMES else {}) | properties

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
            case "AWS::CloudWatch::Alarm":
                return f"{prefix}:cloudwatch:{region}:{ACCOUNT}:alarm:{physical}"
            case "AWS::ApiGatewayV2::Api":
                return f"{prefix}:apigateway:{region}::/apis/{physical}"
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
                return re.sub(r"\$\{([^}]+)\}", lambda name: self._named(name[1]), text)
        return {name: self.resolve(one) for name, one in node.items()}

    def _named(self, name: str) -> str:
        """What a name in Fn::Sub stands for."""
        return self.resolve({"Fn::GetAtt": name.split(".")} if "." in name else {"Ref": name})

    def read(self, id: str) -> dict:
        """A resource as its service has it."""
        service, call, arguments, part = READ[self.template["Resources"][id]["Type"]]
        output = getattr(self.client(service), call)(**arguments(self.properties(id), self.ids[id]))
        found = output[part] if part else output
        return found[0] if isinstance(found, list) else found

    def read_tags(self, id: str) -> dict[str, str]:
        service, call, arguments = TAGS[self.template["Resources"][id]["Type"]]
        return tags_of(getattr(self.client(service), call)(**arguments(self.arn(id), self.ids[id])))

    def policies(self, role: str) -> list[str]:
        """The policies of a role, as IAM has them."""
        iam, name = self.client("iam"), self.ids[role]
        names = iam.list_role_policies(RoleName=name)["PolicyNames"]
        documents = [iam.get_role_policy(RoleName=name, PolicyName=policy)["PolicyDocument"] for policy in names]
        return [as_json(document) for document in documents]


def as_json(policy: object) -> str:
    """A policy as moto keeps it: JSON, Python's text of it, or below a name."""
    document = policy.get("policy_document", policy) if isinstance(policy, dict) else policy
    try:
        return json.dumps(json.loads(document))
    except (TypeError, ValueError):
        return json.dumps(ast.literal_eval(str(document)))


def is_allowed(policies: list[str], action: str, resource: str, conditions: dict[str, str] | None = None) -> bool:
    results = [
        IAMPolicy({"policy_document": policy}).is_action_permitted(action, resource, None, conditions)
        for policy in policies
    ]
    return PermissionResult.PERMITTED in results and PermissionResult.DENIED not in results
