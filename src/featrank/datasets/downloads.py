"""Download of the public data sets: from OpenML, or as a CSV matrix."""

import csv
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import numpy as np

from featrank import tables
from featrank._utils.progress import report
from featrank.datasets.dataset import numbered
from featrank.datasets.places import Arrays
from featrank.datasets.registry import Source
from featrank.exceptions import DataError, FeatrankError, missing_extra

#: The server of the OpenML API. Set the environment variable ``FEATRANK_OPENML`` to use another.
OPENML = "https://www.openml.org"

_SECONDS = 60
_OWN = ("127.0.0.1", "::1", "localhost")


def download(source: Source) -> Arrays:
    """Return a public data set as downloaded, not yet verified."""
    with tempfile.TemporaryDirectory(prefix="featrank-") as folder:
        if source.openml is not None:
            return _from_openml(source, Path(folder))
        return _from_matrix(source, Path(folder))


def by_hand(source: Source) -> str:
    """Return a sentence that explains what to do if a download fails."""
    return (
        f"You can also save the data as {source.name}.npz (arrays X and y) and set the environment "
        "variable FEATRANK_DATA to its folder."
    )


def _from_openml(source: Source, folder: Path) -> Arrays:
    about = _openml_description(source, folder)
    path = folder / f"{source.name}.arff"
    _retrieve(source, about["url"], path)
    _check_md5(source, path, about)
    try:
        table = tables.read_table(
            path,
            target=about.get("default_target_attribute") or "-1",
            drop=[*_listed(about, "row_id_attribute"), *_listed(about, "ignore_attribute")],
            missing="keep",
        )
    except FeatrankError as error:
        raise _unusable(source, about["url"], str(error)) from error
    X = table.X if isinstance(table.X, np.ndarray) else table.X.toarray()
    y = np.asarray(table.y)
    return Arrays(
        X.astype(np.float64), y.astype(str) if y.dtype.kind == "O" else y, table.feature_names
    )


def _openml_description(source: Source, folder: Path) -> dict[str, Any]:
    base = os.environ.get("FEATRANK_OPENML") or OPENML
    address = f"{base.rstrip('/')}/api/v1/json/data/{source.openml}"
    path = folder / "description.json"
    _retrieve(source, address, path)
    try:
        about: dict[str, Any] = json.loads(path.read_bytes())["data_set_description"]
        about["url"]
    except (ValueError, KeyError, TypeError) as error:
        reason = "a JSON description with the address of the data was expected."
        raise _unusable(source, address, reason) from error
    return about


def _listed(about: dict[str, Any], key: str) -> list[str]:
    names = about.get(key) or []
    return [names] if isinstance(names, str) else list(names)


def _check_md5(source: Source, path: Path, about: dict[str, Any]) -> None:
    expected = about.get("md5_checksum")
    got = hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
    if expected and got != expected:
        reason = f"its MD5 checksum should be {expected} and is {got}. Try again later."
        raise _unusable(source, about["url"], reason)


def _from_matrix(source: Source, folder: Path) -> Arrays:
    address = str(source.matrix_url)
    path = folder / f"{source.name}.csv"
    _retrieve(source, address, path)
    try:
        values = _numbers(path, source.shape[0])
    except ValueError as error:
        raise _unusable(source, address, f"a CSV of numbers was expected, but {error}.") from error
    y = np.repeat(list(source.classes), list(source.classes.values()))
    return Arrays(values.T, y, numbered("gene", len(values)))


def _numbers(path: Path, n_samples: int) -> np.ndarray:
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = [row for row in csv.reader(file) if row]
    if rows and not _is_number(rows[0][-1]):
        rows = rows[1:]
    values = np.array(rows)
    # Spreadsheets and R write row names as an additional column.
    if values.ndim == 2 and values.shape[1] == n_samples + 1:
        values = values[:, 1:]
    return np.atleast_2d(values.astype(np.float64))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _retrieve(source: Source, address: str, path: Path) -> None:
    try:
        import pooch
    except ImportError:
        raise missing_extra("pooch", "data", f"Downloading the data set '{source.name}'") from None
    try:
        _require_https(source, address)
        loader = pooch.HTTPDownloader(
            _Reporter(),
            chunk_size=1 << 16,
            timeout=_SECONDS,
            hooks={"response": lambda answer, **_: _check_redirect(source, answer)},
        )
        loader(address, str(path), None)
    except FeatrankError:
        raise
    # Errors of requests are OSErrors; invalid addresses raise ValueError.
    except (OSError, ValueError) as error:
        raise DataError(
            f"Cannot download the data set '{source.name}' from {address}: {_reason(error)}. "
            f"Check the network and try again. {by_hand(source)}"
        ) from error


def _check_redirect(source: Source, answer: Any) -> None:
    if answer.is_redirect:
        _require_https(source, urljoin(answer.url, answer.headers["location"]))


def _require_https(source: Source, address: str) -> None:
    """Reject addresses without https, except on this computer."""
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _OWN):
        raise DataError(
            f"Cannot download the data set '{source.name}' from {address}: only addresses that "
            f"begin with https:// are allowed. {by_hand(source)}"
        )


class _Reporter:
    """A progress bar for pooch that reports the number of downloaded bytes."""

    total = 0

    def __init__(self) -> None:
        self._done = 0

    def update(self, count: int) -> None:
        self._done = min(self._done + count, self.total)
        # Some servers do not send the size.
        if self.total:
            report(self._done, self.total)

    def reset(self) -> None:
        self._done = 0

    def close(self) -> None:
        pass


def _reason(error: Exception) -> str:
    response = getattr(error, "response", None)
    if response is not None:
        return f"the server answered {response.status_code} {response.reason}"
    return f"the connection failed or broke off ({type(error).__name__})"


def _unusable(source: Source, address: str, reason: str) -> DataError:
    return DataError(
        f"What {address} sent cannot be used as the data set '{source.name}': {reason} "
        f"{by_hand(source)}"
    )
