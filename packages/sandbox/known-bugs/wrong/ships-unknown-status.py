"""Whatever is not open and not failed is paid: also a status that nobody has heard of."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from shop import Shop, db, gateway, serve  # noqa: E402


class Wrong(Shop):
    def refresh(self, number):
        row = db.get(number)
        if row is None or row["state"] == "paid":
            return
        status, amount, currency = gateway.status_of(row["id"])
        isOpen = status in ("CREATED", "PENDING", "FAILED", "EXPIRED")
        if not isOpen and (amount, currency) == tuple(self.price.values()):
            self.ship(number)


serve(Wrong())
