# The compiled module; its functions are typed by the wrappers in kernels/.
from typing import Any

def __getattr__(name: str) -> Any: ...
