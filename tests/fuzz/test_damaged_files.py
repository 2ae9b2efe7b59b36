"""Damaged files end in an answer or in a sentence: some of each format, `make fuzz` for more."""

import pytest

from featrank.tables.format import suffixes

from .cases import Fuzzer
from .children import KEPT, Child
from .good_files import good_files
from .outcomes import ANSWER, Outcome, of_exit, of_sentence

GOODS = {good.name: good for good in good_files()}
EACH = 10
SEED = 0


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory):
    with Child() as child:
        yield Fuzzer(child, tmp_path_factory.mktemp("fuzz"), KEPT)


def test_every_suffix_is_among_them():
    files = [good.data for good in GOODS.values()]
    assert [end for end in suffixes() if not any(name.endswith(end) for name in files)] == []


@pytest.mark.parametrize("good", GOODS.values(), ids=GOODS)
def test_the_good_file_is_answered_in_every_way(good, fuzzer):
    assert [found for found in fuzzer.undamaged(good) if found.kind != ANSWER] == []


# Each damaged file of HDF5 is first opened in a process of its own.
HDF5 = ("h5", "hdf5", "h5ad", "h5ad, sparse", "mat 7.3")
EVERY_GOOD = [
    pytest.param(good, marks=[pytest.mark.slow] if name in HDF5 else [], id=name)
    for name, good in GOODS.items()
]


@pytest.mark.parametrize("good", EVERY_GOOD)
def test_damaged_files_are_answered_or_refused(good, fuzzer):
    cases = fuzzer.cases(good, SEED, range(EACH))
    assert [str(case) for case in cases if not case.outcome.fine] == []


def test_a_case_is_the_same_again(fuzzer):
    """By its seed and number, and from the folder that is left."""
    good, told = GOODS["csv"], []
    for _ in range(2):
        case = fuzzer.case(good, SEED, 3)
        told.append((case.outcome, (fuzzer.place / "data.csv").read_bytes()))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("call", "kind"),
    [("segfault", "signal"), ("hang", "timeout"), ("fill_memory", "memory"), ("stray", "raised")],
)
def test_what_is_neither_is_noticed(call, kind):
    with Child(patience=1 if call == "hang" else 60, bare=True) as child:
        question = {"data": "/", "options": {}, "how": {}, "call": f"misbehave:{call}"}
        assert child.ask(question).kind == kind
        child.patience = 60
        assert child.ask({**question, "call": "misbehave:nothing"}).kind == ANSWER


@pytest.mark.parametrize(
    ("printed", "kind"),
    [
        ("error: Unexpected KeyError: 'x' (FEATRANK_DEBUG=1 shows where).", "unexpected"),
        ("thread 'main' panicked at src/lib.rs:1\nerror: It is damaged.", "panic"),
        ("error: Use allow_pickle=True to load it.", "advice on pickles"),
        ("Traceback (most recent call last):\n  a b.", "traceback"),
        ("KeyError", "no sentence"),
    ],
)
def test_what_is_no_clean_refusal(printed, kind):
    assert of_exit(1, printed).kind == of_sentence(printed).kind == kind
    assert of_exit(139, "").kind == "exit code"
    assert of_exit(2, "error: There is no file 'a b'. Check the path.").fine
    assert Outcome("signal").fine is False
