"""What every shop of the known bugs in Python has: a database, a gateway, a web server, and the steps of a shop that is
right. A shop replaces the steps in which it differs. Not to be copied."""

import base64
import json
import os
import re
import sqlite3
import subprocess
import threading
import time
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(os.environ["PORT"])
URL = f"http://127.0.0.1:{PORT}"
DATA = os.environ["SHOP_DATA"]
BASE_URL = os.environ["GATEWAY_BASE_URL"]
ACCOUNT = {"accountName": "Ada", "accountNumber": "DE02120300000000202051"}
PRICE = {"amount": 19.9, "currencyCode": "EUR"}


def new_id():
    return str(uuid.uuid4())


class Database:
    """Rows by the number of their order. Each call is one transaction."""

    def __init__(self):
        os.makedirs(DATA, exist_ok=True)
        self._run("CREATE TABLE IF NOT EXISTS orders (number TEXT PRIMARY KEY, row TEXT)")

    def _run(self, sql, *values):
        database = sqlite3.connect(os.path.join(DATA, "shop.db"), timeout=10, isolation_level=None)
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.close()

    def get(self, number):
        found = self._run("SELECT row FROM orders WHERE number = ?", number)
        return json.loads(found[0][0]) if found else None

    def insert(self, number, row):
        """Stores a row unless there is one, and returns the one that is there."""
        self._run("INSERT OR IGNORE INTO orders VALUES (?, ?)", number, json.dumps(row))
        return self.get(number)

    def update(self, number, change, fits=lambda row: True):
        """Changes a row where it fits; returns whether it did."""
        while True:
            row = self.get(number)
            if row is None or not fits(row):
                return False
            old, new = json.dumps(row), json.dumps({**row, **change})
            if self._run("UPDATE orders SET row = ? WHERE number = ? AND row = ? RETURNING 1", new, number, old):
                return True


db = Database()


class Gateway:
    renews_token = True

    def __init__(self):
        self._token = None
        self._lock = threading.Lock()

    def call(self, method, path, value=None):
        body = None if value is None else json.dumps(value, separators=(",", ":")).encode()
        for attempt in range(4):
            with self._lock:
                if self._token is None:
                    self._token = self._mint()
                token = self._token
            status, answer = self._send(method, path, body, {"Authorization": f"Bearer {token}"})
            if status == 401 and self.renews_token:
                with self._lock:
                    if self._token == token:
                        self._token = None
            elif status != 429 or attempt == 3:
                break
            time.sleep(1.1 if status == 429 else 0.01)
        return status, answer

    def _mint(self):
        asked = {
            "merchantCode": os.environ["GATEWAY_MERCHANT_CODE"],
            "operations": ["POST /payins/.*", "GET /payins/.*", "POST /payouts/.*", "GET /payouts/.*"],
            "validitySecs": 600,
            "timestamp": int(time.time()),
        }
        body = json.dumps(asked, separators=(",", ":")).encode()
        sign = ["openssl", "dgst", "-sha256", "-sign", os.environ["GATEWAY_PRIVATE_KEY_FILE"]]
        signed = subprocess.run(sign, input=body, capture_output=True, check=True, timeout=10)
        signature = base64.b64encode(signed.stdout).decode()
        _, answer = self._send("POST", "/auth-tokens", body, {"X-SIGNATURE": signature})
        return next(text for text in answer.values() if isinstance(text, str) and text.count(".") == 2)

    def _send(self, method, path, body, headers):
        common = {"Accept": "application/json", "X-API-Version": "2"}
        if body is not None:
            common["Content-Type"] = "application/json"
        request = urllib.request.Request(BASE_URL + path, data=body, method=method, headers={**common, **headers})
        try:
            with urllib.request.urlopen(request, timeout=3) as response:
                return response.status, json.loads(response.read())
        except urllib.error.HTTPError as refusal:
            return refusal.code, None

    def payin(self, id, number, money=PRICE):
        """Creates a payin and returns the status of the answer."""
        asked = {
            "paymentRequested": {"money": money},
            "paymentMethod": {"paymentMethodCode": "VAPAY", "account": ACCOUNT},
            "callbackUrl": f"{URL}/callback/{number}",
            "returnUrl": f"{URL}/return/{number}",
        }
        return self.call("POST", f"/payins/{id}", asked)[0]

    def payout(self, id, money=PRICE):
        method = {"paymentMethodCode": "BANK_TRANSFER", "account": ACCOUNT}
        return self.call("POST", f"/payouts/{id}", {"paymentRequested": {"money": money}, "paymentMethod": method})[0]

    def status_of(self, id):
        """The status and the money of a payin, as the gateway shows them."""
        status, answer = self.call("GET", f"/payins/{id}")
        if status != 200:
            raise OSError(f"status: {status}")
        money = answer["paymentRequested"]["money"]
        return answer["process"]["status"], money["amount"], money["currencyCode"]


gateway = Gateway()


def taken(status):
    return status in (200, 201, 409)


class Shop:
    """A shop that is right: the id is stored before the call, a status request decides, and one caller delivers."""

    price = PRICE

    def order(self, number):
        row = db.insert(number, {"id": new_id(), "state": "new", "shipped": 0})
        if row["state"] == "new":
            self.send(number, row)

    def send(self, number, row):
        if not taken(gateway.payin(row["id"], number, self.price)):
            raise OSError("not taken")
        db.update(number, {"state": "open"}, lambda row: row["state"] == "new")

    def refresh(self, number):
        row = db.get(number)
        if row is None or row["state"] == "paid":
            return
        if gateway.status_of(row["id"]) == ("SUCCESS", *self.price.values()):
            self.ship(number)

    def ship(self, number):
        db.update(number, {"state": "paid", "shipped": 1}, lambda row: row["state"] != "paid")

    def callback(self, number):
        if db.get(number) is None:
            raise OSError("unknown")
        self.refresh(number)

    def back(self, number):
        self.refresh(number)

    def view(self, number):
        try:
            self.refresh(number)
        except (OSError, ValueError):
            pass
        return db.get(number)

    def refund(self, number):
        db.update(number, {"refund": new_id()}, lambda row: "refund" not in row)
        if not taken(gateway.payout(db.get(number)["refund"])):
            raise OSError("not taken")

    def show(self, row):
        return row


def serve(shop, server_class=ThreadingHTTPServer):
    steps = {
        "POST orders": shop.order,
        "POST refund": shop.refund,
        "GET orders": shop.view,
        "POST callback": shop.callback,
        "GET return": shop.back,
    }

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self._answer()

        def do_GET(self):
            self._answer()

        def _answer(self):
            what, number, more = re.match(r"/(\w+)/(\w+)/?(\w*)", self.path).groups()
            try:
                row = steps[f"{self.command} {more or what}"](number)
                status = 404 if self.command == "GET" and what == "orders" and row is None else 200
                self._send(status, json.dumps(shop.show(row or {})).encode())
            except Exception:  # Whatever it is, the customer sees that it failed.
                self._send(503, b"{}")

        def _send(self, status, body):
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = server_class(("127.0.0.1", PORT), Handler)
    server.daemon_threads = True
    server.serve_forever()
