"""moto's IAM enforcement, with what it leaves out of a question: the resource, and the key of a secret.

moto asks policies about the resource `*` in most services, calls Lambda's right `lambda:Invoke`, refuses in XML
whatever the service speaks, and never asks about KMS. Here a call is asked about by its ARN and by IAM's name, and
GetSecretValue of a secret with a key of its own also needs kms:Decrypt, as AWS says. The decisions are moto's, by the
stack's policies.
"""

import json
import re
import urllib.request
from contextlib import contextmanager
from urllib.parse import unquote

from moto.core.exceptions import JsonRESTError
from moto.iam import access_control
from moto.secretsmanager.models import secretsmanager_backends

from stacks import as_json, is_allowed

ACTIONS = {"lambda:Invoke": "lambda:InvokeFunction"}
SPEAKS_XML = {"ec2", "iam", "sns", "sts"}


class AskedRequest(access_control.IAMRequest):
    """A request that moto asks policies about."""

    def check_action_permitted(self, resource: str) -> None:
        action = ACTIONS.get(self._action, self._action)
        for one in self._resources() or [resource]:
            if action != "sts:GetCallerIdentity" and not self._may(action, one):
                self._refuse(f"User: {self._access_key.arn} is not authorized to perform: {action} on resource: {one}")
        key = self._secret().kms_key_id if action == "secretsmanager:GetSecretValue" and self._secret() else None
        if key and not self._may(
            "kms:Decrypt", key, {"kms:ViaService": f"secretsmanager.{self._region}.amazonaws.com"}
        ):
            self._refuse("Access to KMS is not allowed")

    def _may(self, action: str, resource: str, conditions: dict[str, str] | None = None) -> bool:
        return is_allowed([as_json(one) for one in self._access_key.collect_policies()], action, resource, conditions)

    def _refuse(self, message: str) -> None:
        if self._service in SPEAKS_XML:
            self._raise_access_denied()
        error = JsonRESTError("AccessDeniedException", message)
        error.code = 403
        raise error

    def _resources(self) -> list[str]:
        """The ARNs that the call is about; none if it is about all."""
        match self._service:
            case "secretsmanager":
                secret, id = self._secret(), json.loads(self._body).get("SecretId")
                return [secret.arn if secret else self._arn(f"secret:{id}-AbCdEf")]
            case "lambda":
                name = re.search(r"/functions/([^/?]+)", unquote(self._path))
                return [self._arn(f"function:{name[1].split(':')[-1]}")] if name else []
            case "sns":
                return self._data.get("TopicArn", [])  # a form
            case "events":
                return [one["EventBusName"] for one in json.loads(self._body).get("Entries", [])]
            case "logs":
                told = json.loads(self._body)
                return [self._arn(f"log-group:{told['logGroupName']}:log-stream:{told.get('logStreamName', '')}")]
        return []

    def _arn(self, rest: str) -> str:
        return f"arn:aws:{self._service}:{self._region}:{self.account_id}:{rest}"

    def _secret(self):
        secrets = secretsmanager_backends[self.account_id][self._region].secrets
        id = json.loads(self._body).get("SecretId")
        return secrets[id] if id in secrets else None


access_control.IAMRequest = AskedRequest


@contextmanager
def enforced(url: str):
    """From here on, moto at this address refuses what no policy allows."""
    _set_calls_before_enforcement(url, "0")
    try:
        yield
    finally:
        _set_calls_before_enforcement(url, "inf")


def _set_calls_before_enforcement(url: str, count: str) -> None:
    """INITIAL_NO_AUTH_ACTION_COUNT of moto's settings."""
    plain = {"content-type": "text/plain"}
    urllib.request.urlopen(urllib.request.Request(f"{url}/moto-api/reset-auth", count.encode(), plain))
