"""openapi-python-client makes a Python client of docs/openapi.json, which calls operations of the local stack.

Proven: the generator takes the whole document without a warning; its functions, models and error types carry calls of
both connectors, an enqueue that the consumer carries, and a refusal, to the values that were written.

Not seen by it: what it leaves out of a schema (patterns, bounds, which parameters go together), and operations that are
not called here.
"""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, wait_until

OPERATIONS = 60


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The package, and what the generator printed."""
    folder = tmp_path_factory.mktemp("generated")
    tool = Path(sys.executable).with_name("openapi-python-client")
    command = [tool, "generate", "--path", ROOT / "docs/openapi.json", "--output-path", folder / "client", "--meta", "none"]
    printed = subprocess.run(command, capture_output=True, text=True)
    sys.path.insert(0, str(folder))
    return printed


def module(name: str):
    return importlib.import_module(f"client.{name}")


@pytest.fixture(scope="module")
def client(stack, made):
    """Asks for JSON: XADD's id is plain text for those who do not, and this client reads no text."""
    return module("client").Client(base_url=stack.url, headers={"accept": "application/json"})


def test_generator_takes_every_operation_without_a_warning(made):
    assert (made.returncode, "WARNING" in made.stdout + made.stderr) == (0, False), made.stdout + made.stderr
    made_of = [file for file in Path(sys.path[0], "client/api").glob("*/*.py") if file.name != "__init__.py"]
    assert len(made_of) >= OPERATIONS


def test_entry_of_an_operation_is_read_by_another(client):
    add, read = module("api.streams.stream_xadd"), module("api.streams.stream_xrange")
    models = module("models")
    entry = models.StreamXaddInputEntryType0.from_dict({"city": "Köln", "n": "1"})

    id = add.sync(client=client, body=models.StreamXaddInput(key="generated", entry=entry))
    entries = read.sync(client=client, body=models.StreamXrangeInput(key="generated", start="-", end="+"))

    assert entries.to_dict() == {id: {"city": "Köln", "n": "1"}}


def test_enqueued_record_is_carried_and_read_with_its_values(client):
    enqueue, read = module("api.records.mdm_source_enqueue"), module("api.records.mdm_source_read")
    models = module("models")
    place = {"business_entity": "c360.city", "source_system": "geonames", "source_p_key": "generated-1"}
    record = models.MdmSourceEnqueueInputSubmitChangeRecord.from_dict({"name": "Köln", "country": {"Code": "DE"}})

    enqueued = enqueue.sync(client=client, body=models.MdmSourceEnqueueInputSubmitChange(**place, record=record))
    assert enqueued.stream.startswith("source-submit:")

    def reading():
        return read.sync_detailed(client=client, body=models.MdmSourceReadInput(**place))

    wait_until(lambda: reading().status_code == 200)
    assert reading().parsed.payload.to_dict()["name"] == "Köln"


def test_refusal_is_a_problem_with_its_type(client):
    pending, models = module("api.streams.stream_xpending"), module("models")

    response = pending.sync_detailed(client=client, body=models.StreamXpendingInputPendingSummary(key="no", group="g"))

    assert (response.status_code, response.parsed.type_.value) == (404, "STREAM:COMMAND")
    assert response.parsed.detail and response.parsed.request_id


def test_status_of_the_consumer_has_a_row_for_each_shard(client):
    rows = module("api.consumer.stream_status").sync(client=client, body=module("models").StreamStatusInput())

    assert [(row.stream, row.group) for row in rows] == [(f"source-submit:{shard}", "mdm") for shard in range(2)]
