"""An order is paid in one transaction and delivered in another, and nobody sweeps what lies between."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
import time  # noqa: E402

from shop import Shop, db, serve  # noqa: E402


class Wrong(Shop):
    def ship(self, number):
        if db.update(number, {"state": "paid"}, lambda row: row["state"] != "paid"):
            # The mail to the warehouse takes a moment.
            time.sleep(0.3)
            db.update(number, {"shipped": 1})


serve(Wrong())
