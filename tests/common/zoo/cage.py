"""How a broken ranker enters the zoo."""

from ..sound import Sound

ZOO = []


def caught_by(*checks):
    """Put a class into the zoo; it inherits a docstring, as the docstring is checked too."""

    def enter(cls):
        cls.__doc__ = cls.__doc__ or Sound.__doc__
        ZOO.extend((cls, check) for check in checks)
        return cls

    return enter
