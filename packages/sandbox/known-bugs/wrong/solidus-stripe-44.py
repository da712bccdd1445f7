"""https://github.com/solidusio/solidus_stripe/issues/44: one charge when the customer authorises, one with the order."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from shop import Shop, db, gateway, new_id, serve  # noqa: E402


class Wrong(Shop):
    def order(self, number):
        row = db.insert(number, {"id": new_id(), "state": "new", "shipped": 0})
        gateway.payin(f"intent-{number}", number)
        if row["state"] == "new":
            self.send(number, row)


serve(Wrong())
