"""https://github.com/saleor/saleor/issues/11133: the payment of a checkout is created by two requests at a time."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from shop import Shop, db, gateway, new_id, serve, taken  # noqa: E402


class Wrong(Shop):
    def order(self, number):
        if db.get(number) is not None:
            return
        # Both have looked before one has written.
        id = new_id()
        if not taken(gateway.payin(id, number)):
            raise OSError("not taken")
        db.insert(number, {"id": id, "state": "open", "shipped": 0})


serve(Wrong())
