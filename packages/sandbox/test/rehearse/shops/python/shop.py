"""A small shop with nothing but Python's standard library: it needs nothing of this package's.

Run it: PORT=4100 GATEWAY_BASE_URL=... python3 test/rehearse/shops/python/shop.py (with the other GATEWAY_* variables)
POST /orders/{n} orders order n, as often as you like; GET /orders/{n} shows its status.
SHOP_DATABASE names the file of the orders. Token requests are signed by the command openssl (specification, section
5.3), or carry GATEWAY_MERCHANT_SECRET, which is deprecated (section 5.4).
"""

import base64
import http.client
import json
import os
import re
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE_URL = os.environ["GATEWAY_BASE_URL"].rstrip("/")
MERCHANT_CODE = os.environ["GATEWAY_MERCHANT_CODE"]
PORT = int(os.environ.get("PORT", "4100"))
DATABASE = os.environ.get("SHOP_DATABASE", os.path.join(tempfile.gettempdir(), f"python-shop-{PORT}.db"))
TIMEOUT_SECS = float(os.environ.get("SHOP_TIMEOUT_SECS", "3"))
OPERATIONS = ["POST /payins/.*", "GET /payins/.*"]


class NoAnswer(Exception):
    """No answer that says what became of the request."""


def signature(body: bytes) -> str:
    """SHA256withRSA over the minified body, base64."""
    file = os.environ.get("GATEWAY_PRIVATE_KEY_FILE")
    if file is None:
        with tempfile.NamedTemporaryFile() as key:  # mode 0600
            key.write(os.environ["GATEWAY_PRIVATE_KEY"].replace("\\n", "\n").encode())
            key.flush()
            return sign(body, key.name)
    return sign(body, file)


def sign(body: bytes, key_file: str) -> str:
    signed = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", key_file], input=body, capture_output=True, check=True, timeout=10
    )
    return base64.b64encode(signed.stdout).decode()


def send(method: str, path: str, headers: dict, body: bytes | None) -> tuple[int, object]:
    """The status and the JSON; NoAnswer where nobody knows."""
    common = {"Accept": "application/json", "X-API-Version": "2"}
    if body is not None:
        common["Content-Type"] = "application/json"
    request = urllib.request.Request(BASE_URL + path, data=body, method=method, headers=common | headers)
    try:
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECS) as response:
                return response.status, json.loads(response.read())
        except urllib.error.HTTPError as refusal:
            return refusal.code, None
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise NoAnswer(type(error).__name__) from error


class Gateway:
    """Asks for tokens, and sends what is idempotent again a few times."""

    def __init__(self) -> None:
        self._token: str | None = None
        self._lock = threading.Lock()

    def call(self, method: str, path: str, value: object = None) -> tuple[int, object]:
        body = None if value is None else minified(value)
        for attempt in range(4):
            last = attempt == 3
            try:
                token = self._fresh_token()
                status, answer = send(method, path, {"Authorization": f"Bearer {token}"}, body)
            except NoAnswer:
                if last:
                    raise
                time.sleep(0.2 * 2**attempt)
                continue
            if status == 401:
                self._forget(token)
            if last or (status not in (401, 429) and status < 500):
                return status, answer
            time.sleep(1.1 if status == 429 else 0.2)
        raise AssertionError("unreachable")

    def _fresh_token(self) -> str:
        with self._lock:
            if self._token is None:
                self._token = self._ask_for_token()
            return self._token

    def _forget(self, token: str) -> None:
        with self._lock:
            if self._token == token:
                self._token = None

    def _ask_for_token(self) -> str:
        asked = {"merchantCode": MERCHANT_CODE, "operations": OPERATIONS, "validitySecs": 600}
        secret = os.environ.get("GATEWAY_MERCHANT_SECRET")
        if secret is not None:
            status, answer = send("POST", "/auth-tokens", {}, minified(asked | {"secret": secret}))
        else:
            body = minified(asked | {"timestamp": int(time.time())})
            status, answer = send("POST", "/auth-tokens", {"X-SIGNATURE": signature(body)}, body)
        if status != 200 or not isinstance(answer, dict):
            raise NoAnswer(f"no token: {status}")
        # The specification doesn't show the field's name: it is the one text that is a JWT.
        return next(text for text in answer.values() if isinstance(text, str) and text.count(".") == 2)


