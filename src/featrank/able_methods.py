"""Which methods read data in parts or take gaps, for those who chose another: for texts alone.

The classes say it themselves; but help would have to import all of them, and what reads data lies
below them.
"""

# methods: begin (make docs)
ON_SUMMARIES = ("ec-fs", "fisher", "inf-fs-s", "mi", "trace-ratio")
TAKE_GAPS = ("relieff",)
TAKE_GAPS_FOR_QUANTITIES = ("relieff",)
# methods: end
