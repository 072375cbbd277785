"""What a sign-in server in Python is, written well: the two routes of a sign-in, on the tables and with the durability of ours.

    THUMBTURN_DATABASE=PATH|postgresql://… THUMBTURN_ORIGIN=… python3 -m uvicorn sign_in_peer:app --workers 2 …

Uvicorn with uvloop and httptools, no framework above it; signatures by `cryptography`, its keys parsed once and kept; statements of the
database prepared once and kept. SQLite through the standard library, one connection a worker, without a thread in between: a
commit is shorter than handing it over. PostgreSQL through asyncpg, eight connections a worker, so that commits of several requests are under way
at once. Each request's changes are committed, and on disk, before it is answered (synchronous=FULL, synchronous_commit=on), as
ours are. The checks and refusals of a sign-in are those of docs/developers/sign-in.md, in their order.
"""

import asyncio
import base64
import hashlib
import json
import os
import secrets
import sqlite3
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_der_public_key

ORIGIN = os.environ["THUMBTURN_ORIGIN"]
DATABASE = os.environ["THUMBTURN_DATABASE"]
ECDSA = ec.ECDSA(hashes.SHA256())
LINES = ("origin ", "account ", "purpose ", "challenge ", "device ")


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encoded(data) != text:
        raise ValueError
    return data


class Refusal(Exception):
    def __init__(self, status, code):
        self.status, self.code = status, code


class SQLiteStore:
    async def open(self):
        self.db = sqlite3.connect(DATABASE, isolation_level=None, timeout=10, cached_statements=64)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=FULL")
        self.db.execute("PRAGMA cache_size=-65536")

    async def give(self, digest, account, purpose, expires):
        # One statement is a transaction of its own.
        self.db.execute(
            "INSERT INTO challenges(digest, account, purpose, expires) VALUES(?, ?, ?, ?)", (digest, account, purpose, expires))

    async def key(self, account, device):
        row = self.db.execute("SELECT key FROM devices WHERE device = ? AND account = ?", (device, account)).fetchone()
        return row and row[0]

    async def sign_in(self, account, device, challenge, token, now, expires):
        db = self.db
        db.execute("BEGIN IMMEDIATE")
        try:
            judge_device(db.execute("SELECT revoked FROM devices WHERE device = ? AND account = ?", (device, account)).fetchone())
            judge_challenge(
                db.execute("SELECT account, purpose, expires, used FROM challenges WHERE digest = ?", (challenge,)).fetchone(),
                account, now)
            db.execute("UPDATE challenges SET used = ? WHERE digest = ? AND used IS NULL", (now, challenge))
            db.execute("UPDATE devices SET last_used = ? WHERE device = ?", (now, device))
            db.execute(
                "INSERT INTO sessions(token, account, kind, device, began, expires) VALUES(?, ?, 'device', ?, ?, ?)",
                (token, account, device, now, expires))
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise


class PostgresStore:
    async def open(self):
        import asyncpg

        self.pool = await asyncpg.create_pool(
            DATABASE, min_size=8, max_size=8,
            server_settings={"search_path": "thumbturn_sign_in", "synchronous_commit": "on", "enable_seqscan": "off", "jit": "off"})

    async def give(self, digest, account, purpose, expires):
        async with self.pool.acquire() as db:
            await db.execute(
                "INSERT INTO challenges(digest, account, purpose, expires) VALUES($1, $2, $3, $4)", digest, account, purpose, expires)

    async def key(self, account, device):
        async with self.pool.acquire() as db:
            return await db.fetchval("SELECT key FROM devices WHERE device = $1 AND account = $2", device, account)

    async def sign_in(self, account, device, challenge, token, now, expires):
        async with self.pool.acquire() as db, db.transaction():
            judge_device(
                await db.fetchrow(
                    "UPDATE devices SET last_used = $1 WHERE device = $2 AND account = $3 RETURNING revoked", now, device, account))
            judge_challenge(
                await db.fetchrow(
                    "SELECT account, purpose, expires, used FROM challenges WHERE digest = $1 FOR NO KEY UPDATE", challenge),
                account, now)
            await db.execute("UPDATE challenges SET used = $1 WHERE digest = $2 AND used IS NULL", now, challenge)
            await db.execute(
                "INSERT INTO sessions(token, account, kind, device, began, expires) VALUES($1, $2, 'device', $3, $4, $5)",
                token, account, device, now, expires)


