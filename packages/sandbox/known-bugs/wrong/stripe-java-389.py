"""https://github.com/stripe/stripe-java/issues/389: the same key again is refused, and that is taken for a failure."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from shop import Shop, db, gateway, new_id, serve  # noqa: E402


class Wrong(Shop):
    def order(self, number):
        row = db.insert(number, {"id": new_id(), "state": "new", "shipped": 0})
        if row["state"] != "new":
            return
        status = gateway.payin(row["id"], number)
        if status == 409:
            db.update(number, {"state": "failed"})
        if status >= 300:
            raise OSError("not taken")
        db.update(number, {"state": "open"}, lambda row: row["state"] == "new")

    def refresh(self, number):
        if (db.get(number) or {}).get("state") != "failed":
            super().refresh(number)


serve(Wrong())
