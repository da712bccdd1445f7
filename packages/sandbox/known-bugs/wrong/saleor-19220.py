"""https://github.com/saleor/saleor/issues/19220: the callback finishes a checkout, and its completion beside it pays again."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from shop import Shop, db, gateway, new_id, serve, taken  # noqa: E402


class Wrong(Shop):
    def order(self, number):
        row = db.insert(number, {"id": new_id(), "state": "new", "shipped": 0})
        if row["state"] == "open":
            return
        # What is paid already is charged again: only an open payment is found.
        id = row["id"] if row["state"] == "new" else new_id()
        if not taken(gateway.payin(id, number)):
            raise OSError("not taken")
        db.update(number, {"state": "open"}, lambda row: row["state"] == "new")


serve(Wrong())
