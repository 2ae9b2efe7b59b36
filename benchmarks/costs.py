"""Time every method on a wide and on a tall table. Run by: make bench-costs."""

import argparse
import json
import os
import tempfile
from pathlib import Path

from sklearn.datasets import make_classification

from featrank import kernels, methods
from featrank._utils.atomic_files import replacing
from methods import save
from timing import measure

RESULTS = Path(__file__).parents[1] / "src" / "featrank" / "base" / "measured_costs.json"
SHAPES = {"wide": (100, 20_000), "tall": (20_000, 100)}
CHOSEN = 50


def arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="names of methods")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds a fit may take")
    return parser.parse_args()


def main():
    """Measure each method on each shape, and keep the other methods in the file."""
    options = arguments()
    names = options.only or list(methods())
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    found = {name: own for name, own in known.get("methods", {}).items() if name in methods()}
    with tempfile.TemporaryDirectory() as folder:
        for shape, (n_samples, n_features) in SHAPES.items():
            X, y = make_classification(n_samples, n_features, random_state=0)
            save(Path(folder) / shape, X, y)
        for name in names:
            found[name] = {shape: seconds(name, Path(folder) / shape, options) for shape in SHAPES}
            print(name, found[name], flush=True)
            write(found, options.limit)


def seconds(name, folder, options):
    """Return the best time of several fits, or None above the limit or after an error."""
    one = measure(f"costs_task:{name.replace('-', '_')}", folder, options.limit)
    if one.reason:
        print(f"  {name}: {one.reason}", flush=True)
    return None if one.seconds is None else float(f"{one.seconds:.3g}")


def write(found, limit):
    """Write the file atomically."""
    content = {
        "made by": f"make bench-costs, on {os.cpu_count()} cores ({kernels.instruction_set()})",
        "shapes": SHAPES,
        "chosen": CHOSEN,
        "limit": limit,
        "methods": dict(sorted(found.items())),
    }
    with replacing(RESULTS) as temporary:
        temporary.write_text(lines(content), encoding="utf-8")


def lines(content):
    """Return JSON with one line per method, for readable diffs."""
    rows = [f"  {json.dumps(name)}: {json.dumps(own)}" for name, own in content["methods"].items()]
    head = json.dumps({key: value for key, value in content.items() if key != "methods"}, indent=1)
    return f'{head[:-2]},\n "methods": {{\n' + ",\n".join(rows) + "\n }\n}\n"


if __name__ == "__main__":
    main()
