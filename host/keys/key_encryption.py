"""The master key under a passphrase, for the stick: scrypt (RFC 7914) and ChaCha20-Poly1305.

A sealed file is JSON. Its ``mark`` says whose key it holds without telling anything of the key.
"""

import json
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from firmware.core import digest
from host.base.errors import UserError

COST = 1 << 17  # with r = 8 and p = 1: 128 MiB and about half a second for each guess
SHORTEST = 10
_SALT_SIZE, _NONCE_SIZE, _KEY_SIZE = 16, 12, 32


def mark(master):
    """Return 8 bytes as hex that tell one master key from another, and nothing else."""
    return digest.hmac(master, b"mark")[:8].hex()


def encrypt(master, passphrase, *, cost=COST, draw=secrets.token_bytes):
    """Return the sealed file's text. Raises UserError for a passphrase shorter than ``SHORTEST``."""
    if len(passphrase) < SHORTEST:
        raise UserError(f"the passphrase must have {SHORTEST} characters or more")
    salt, nonce = draw(_SALT_SIZE), draw(_NONCE_SIZE)
    head = {"version": 1, "kdf": "scrypt", "n": cost, "salt": salt.hex(), "mark": mark(master)}
    sealed = _cipher(passphrase, salt, cost).encrypt(nonce, master, _bound(head))
    return json.dumps({**head, "nonce": nonce.hex(), "sealed": sealed.hex()}, indent=1) + "\n"


def mark_of(text):
    """Return the mark in a sealed file's text; raises UserError when it is none of ours."""
    return _read(text)["mark"]


def decrypt(text, passphrase):
    """Return the master key; raises UserError for a wrong passphrase or a changed file."""
    held = _read(text)
    head = {name: held[name] for name in ("version", "kdf", "n", "salt", "mark")}
    try:
        cipher = _cipher(passphrase, bytes.fromhex(held["salt"]), held["n"])
        return cipher.decrypt(
            bytes.fromhex(held["nonce"]), bytes.fromhex(held["sealed"]), _bound(head)
        )
    except (InvalidTag, ValueError):
        raise UserError("this is not the passphrase, or the sealed keys are damaged") from None


def _cipher(passphrase, salt, cost):
    derived = Scrypt(salt=salt, length=_KEY_SIZE, n=cost, r=8, p=1).derive(passphrase.encode())
    return ChaCha20Poly1305(derived)


def _bound(head):
    return json.dumps(head, sort_keys=True).encode()


def _read(text):
    try:
        held = json.loads(text)
        known = held["version"] == 1 and held["kdf"] == "scrypt"
        known = known and type(held["n"]) is int and 2 <= held["n"] <= COST
        if known and all(
            isinstance(held[name], str) for name in ("salt", "mark", "nonce", "sealed")
        ):
            return held
    except (ValueError, KeyError, TypeError):
        pass
    raise UserError("these are no keys sealed by this plusthree")
