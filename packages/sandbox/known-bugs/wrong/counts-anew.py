"""Ids are counted in memory, and begin again after a restart."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
import itertools  # noqa: E402

from shop import Shop, db, serve  # noqa: E402

ids = itertools.count(1)


class Wrong(Shop):
    def order(self, number):
        row = db.get(number) or db.insert(number, {"id": f"order-{next(ids)}", "state": "new", "shipped": 0})
        if row["state"] == "new":
            self.send(number, row)


serve(Wrong())
