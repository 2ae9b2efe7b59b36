"""Which features the best method of a comparison can claim."""

import json

import numpy as np
import pytest

from featrank.evaluation import Protocol, compare, read_comparison
from featrank.exceptions import DataError
from featrank.report import comparison_html_report
from featrank.statistics import best_method

PROTOCOL = Protocol(n_repeats=5, n_features=(2, 5), C=(0.1,), n_permutations=20)
PLANTED = 5


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 80)), np.arange(60) % 2
    X[:, :PLANTED] += 2.0 * y[:, None]
    return X, y


def test_the_best_method_claims_the_planted_features(data, tmp_path):
    result = compare(*data, ["fisher", "mi"], PROTOCOL, out_dir=tmp_path)
    assert result.claims.method == best_method(result)
    claimed = np.flatnonzero(result.claims.support)
    assert set(range(PLANTED)) <= set(claimed.tolist())
    assert len(claimed) <= PLANTED + 2
    read = read_comparison(tmp_path).claims
    np.testing.assert_array_equal(read.q_values, result.claims.q_values)
    assert read.to_dict() == result.claims.to_dict()


def test_the_answer_shows_q_values_and_what_can_be_claimed(data):
    result = compare(*data, ["fisher"], PROTOCOL)
    answer = comparison_html_report(result).content["answer"]
    assert answer["claims"]["selected"] == result.claims.n_selected
    by_name = dict(zip([f"x{j}" for j in range(80)], result.claims.q_values, strict=True))
    assert all(row["q_value"] == by_name[row["feature"]] for row in answer["named"])
    html = comparison_html_report(result).html()
    assert f"{result.claims.n_selected} of 80 features can be claimed" in html
    assert "False discovery rates of fisher were estimated" in result.methods_section()


def test_the_result_does_not_depend_on_workers_or_interruptions(data, tmp_path):
    one = compare(*data, ["fisher"], PROTOCOL, out_dir=tmp_path)
    (tmp_path / "claims.json").unlink()
    two = compare(*data, ["fisher"], PROTOCOL, out_dir=tmp_path, resume=True, n_jobs=2)
    np.testing.assert_array_equal(one.claims.q_values, two.claims.q_values)


def test_methods_without_a_target_or_a_known_cost_claim_nothing(data):
    assert compare(*data, ["laplacian"], PROTOCOL).claims is None
    own = compare(*data, {"mine": lambda X, y: abs(np.corrcoef(X.T, y)[-1, :-1])}, PROTOCOL)
    assert own.claims is None


def test_a_damaged_file_is_an_error_that_names_it(data, tmp_path):
    compare(*data, ["fisher"], PROTOCOL, out_dir=tmp_path)
    file = tmp_path / "claims.json"
    stored = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(stored | {"q_values": [0.5]}), encoding="utf-8")
    with pytest.raises(DataError, match=r"claims.json' cannot be read: .*Delete it"):
        read_comparison(tmp_path)
