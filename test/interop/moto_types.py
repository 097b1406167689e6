"""Types that moto's CloudFormation lacks, made by their services' APIs there, with the template's properties."""

import boto3
from moto.core.common_models import CloudFormationModel

# Service, the calls that make and delete, and the property that is the name.
TYPES = {
    "AWS::CloudWatch::Alarm": ("cloudwatch", "put_metric_alarm", "delete_alarms", "AlarmName"),
    "AWS::Scheduler::ScheduleGroup": ("scheduler", "create_schedule_group", "delete_schedule_group", "Name"),
    "AWS::Scheduler::Schedule": ("scheduler", "create_schedule", "delete_schedule", "Name"),
}


def add_types(url: str, credentials: dict[str, str]) -> None:
    """moto takes each subclass for a type that it knows."""
    for type in TYPES:
        _TYPES.append(_model_of(type, url, credentials))


_TYPES: list[type] = []  # a class that nobody holds is no subclass any more


def _model_of(type: str, url: str, credentials: dict[str, str]) -> type:
    service, make, unmake, named = TYPES[type]

    def client(region: str):
        return boto3.client(service, endpoint_url=url, **(credentials | {"region_name": region}))

    class Model(CloudFormationModel):
        __module__ = f"moto.{service}.models"  # by which moto resets what it holds

        def __init__(self, name: str, arn: str):
            self.physical_resource_id, self._arn = name, arn

        @staticmethod
        def cloudformation_name_type():
            return named

        @staticmethod
        def cloudformation_type():
            return type

        @classmethod
        def has_cfn_attr(cls, attr):
            return attr == "Arn"

        def get_cfn_attribute(self, attribute_name):
            return self._arn

        @classmethod
        def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **_):
            name = resource_name[-64:]
            made = getattr(client(region_name), make)(**{**cloudformation_json["Properties"], named: name})
            return cls(name, next((arn for key, arn in made.items() if key.endswith("Arn")), ""))

        @classmethod
        def delete_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name):
            names = [resource_name] if unmake == "delete_alarms" else resource_name
            group = {key: value for key, value in cloudformation_json["Properties"].items() if key == "GroupName"}
            getattr(client(region_name), unmake)(
                **group, **{"AlarmNames" if unmake == "delete_alarms" else named: names}
            )

    return Model
