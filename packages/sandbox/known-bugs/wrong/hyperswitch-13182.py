"""https://github.com/juspay/hyperswitch/issues/13182: two refunds at a time both see that nothing was refunded."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from shop import Shop, db, gateway, new_id, serve, taken  # noqa: E402


class Wrong(Shop):
    def refund(self, number):
        if db.get(number).get("refunded", 0) + 19.9 > 19.9:
            return
        if not taken(gateway.payout(new_id())):
            raise OSError("not taken")
        db.update(number, {"refunded": 19.9})


serve(Wrong())
