"""cfn-lint and checkov read the packaged template of every parameter set.

Proven: cfn-lint finds no error and no warning by AWS' own resource schemas; checkov finds nothing that docs/security.md
does not answer, and what is answered is still found.

Not seen by them: whether the parts work together, and what a value means. What cfn-lint finds is ignored here by its id
alone; what checkov finds, by a row of the table "What a scanner finds".
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, SETS

IGNORED = {
    "W3005": "The framework writes DependsOn from each route to its integration, beside the reference to it.",
}


@pytest.mark.parametrize("name", SETS)
def test_cfn_lint_finds_no_error_and_no_warning(templates, name):
    region = (templates / name / "region").read_text()
    template = templates / name / "cloudformation-template-update-stack.json"
    command = [Path(sys.executable).with_name("cfn-lint"), "-r", region, "-f", "json", "-i", *IGNORED, "-t", template]

    found = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)

    assert [(one["Rule"]["Id"], one["Message"]) for one in found] == []


@pytest.fixture(scope="module")
def findings(templates):
    """The ids of checkov's findings, with their names, for each of two parameter sets."""
    files = {
        name: str(templates / name / "cloudformation-template-update-stack.json") for name in ("default", "everything")
    }
    options = ["--framework", "cloudformation", "--output", "json", "--quiet", "--compact", "--skip-download"]
    command = [os.environ["INTEROP_CHECKOV"], *options, *(word for file in files.values() for word in ("--file", file))]
    report = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    failed = report["results"]["failed_checks"]
    assert report["summary"]["passed"] > 500
    return {
        name: {one["check_id"]: one["check_name"] for one in failed if one["file_abs_path"] == file}
        for name, file in files.items()
    }


def test_checkov_finds_only_what_the_security_page_answers(findings):
    answered = set(re.findall(r"^\| `(CKV_\w+)`", (ROOT / "docs/security.md").read_text(), re.MULTILINE))
    found = findings["default"] | findings["everything"]

    assert {id: name for id, name in found.items() if id not in answered} == {}
    assert answered - set(found) == set(), "answered, and no longer found"


def test_parameters_end_the_findings_that_they_are_an_answer_to(findings):
    assert {"CKV_AWS_158"} & set(findings["default"]) == {"CKV_AWS_158"}  # logKmsKeyArn
    assert "CKV_AWS_158" not in findings["everything"]
