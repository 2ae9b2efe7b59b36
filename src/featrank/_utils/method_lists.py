"""Names of the methods that work in a single pass, select a number of features, or accept NaN.

The classes have this information too, but help and error messages must not import all classes, and
the modules that read data are in a lower layer.
"""

# methods: begin (make docs)
SINGLE_PASS = ("ec-fs", "fisher", "inf-fs-s", "mi", "moderated-t", "trace-ratio")
SELECT = ("boruta", "cfs", "fcbf", "l0")
ACCEPT_NAN = ("relieff",)
ACCEPT_NAN_FOR_REGRESSION = ("relieff",)
# methods: end
