"""https://github.com/aasmanj/altarwed/issues/209: an order whose callback is lost stays unpaid for ever."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from shop import Shop, db, serve  # noqa: E402


class Wrong(Shop):
    def view(self, number):
        # Nobody asks the gateway but the callback.
        return db.get(number)


serve(Wrong())
