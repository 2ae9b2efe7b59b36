"""One module per command: its ``command``, and its place in the list of commands, ``ORDER``."""
