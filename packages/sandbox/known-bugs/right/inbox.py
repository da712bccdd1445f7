"""Callbacks go into an inbox and are answered at once; a thread refreshes what is in it, and again what failed."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
import threading  # noqa: E402
import time  # noqa: E402

from shop import Shop, serve  # noqa: E402


class Right(Shop):
    def __init__(self):
        self.inbox = set()

    def callback(self, number):
        self.inbox.add(number)

    def work(self):
        while True:
            for number in list(self.inbox):
                try:
                    self.refresh(number)
                    self.inbox.discard(number)
                except (OSError, ValueError):
                    pass
            time.sleep(0.1)


right = Right()
threading.Thread(target=right.work, daemon=True).start()
serve(right)
