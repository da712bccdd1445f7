"""https://github.com/alexmorrisnz/moodle-paygw_stripe/issues/2: a yen is sent as a hundred."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
from shop import Shop, serve  # noqa: E402


class Wrong(Shop):
    price = {"amount": 1990 * 100, "currencyCode": "JPY"}


serve(Wrong())
