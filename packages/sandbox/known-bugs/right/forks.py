"""A process for each request: nothing is shared but the database."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from http.server import HTTPServer  # noqa: E402
from socketserver import ForkingMixIn  # noqa: E402

from shop import Shop, serve  # noqa: E402


class Forking(ForkingMixIn, HTTPServer):
    request_queue_size = 64


serve(Shop(), Forking)
