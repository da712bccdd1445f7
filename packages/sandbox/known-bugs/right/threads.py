"""One thread for each request, SQLite, and a compare-and-set for each change of state."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from shop import Shop, serve  # noqa: E402

serve(Shop())
