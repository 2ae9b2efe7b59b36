import click
import pytest

from featrank.cli.commands import compare, rank
from featrank.cli.shell_terms import in_shell_terms, remember_command


@pytest.mark.parametrize(
    ("python", "shell"),
    [
        ('Use `missing="mean"` or `"median"`.', "Use --missing mean or median."),
        ("Use `transpose=True`.", "Use --transpose."),
        ("Name it with `target=...`.", "Name it with --target COL."),
        ("Use `missing=...`.", "Use --missing [error|skip|mean|median|knn]."),
        ("Leave out `target_bins`.", "Leave out --target-bins."),
        ("Use `n_jobs=2`.", "Use --jobs 2."),
        ("Use `alpha=0.3`.", "Use --param alpha=0.3."),
        ("Use `alphas=(0.1, 0.5)`.", "Use --param alphas=0.1,0.5."),
        ("Use `featrank.bin_target(y, 3)`.", "Use --target-bins 3."),
        ("Use `drop=['a', 'b']`.", "Use --drop a,b."),
        ("Use `X.drop(columns=['a', 'b'])`.", "Use --drop a,b."),
        ("Run compare with `resume=True`.", "Run compare with --resume."),
        ("`featrank methods` lists them.", "`featrank methods` lists them."),
        ("A column 'top=3' is not code.", "A column 'top=3' is not code."),
    ],
)
def test_parameters_become_options(python, shell):
    with click.Context(rank.command) as context:
        remember_command(context, rank.command)
        assert in_shell_terms(python) == shell


def test_other_commands_have_other_options():
    with click.Context(compare.command) as context:
        remember_command(context, compare.command)
        assert in_shell_terms("Use `n_repeats=50`.") == "Use --trials 50."
        assert in_shell_terms("Use `alpha=0.3`.") == "Use `alpha=0.3`."


def test_outside_of_a_command_a_message_stays():
    assert in_shell_terms("Use `transpose=True`.") == "Use `transpose=True`."
