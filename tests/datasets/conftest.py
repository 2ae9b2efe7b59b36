import hashlib
import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from featrank.datasets import REGISTRY, Source
from featrank.datasets.checks import values_checksum

X = np.array([[0.1, -2.0, 30.0], [0.2, np.nan, 31.0], [0.3, 2.5, 32.0], [0.4, 4.0, 33.0]])
Y = np.array(["sick", "well", "sick", "sick"])
ARFF = """@relation tiny
@attribute g1 numeric
@attribute g2 numeric
@attribute g3 numeric
@attribute state {well, sick}
@data
0.1,-2,30,sick
0.2,?,31,well
0.3,2.5,32,sick
0.4,4,33,sick
"""


class Server:
    """A web server on this computer that answers what a test tells it to."""

    def __init__(self, httpd):
        self.address = f"http://127.0.0.1:{httpd.server_address[1]}"
        self.pages = {}
        self.redirects = {}
        self.hits = Counter()

    def serve_openml(self, number, arff, **description):
        about = {
            "url": f"{self.address}/files/{number}.arff",
            "md5_checksum": hashlib.md5(arff.encode()).hexdigest(),
            "default_target_attribute": "state",
        }
        self.pages[f"/files/{number}.arff"] = arff
        self.pages[f"/api/v1/json/data/{number}"] = json.dumps(
            {"data_set_description": about | description}
        )


class Truncated(str):
    """A page whose server promises more than it sends."""


def handler_of(server_of):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            server = server_of()
            server.hits[self.path] += 1
            if self.path in server.redirects:
                self.send_response(302)
                self.send_header("Location", server.redirects[self.path])
                self.end_headers()
                return
            page = server.pages.get(self.path)
            if page is None:
                self.send_error(404)
                return
            body = page.encode()
            self.send_response(200)
            promised = len(body) * (2 if isinstance(page, Truncated) else 1)
            self.send_header("Content-Length", str(promised))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    return Handler


@pytest.fixture
def server(monkeypatch):
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(lambda: server))
    server = Server(httpd)
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("FEATRANK_OPENML", server.address)
    yield server
    httpd.shutdown()
    httpd.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache of the test's own, and no other place to find data in."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("FEATRANK_CACHE", str(folder))
    monkeypatch.delenv("FEATRANK_DATA", raising=False)
    return folder


@pytest.fixture
def tiny(monkeypatch):
    """A small data set in the registry, with a missing value."""
    source = Source(
        name="tiny",
        description="Four patients.",
        citation="None.",
        licence="None.",
        shape=X.shape,
        classes={"sick": 3, "well": 1},
        openml=7,
        values_sha256=values_checksum(X, Y),
    )
    monkeypatch.setitem(REGISTRY, "tiny", source)
    return source


@pytest.fixture
def tiny_arrays():
    return {"X": X.copy(), "y": Y.copy()}


@pytest.fixture
def tiny_arff():
    return ARFF


@pytest.fixture
def truncated():
    return Truncated