def judge_device(row):
    if row is None:
        raise Refusal(401, "device-unknown")
    if row[0] is not None:
        raise Refusal(403, "device-revoked")


def judge_challenge(row, account, now):
    if row is None:
        raise Refusal(401, "challenge-unknown")
    if row[0] != account:
        raise Refusal(403, "challenge-foreign")
    if row[1] != "sign-in":
        raise Refusal(403, "purpose")
    if now >= row[2]:
        raise Refusal(410, "challenge-expired")
    if row[3] is not None:
        raise Refusal(409, "challenge-used")


store = None
opening = asyncio.Lock()
keys = {}


async def open_store():
    global store
    async with opening:
        if store is None:
            made = PostgresStore() if DATABASE.startswith("postgres") else SQLiteStore()
            await made.open()
            store = made


async def give(members):
    account, purpose = members["account"], members["purpose"]
    if not 0 < len(account) <= 128 or not account.isascii() or purpose not in ("sign-in", "register"):
        raise Refusal(400, "value")
    challenge = secrets.token_bytes(32)
    expires = int(time.time()) + 60
    await store.give(hashlib.sha256(challenge).digest(), account, purpose, expires)
    return {"challenge": encoded(challenge), "expires": expires}


def read(statement):
    lines = statement.split("\n")
    if len(lines) != 7 or lines[0] != "thumbturn sign-in 1" or lines[6]:
        raise Refusal(400, "statement-malformed")
    if not all(line.startswith(start) for line, start in zip(lines[1:], LINES)):
        raise Refusal(400, "statement-malformed")
    return [line[len(start):] for line, start in zip(lines[1:], LINES)]


async def sign_in(members):
    statement = members["statement"]
    origin, account, purpose, challenge, device = read(statement)
    if origin != ORIGIN:
        raise Refusal(403, "origin")
    if purpose != "sign-in":
        raise Refusal(403, "purpose")
    device = decoded(device)
    key = keys.get(device)
    if key is None:
        der = await store.key(account, device)
        if der is None:
            raise Refusal(401, "device-unknown")
        if len(keys) >= 65536:
            keys.clear()
        key = keys[device] = load_der_public_key(der)
    try:
        key.verify(decoded(members["signature"]), statement.encode(), ECDSA)
    except InvalidSignature:
        raise Refusal(401, "signature") from None
    token, now = secrets.token_bytes(32), int(time.time())
    expires = now + 86400
    await store.sign_in(
        account, device, hashlib.sha256(decoded(challenge)).digest(), hashlib.sha256(token).digest(), now, expires)
    return {"token": encoded(token), "account": account, "kind": "device", "expires": expires}


ROUTES = {"/v1/challenges": give, "/v1/sign-ins": sign_in}


async def answered(scope, receive):
    route = ROUTES.get(scope["path"])
    if route is None or scope["method"] != "POST":
        raise Refusal(404, "not-found")
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > 16384:
            raise Refusal(413, "too-large")
        if not message.get("more_body"):
            break
    try:
        members = json.loads(body)
        return await route(members)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Refusal(400, "malformed") from None


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    if store is None:
        await open_store()
    try:
        status, answer = 201, await answered(scope, receive)
    except Refusal as refusal:
        status, answer = refusal.status, {"error": refusal.code, "message": refusal.code}
    data = json.dumps(answer, separators=(",", ":")).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(data)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": data})
