"""Small functions on strings."""

from featrank._utils.plain_text import split_names


def test_names_are_a_list_or_a_string_with_commas():
    assert split_names("-, unknown,") == ("-", "unknown")
    assert split_names([9, "x"]) == ("9", "x")
    assert split_names("") == ()
