"""The word check finds phrases to avoid and leaves correct uses alone."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("check_words", ROOT / "docs/check_words.py")
check_words = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_words)

WRONG = [
    "The reason is told.",
    "It tells the classes.",
    "Tell whether it is a table.",
    "The target is a quantity.",
    "A doubtful ranking.",
    "It uses a mean in the place of NaN.",
    "Memory beside the data.",
    "It is computed anew.",
    "Sparse data is refused.",
    "The error names the way out.",
    "Methods are judged by AUC.",
    "The table has gaps.",
    "6 values are alike.",
    "Their likeness is high.",
    "A table that is turned.",
    "It reads so many rows at once.",
    "Of these the first wins.",
    "Rows, of which some are missing.",
    "It needs one label a row.",
    "VOC is no table.",
    "The run goes on from there.",
    "The file goes by its suffix.",
    "The column stands in the file.",
    "How many samples a row stands for.",
    "This speaks against it.",
    "The head of the list.",
    "Tested on made data.",
    "An honest trial.",
    "Labels are texts.",
    "The published figures differ.",
    "The paper's test rejects it.",
    "Margins of linear machines.",
    "Whoever listens shows it.",
    "Methods that choose one feature after the other.",
    "Test rows that are copies of training rows.",
]
RIGHT = [
    "The message tells you which column to use.",
    "The duality gap is small.",
    "There are no labels, and there is no header.",
    "A score that is no better than chance.",
    "A table turned into a matrix.",
    "So many rows that they do not fit.",
    "The readers of these formats.",
    "A support vector machine, or several support vector machines.",
    "The figure shows a curve, and all figures have titles.",
    "It needs two copies of X, and shuffled copies of features.",
    "Help texts of the command.",
    "Here `...` stands for the options.",
    "Besides, it is fast.",
    "A group of samples per class.",
]


def check(tmp_path, content, name="page.md"):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return list(check_words.find_hits(path))


@pytest.mark.parametrize("sentence", WRONG)
def test_a_phrase_to_avoid_is_found(tmp_path, sentence):
    (hit,) = check(tmp_path, f"First line.\n{sentence}\n")
    assert hit.line == 2
    assert hit.phrase.lower() in sentence.lower()
    assert str(hit).endswith(f":2: {hit.phrase} → {hit.better}")


def test_every_pattern_has_an_example(tmp_path):
    (tmp_path / "page.md").write_text("\n".join(WRONG), encoding="utf-8")
    found = {hit.better for hit in check_words.find_hits(tmp_path / "page.md")}
    assert found == set(check_words.PHRASES.values())


@pytest.mark.parametrize("sentence", RIGHT)
def test_a_correct_use_is_not_found(tmp_path, sentence):
    assert check(tmp_path, sentence) == []


def test_python_code_is_not_prose(tmp_path):
    code = 'told = gap(f"{quantity} samples of the table", "alike")\n'
    assert check(tmp_path, code, "module.py") == []


def test_comments_docstrings_and_messages_of_python_are_prose(tmp_path):
    code = '"""A module.\n\nThat is told.\n"""\n# A quantity.\nprint(f"{1} row is refused")\n'
    assert [hit.line for hit in check(tmp_path, code, "module.py")] == [3, 5, 6]


def test_the_exit_code_is_1_if_there_is_a_phrase(tmp_path, capsys):
    path = tmp_path / "page.md"
    path.write_text("It is told.\n", encoding="utf-8")
    assert check_words.main([str(path)]) == 1
    assert "page.md:1: told → reported" in capsys.readouterr().out
    path.write_text("It is reported.\n", encoding="utf-8")
    assert check_words.main([str(path)]) == 0


def test_a_correct_use_can_be_allowed_with_a_reason(tmp_path, monkeypatch):
    allowed = check_words.Allowed("page.md", "a told joke", "an idiom")
    monkeypatch.setattr(check_words, "ALLOWED", (allowed,))
    assert check(tmp_path, "It was a told joke.") == []
    assert len(check(tmp_path, "It was told.")) == 1
