"""One module per file format, found by walking this package.

Each declares what it is (``FORMAT``) and what can be done with such a file:

- ``read(path, options)`` returns a :class:`~featrank.tables.Table`,
- ``open(path, options)`` returns a :class:`~featrank.sources.Source`, which is read in chunks,
- ``write(path, table)`` saves a table.

Every module is imported to print a line of help, so heavy packages, NumPy included, are imported
by the functions that need them. The registry is in :mod:`featrank.tables.format`.
"""

# The registry imports every module of this package, so it comes first.
import featrank.tables  # noqa: F401
