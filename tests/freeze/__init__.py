"""Freeze what featrank computes, so that a rebuild can be compared with the version before it.

The harness runs about 600 small calls (``cases.py``), records everything a user can observe, and
compares two recordings bit for bit. A call may return arrays, warn or raise. All three are
recorded.

Record the baseline and the new version, then compare them. Run the commands in the folder of the
checkout that has ``tests/freeze``. The interpreter decides which featrank is recorded::

    OLD/.venv/bin/python -m tests.freeze record /tmp/old
    NEW/.venv/bin/python -m tests.freeze record /tmp/new
    NEW/.venv/bin/python -m tests.freeze compare /tmp/old /tmp/new

``compare`` prints each difference and a count. Its exit code is 1 if a difference is not
explained. These options help during a rebuild:

``record --only PATTERN``
    Record only the cases whose names match, such as ``'out-of-core/*/ec-fs*'``. May be repeated.
``record --old-defaults``
    Give EC-FS the baseline's kernel and numbers of top features, so that everything else can be
    compared bit for bit.
``compare --messages ignore``
    Compare arrays, exception types, and the number and category of warnings, but not the wording.
``list``
    Print the names of all cases.

Where to change what:

``cases.py``, ``errors.py``
    The calls. Each is a function of a temporary folder, registered under a name.
``names.py``
    Every name that differs between versions: functions, keywords, attributes, flags and modules.
    It uses the new name if that exists and the old one otherwise.
``expected.py``
    Differences that are intended, each with its reason: replacements in the baseline's messages,
    and cases whose outcome changes. They are counted but do not fail the comparison.
``test_harness.py``
    Shows that the comparison detects five deliberate faults in EC-FS.

A recording is a folder with ``cases.json`` and ``arrays.npz``. Nothing in it is pickled. Paths of
temporary folders, durations and addresses are replaced before they are stored.
"""
