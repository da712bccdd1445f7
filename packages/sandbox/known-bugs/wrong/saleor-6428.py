"""https://github.com/saleor/saleor/issues/6428: an order is called fully paid when its payment has failed."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from shop import Shop, db, gateway, serve  # noqa: E402


class Wrong(Shop):
    def refresh(self, number):
        row = db.get(number)
        if row is None or row["state"] == "paid":
            return
        # Processed is not paid.
        if gateway.status_of(row["id"])[0] not in ("CREATED", "PENDING"):
            self.ship(number)


serve(Wrong())
