"""A server between the product and moto, which keeps each request, and reads it by AWS' own models (botocore)."""

import json
import operator
import re
import threading
from dataclasses import dataclass
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

import botocore.session
from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.serialize import create_serializer
from botocore.validate import ParamValidator
from moto.core.parse import PROTOCOL_PARSERS
from moto.core.request import Request, determine_request_protocol
from moto.core.routing import get_service_router
from moto.core.utils import get_service_model

FORM = "application/x-www-form-urlencoded"
CREDENTIALS = Credentials("test", "test")
# Names of services in signatures, where those of their models differ.
MODELS = {"monitoring": "cloudwatch"}


@dataclass(frozen=True)
class Recorded:
    """A request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def scope(self) -> tuple[str, str]:
        """The region and the service that it is signed for."""
        return re.search(r"Credential=[^/]+/\d{8}/([^/]+)/([^/]+)/", self.headers["authorization"]).groups()

    @property
    def service(self) -> str:
        return MODELS.get(self.scope[1], self.scope[1])

    @property
    def url(self) -> str:
        return f"http://{self.headers['host']}{self.target}"

    @property
    def protocol(self) -> str:
        return determine_request_protocol(get_service_model(self.service), self.headers.get("content-type"))

    def read(self) -> tuple[str, dict]:
        """The operation and its parameters."""
        request = Request.from_primitives(self.method, self.url, self.headers, self.body)
        operation, path = get_service_router(self.service).match(request)
        values = request.values.copy()
        values.update(path)
        names = {"query_params": request.args, "url_params": path, "uri_params": path, "url_path": request.path}
        parts = {"body": self.body, "headers": request.headers, "method": self.method, "values": values}
        return operation.name, PROTOCOL_PARSERS[self.protocol](operation).parse(parts | names)

    def faults(self) -> list[str]:
        """Parameters that the model refuses, and what botocore's serializer makes another of."""
        name, parameters = self.read()
        operation = botocore.session.get_session().get_service_model(self.service).operation_model(name)
        if operation.input_shape:
            report = ParamValidator().validate(parameters, operation.input_shape)
            if report.has_errors():
                return [f"{self.service}:{name}: {report.generate_report()}"]
        theirs = create_serializer(self.protocol, include_validation=False).serialize_to_request(parameters, operation)
        parts = {
            "method": (self.method, theirs["method"]),
            "path": (_path(self.target), _path(theirs["url_path"])),
            "body": (self._parsed(self.body), self._parsed(theirs["body"])),
        }
        for header, value in theirs["headers"].items():
            parts[header] = (self.headers.get(header.lower(), ""), str(value).split("; charset")[0])
        is_same = {"path": str.endswith}  # S3 puts the bucket before
        return [
            f"{self.service}:{name}: {part} {ours}, and {other} of botocore"
            for part, (ours, other) in parts.items()
            if not is_same.get(part, operator.eq)(ours, other)
        ]

    def _parsed(self, body: object) -> object:
        """A body by what it says: forms, and JSON."""
        if isinstance(body, dict):
            return {name: str(value) for name, value in body.items()}
        text = body.decode(errors="replace") if isinstance(body, bytes) else body
        match self.protocol:
            case "query":
                return dict(parse_qsl(text, keep_blank_values=True))
            case "json" | "rest-json":
                return json.loads(text or "{}")
        return None if text.startswith("<") else text  # XML says the same in several ways

    def is_signed(self) -> bool:
        """Whether botocore makes the same signature."""
        region, service = self.scope
        names = re.search(r"SignedHeaders=([^,]+)", self.headers["authorization"])[1].split(";")
        headers = {name: self.headers[name] for name in names}
        request = AWSRequest(method=self.method, url=self.url, headers=headers, data=self.body)
        request.context["timestamp"] = self.headers["x-amz-date"]
        auth = (S3SigV4Auth if service == "s3" else SigV4Auth)(CREDENTIALS, service, region)
        string = auth.string_to_sign(request, auth.canonical_request(request))
        return auth.signature(string, request) == self.headers["authorization"].rsplit("Signature=")[1]


class Recorder:
    """Forwards to moto what arrives at its `url`, but for actions that it answers itself, and invocations of functions
    that run elsewhere."""

    def __init__(self, moto_url: str, answers: dict[str, str]):
        self.requests: list[Recorded] = []
        self.functions_url: str | None = None
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                recorder.requests.append(Recorded(self.command, self.path, headers, body))
                form = body.decode() if headers.get("content-type", "").startswith(FORM) else ""
                action = dict(parse_qsl(form)).get("Action", "")
                if action in answers:
                    result = f"<{action}Response><{action}Result>{answers[action]}</{action}Result></{action}Response>"
                    result = result.encode()
                    return self.respond(200, {"content-type": "text/xml", "content-length": str(len(result))}, result)
                invoked = recorder.functions_url if self.path.endswith("/invocations") else None
                address = urlsplit(invoked or moto_url)
                upstream = HTTPConnection(address.hostname, address.port)
                upstream.request(self.command, self.path, body, _without(headers, "content-length"))
                response = upstream.getresponse()
                answer = response.read()
                length = response.getheader("content-length", "0") if self.command == "HEAD" else str(len(answer))
                given = {name.lower(): value for name, value in response.getheaders()}
                self.respond(response.status, _without(given, "connection") | {"content-length": length}, answer)

            def respond(self, status: int, headers: dict[str, str], body: bytes):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = forward

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()


def _path(target: str) -> str:
    return unquote(urlsplit(target).path).rstrip("/")


def _without(headers: dict[str, str], name: str) -> dict[str, str]:
    return {given: value for given, value in headers.items() if given not in (name, "transfer-encoding")}
