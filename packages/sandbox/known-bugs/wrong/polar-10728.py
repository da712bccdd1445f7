"""https://github.com/polarsource/polar/pull/10728: a callback that comes before the order is stored is dropped for good."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from shop import Shop, db, gateway, new_id, serve, taken  # noqa: E402


class Wrong(Shop):
    def order(self, number):
        if db.get(number) is not None:
            return
        id = new_id()
        if not taken(gateway.payin(id, number)):
            raise OSError("not taken")
        # The transaction ends here.
        db.insert(number, {"id": id, "state": "open", "shipped": 0})

    def callback(self, number):
        if db.get(number) is not None:
            self.refresh(number)

    def view(self, number):
        return db.get(number)


serve(Wrong())
