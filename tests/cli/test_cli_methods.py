import csv
import io
import json

import featrank
from featrank import ECFS


def test_json_says_what_the_classes_say(run):
    facts = {
        entry["name"]: entry for entry in json.loads(run("methods", "--format", "json").stdout)
    }
    assert set(facts) == set(featrank.methods())
    assert facts["ec-fs"]["complexity"] == ECFS.complexity
    assert facts["ec-fs"]["published_complexity"] == ECFS.published_complexity
    assert facts["ec-fs"]["supervised"] is True
    assert facts["ec-fs"]["params"]["alpha"] == "cv"


def test_csv_in_a_pipe_has_a_row_a_method(run):
    entries = list(csv.DictReader(io.StringIO(run("methods").stdout)))
    assert [entry["name"] for entry in entries] == list(featrank.methods())
    assert entries[0]["reference"]


def test_table_has_the_columns_of_the_paper(run):
    lines = run("methods", "--format", "table").stdout.splitlines()
    heading = next(line for line in lines if "Method" in line).split()
    assert heading == ["Method", "Type", "Class", "Complexity", "Published", "Reference"]
    row = next(line for line in lines if "ec-fs" in line)
    assert "filter" in row
    assert "supervised" in row
    assert ECFS.published_complexity in row
