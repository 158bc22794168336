"""The master key encrypted under a passphrase, for backups: scrypt (RFC 7914) and
ChaCha20-Poly1305.

An encrypted file is JSON. Its ``mark`` is a fingerprint of the master key that reveals nothing.
"""

import json
import secrets
from collections.abc import Callable
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from firmware.core import digest
from host.base.errors import UserError
from host.base.json_values import parse

COST = 1 << 17  # with r = 8 and p = 1: 128 MiB and about half a second for each guess
SHORTEST = 10
_SALT_SIZE, _NONCE_SIZE, _KEY_SIZE = 16, 12, 32
_TEXTS = "salt", "mark", "nonce", "sealed"


class _Encrypted(NamedTuple):
    """What an encrypted file holds; texts are hexadecimal.

    ``head`` is the authenticated data.
    """

    cost: int
    salt: str
    mark: str
    nonce: str
    sealed: str

    @property
    def head(self) -> bytes:
        return _bound_header(_fields(self.cost, self.salt, self.mark))


def fingerprint(master: bytes) -> str:
    """Return a master key's fingerprint: 8 bytes as hexadecimal digits that reveal nothing else."""
    return digest.hmac(master, b"mark")[:8].hex()


def encrypt(
    master: bytes,
    passphrase: str,
    *,
    cost: int = COST,
    draw: Callable[[int], bytes] = secrets.token_bytes,
) -> str:
    """Return the encrypted file's text; ``draw(n)`` gives n random bytes.

    Raises UserError for a passphrase shorter than ``SHORTEST``.
    """
    if len(passphrase) < SHORTEST:
        raise UserError(f"the passphrase must have {SHORTEST} characters or more")
    salt, nonce = draw(_SALT_SIZE), draw(_NONCE_SIZE)
    head = _fields(cost, salt.hex(), fingerprint(master))
    sealed = _cipher(passphrase, salt, cost).encrypt(nonce, master, _bound_header(head))
    return json.dumps({**head, "nonce": nonce.hex(), "sealed": sealed.hex()}, indent=1) + "\n"


def fingerprint_of(text: str) -> str:
    """Return the fingerprint in an encrypted file's text; raises UserError for any other text."""
    return _read(text).mark


def decrypt(text: str, passphrase: str) -> bytes:
    """Return the master key; raises UserError for a wrong passphrase or a changed file."""
    held = _read(text)
    try:
        cipher = _cipher(passphrase, bytes.fromhex(held.salt), held.cost)
        nonce, sealed = bytes.fromhex(held.nonce), bytes.fromhex(held.sealed)
        return cipher.decrypt(nonce, sealed, held.head)
    except (InvalidTag, ValueError):
        raise UserError("this is not the passphrase, or the sealed keys are damaged") from None


def _cipher(passphrase: str, salt: bytes, cost: int) -> ChaCha20Poly1305:
    derived = Scrypt(salt=salt, length=_KEY_SIZE, n=cost, r=8, p=1).derive(passphrase.encode())
    return ChaCha20Poly1305(derived)


def _fields(cost: int, salt: str, mark: str) -> dict[str, str | int]:
    return {"version": 1, "kdf": "scrypt", "n": cost, "salt": salt, "mark": mark}


def _bound_header(head: dict[str, str | int]) -> bytes:
    return json.dumps(head, sort_keys=True).encode()


def _read(text: str) -> _Encrypted:
    try:
        held = parse(text)
        known = held["version"] == 1 and held["kdf"] == "scrypt"
        known = known and type(held["n"]) is int and 2 <= held["n"] <= COST
        if known and all(isinstance(held[name], str) for name in _TEXTS):
            return _Encrypted(held["n"], *(held[name] for name in _TEXTS))
    except (ValueError, KeyError, TypeError):
        pass
    raise UserError("these are no keys sealed by this plusthree")
