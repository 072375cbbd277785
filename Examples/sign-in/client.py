"""Registers a key and signs in with it:  client.py ORIGIN ACCOUNT,  the password on standard input. See docs/developers/sign-in.md."""
import base64, hashlib, json, sys, urllib.request
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

origin, account = sys.argv[1:]
key = ec.generate_private_key(ec.SECP256R1())
public = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)

def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

def call(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": "Bearer " + token} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(origin + path, data, headers, method=method)) as answer:
        return json.load(answer)

def signed(purpose):
    challenge = call("POST", "/v1/challenges", {"account": account, "purpose": purpose})["challenge"]
    statement = (f"thumbturn sign-in 1\norigin {origin}\naccount {account}\npurpose {purpose}\n"
                 f"challenge {challenge}\ndevice {text(hashlib.sha256(public).digest())}\n")
    return {"statement": statement, "signature": text(key.sign(statement.encode(), ec.ECDSA(hashes.SHA256())))}

password = sys.stdin.readline().rstrip("\n")
session = call("POST", "/v1/sessions", {"account": account, "password": password})
call("POST", "/v1/devices", {"key": text(public), "name": "a key in Python", **signed("register")}, session["token"])
session = call("POST", "/v1/sign-ins", signed("sign-in"))
print(json.dumps(call("GET", "/v1/session", token=session["token"])))