def minified(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


class Orders:
    """One row for each order. The id is in it before the gateway hears of it."""

    def __init__(self) -> None:
        with self._open() as database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS orders (number TEXT PRIMARY KEY, id TEXT UNIQUE, cents INTEGER, status TEXT)"
            )

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(DATABASE, timeout=10, isolation_level=None)
        database.execute("PRAGMA synchronous = FULL")
        return database

    def place(self, number: str) -> tuple:
        digits = re.match(r"\d+", number)
        cents = 1000 + int(digits.group() if digits else 0)
        with self._open() as database:
            row = (number, str(uuid.uuid4()), cents, "NEW")
            database.execute("INSERT OR IGNORE INTO orders VALUES (?, ?, ?, ?)", row)
        found = self.find("number", number)
        assert found is not None
        return found

    def find(self, column: str, value: str) -> tuple | None:
        with self._open() as database:
            return database.execute(f"SELECT * FROM orders WHERE {column} = ?", (value,)).fetchone()

    def set_status(self, id_payin: str, status: str) -> None:
        with self._open() as database:
            # What has succeeded doesn't become anything else by an answer that comes late.
            database.execute("UPDATE orders SET status = ? WHERE id = ? AND status <> 'SUCCESS'", (status, id_payin))

    def new(self) -> list:
        with self._open() as database:
            return database.execute("SELECT number FROM orders WHERE status = 'NEW'").fetchall()


gateway = Gateway()
orders = Orders()


def create(number: str) -> str:
    """Creates the order's payin. Whoever calls again, for whatever reason, calls with the same id."""
    _, id_payin, cents, status = orders.place(number)
    if status != "NEW":
        return status
    code, _ = gateway.call(
        "POST",
        f"/payins/{id_payin}",
        {
            "paymentRequested": {"money": {"amount": cents / 100, "currencyCode": "EUR"}},
            "paymentMethod": {"paymentMethodCode": "VAPAY", "paymentOperatorCode": "HARBOUR"},
            "callbackUrl": f"http://127.0.0.1:{PORT}/callbacks/{id_payin}",
        },
    )
    # 409: the gateway has accepted this id before (section 7).
    if code not in (200, 201, 409):
        raise NoAnswer(f"the create was answered {code}")
    return refresh(id_payin) if code == 409 else note(id_payin, "PENDING")


def refresh(id_payin: str) -> str:
    code, answer = gateway.call("GET", f"/payins/{id_payin}")
    process = answer.get("process") if isinstance(answer, dict) else None
    if code != 200 or not isinstance(process, dict):
        raise NoAnswer(f"the status request was answered {code}")
    shown = (answer.get("paymentRequested") or {}).get("money")
    # A payment of another sum is not this order's.
    if shown is not None and round(float(shown["amount"]) * 100) != orders.find("id", id_payin)[2]:
        return note(id_payin, "CHECKING")
    return note(id_payin, str(process.get("status", "PENDING")))


def note(id_payin: str, status: str) -> str:
    orders.set_status(id_payin, status)
    found = orders.find("id", id_payin)
    return found[3] if found else status


def finish_what_was_begun() -> None:
    """After a crash: orders that are stored and whose payin may not exist."""
    for (number,) in orders.new():
        try:
            create(number)
        except NoAnswer:
            pass  # The customer's next visit tries again.


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._answer("POST")

    def do_GET(self) -> None:
        self._answer("GET")

    def _answer(self, method: str) -> None:
        path = urllib.parse.urlsplit(self.path).path
        order = re.fullmatch(r"/orders/([A-Za-z0-9-]{1,64})", path)
        callback = re.fullmatch(r"/callbacks/([0-9a-f-]{36})", path)
        try:
            if callback and orders.find("id", callback[1]):
                refresh(callback[1])
                return self._send(204)
            if order and method == "POST":
                return self._send(200, {"order": order[1], "status": create(order[1])})
            row = orders.find("number", order[1]) if order else None
            if row is None:
                return self._send(404, {"message": "There is no such order."})
            status = row[3]
            if status == "NEW":
                status = create(row[0])
            elif status != "SUCCESS":
                status = refresh(row[1])
            self._send(200, {"order": row[0], "status": status})
        except NoAnswer:
            self._send(503, {"message": "We can't reach the bank. Your order is kept; try again in a moment."})

    def _send(self, status: int, value: object = None) -> None:
        body = b"" if value is None else minified(value)
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
    threading.Thread(target=finish_what_was_begun, daemon=True).start()
    print(f"The Python shop: http://127.0.0.1:{PORT}/", flush=True)
    server.serve_forever()
