"""Which methods read in parts, take gaps, or say how many features to keep: for texts alone.

The classes say it themselves; but help would have to import all of them, and what reads data lies
below them.
"""

# methods: begin (make docs)
ON_SUMMARIES = ("ec-fs", "fisher", "inf-fs-s", "mi", "trace-ratio")
SELECT = ("boruta", "cfs", "fcbf", "l0")
TAKE_GAPS = ("relieff",)
TAKE_GAPS_FOR_QUANTITIES = ("relieff",)
# methods: end
