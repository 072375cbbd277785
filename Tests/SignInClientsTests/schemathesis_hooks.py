"""What schemathesis can't invent: sessions, and statements that a key has signed.

A statement goes with its signature, and a challenge is good once; no generator of texts comes upon that. So in requests that are meant to be
right (positive ones) the bodies of signing in, of registering and of acts get true statements, in turn good ones and such as a server
refuses for what they say; every fourth password is the owner's; and every other device that is renamed or revoked is there. What would
take the account from the other requests (its password, the account itself) is done to accounts that are made for it.
Everything else, and every request that is meant to be wrong, is as schemathesis made it.

THUMBTURN_ORIGIN, THUMBTURN_ACCOUNT and THUMBTURN_PASSWORD say where, who and by what.
"""

import base64
import hashlib
import itertools
import json
import os
import threading
import time
import urllib.error
import urllib.request

import schemathesis
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

ORIGIN, ACCOUNT, PASSWORD = (os.environ["THUMBTURN_" + name] for name in ("ORIGIN", "ACCOUNT", "PASSWORD"))
# A password session registers for five minutes.
FRESH_SECONDS = 240
TURN = threading.RLock()
COUNT = itertools.count()
# Acts on an account, by their operations, with the purposes of their statements.
ACTS = {
    "PUT /v1/password": "change-password", "POST /v1/password/removal": "remove-password",
    "POST /v1/sessions/removal": "end-sessions", "POST /v1/devices/{device}/revocation": "revoke-device",
    "POST /v1/account/removal": "delete-account",
}
MADE = {}


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def post(path, body, token=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": "Bearer " + token} if token else {})
    request = urllib.request.Request(ORIGIN + path, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


class Device:
    """A key of the owner's."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.public = self.key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        self.name = text(hashlib.sha256(self.public).digest())

    def register(self):
        body = {"key": text(self.public), "name": "schemathesis", **self.signed("register")}
        post("/v1/devices", body, password_session())
        return self

    def signed(self, purpose, origin=ORIGIN, account=ACCOUNT, challenge=None, device=None):
        challenge = challenge or post("/v1/challenges", {"account": account, "purpose": purpose})["challenge"]
        statement = (
            f"thumbturn sign-in 1\norigin {origin}\naccount {account}\npurpose {purpose}\n"
            f"challenge {challenge}\ndevice {device or self.name}\n")
        return {"statement": statement, "signature": text(self.key.sign(statement.encode(), ec.ECDSA(hashes.SHA256())))}


def made():
    """A token of an account of its own with a device, and that device."""
    name = "made-" + text(os.urandom(9))
    post("/v1/accounts", {"account": name, "password": PASSWORD})
    token = post("/v1/sessions", {"account": name, "password": PASSWORD})["token"]
    new = Device()
    body = {"key": text(new.public), "name": "schemathesis", **new.signed("register", account=name)}
    post("/v1/devices", body, token)
    return name, new, token


class Owner:
    session, until, device = None, 0, None


def password_session():
    with TURN:
        if time.monotonic() > Owner.until:
            Owner.until = time.monotonic() + FRESH_SECONDS
            Owner.session = post("/v1/sessions", {"account": ACCOUNT, "password": PASSWORD})["token"]
        return Owner.session


def device():
    with TURN:
        Owner.device = Owner.device or Device().register()
        return Owner.device


def new_session():
    with TURN:
        try:
            return post("/v1/sign-ins", device().signed("sign-in"))["token"]
        except urllib.error.HTTPError as refused:
            # schemathesis has found the device in the list, and revoked it.
            if refused.code != 403:
                raise
            Owner.device = None
            return post("/v1/sign-ins", device().signed("sign-in"))["token"]


@schemathesis.auth(refresh_interval=None)
class Session:
    """A session for each request, because some requests end theirs."""

    def get(self, case, context):
        if case.operation.label == "POST /v1/devices":
            return password_session()
        if case.operation.label in ACTS and case.meta is not None and case.meta.generation.mode.is_positive:
            # Known again by its token when the body is written. A wrong request needs none: an account costs two stretched passwords.
            name, new, token = made()
            MADE[token] = (name, new)
            return token
        return new_session()

    def set(self, case, data, context):
        case.headers["Authorization"] = "Bearer " + data


def sign_in():
    owner, number = device(), next(COUNT)
    match number % 8:
        case 1:
            return owner.signed("sign-in", origin="https://bank.example")
        case 2:
            return owner.signed("register")
        case 3:
            return owner.signed("sign-in", account="nobody")
        case 4:
            return owner.signed("sign-in", challenge=text(os.urandom(32)))
        case 5:
            used = owner.signed("sign-in")
            post("/v1/sign-ins", used)
            return used
        case 6:
            return owner.signed("sign-in") | {"signature": Device().signed("sign-in")["signature"]}
        case _:
            return owner.signed("sign-in")


def registration():
    new, number = Device(), next(COUNT)
    key = {"key": text(new.public)}
    match number % 6:
        case 1:
            return key | new.signed("register", account="nobody")
        case 2:
            return key | new.signed("register", device=text(os.urandom(32)))
        case 3:
            return key | Device().signed("register")
        case 4:
            pem = new.key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
            return {"key": pem.decode()} | new.signed("register")
        case _:
            return key | new.signed("register")


def strong(password, account):
    """A new password that nobody would try first: what schemathesis begins with, zeros and the account's name, is what guessers begin with."""
    weak = len(set(password)) < 5 or password.lower() == account.lower()
    return ("not " + password)[:256].ljust(8, "!") if weak else password


def act(case):
    """The body of an act on the account that was made for it, with a proof: in turn good ones and such as are refused."""
    name, new = MADE.pop(case.headers["Authorization"].removeprefix("Bearer "))
    purpose, number = ACTS[case.operation.label], next(COUNT)
    body = {member: value for member, value in case.body.items() if member in ("new_password", "sessions")}
    if "new_password" in body:
        body["new_password"] = strong(body["new_password"], name)
    if purpose == "revoke-device" and number % 2 == 0:
        case.path_parameters["device"] = new.name
    if purpose == "end-sessions" and number % 2 == 0:
        token = post("/v1/sessions", {"account": name, "password": PASSWORD})["token"]
        listed = urllib.request.Request(ORIGIN + "/v1/sessions", headers={"Authorization": "Bearer " + token})
        with urllib.request.urlopen(listed) as answer:
            body["session"] = json.load(answer)["sessions"][0]["session"]
    match number % 6:
        case 1:
            return body | {"password": "wrong"}
        case 2:
            return body | new.signed("sign-in", account=name)
        case 3:
            return body | Device().signed(purpose, account=name)
        case 4:
            return body | {"password": PASSWORD}
        case _:
            return body | new.signed(purpose, account=name)


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.operation.label in ACTS:
        case.body = act(case)
        return
    match case.operation.label:
        case "POST /v1/sign-ins":
            case.body = sign_in()
        case "POST /v1/accounts":
            case.body["password"] = strong(case.body["password"], case.body["account"])
        case "POST /v1/devices":
            case.body = case.body | registration()
        case "POST /v1/sessions" if next(COUNT) % 4 == 0:
            case.body = {"account": ACCOUNT, "password": PASSWORD}
        case "PATCH /v1/devices/{device}" if next(COUNT) % 2 == 0:
            case.path_parameters["device"] = Device().register().name


@schemathesis.deserializer("text/html")
def words(context, response):
    """The HTTP library's own words, which the description says are text."""
    return response.text
