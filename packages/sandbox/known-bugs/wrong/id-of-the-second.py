"""The id is made from the order's number and the second of the try."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
import time  # noqa: E402

from shop import Shop, db, gateway, serve, taken  # noqa: E402


class Wrong(Shop):
    def order(self, number):
        if (db.get(number) or {}).get("state") == "open":
            return
        id = f"{number}-{int(time.time())}"
        db.insert(number, {"id": id, "state": "new", "shipped": 0})
        if not taken(gateway.payin(id, number)):
            raise OSError("not taken")
        db.update(number, {"id": id, "state": "open"}, lambda row: row["state"] == "new")


serve(Wrong())
