"""The desk's own certificate for ``--lan``: self-signed, kept beside the archive, readable only by
its owner.

People compare its fingerprint, which ``plusthree serve`` prints, once per device. A new one is made
when it expires or this machine has another address.
"""

import contextlib
import datetime
import ipaddress
import os
import pathlib
import socket
import struct
import sys
from collections.abc import Iterable, Sequence

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from host.base import private_files
from host.base.errors import UserError

_LASTS = datetime.timedelta(days=397)  # browsers accept none that lasts longer
_SPARE = datetime.timedelta(days=7)
_NOWHERE = "192.0.2.1", 9  # nothing is sent there: it only selects the route
_ASK = {"linux": 0x8915, "darwin": 0xC0206921}  # SIOCGIFADDR of <sys/ioctl.h>
_UNUSABLE = "127.", "169.254.", "0."  # this machine alone, and networks without addresses


def own_names() -> list[str]:
    """Return this machine's names and addresses in the local networks, likeliest first."""
    addresses = own_addresses()
    name = socket.gethostname().split(".")[0].casefold()
    return [*addresses, f"{name}.local", name, "localhost", "127.0.0.1"]


def ready(path: str | os.PathLike[str], names: Sequence[str], now: datetime.datetime) -> str:
    """Return the SHA-256 fingerprint of the certificate at ``path``, in hex pairs.

    A new one is made unless it is valid for ``names`` at ``now``. The file holds key and
    certificate (PEM), readable only by its owner. Raises UserError if it cannot be written.
    """
    path = pathlib.Path(path)
    try:
        certificate = _valid_certificate(path, names, now)
        if certificate is None:
            certificate = _new_certificate(path, names, now)
    except OSError as failure:
        raise UserError(
            f"the certificate {path} cannot be written: {failure.strerror or failure}"
        ) from None
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _valid_certificate(
    path: pathlib.Path, names: Iterable[str], now: datetime.datetime
) -> x509.Certificate | None:
    """Return the certificate at ``path``, None if a new one must be made."""
    if not path.exists():
        return None
    if os.name == "posix" and path.stat().st_mode & 0o077:  # others may have read its key
        return None
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except (ValueError, x509.ExtensionNotFound):
        return None
    covered = {str(name.value) for name in extension.value}
    is_valid = certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc - _SPARE
    return certificate if is_valid and covered.issuperset(names) else None


def _new_certificate(
    path: pathlib.Path, names: Iterable[str], now: datetime.datetime
) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "PlusThree desk")])
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    certificate = (
        x509.CertificateBuilder().subject_name(who).issuer_name(who).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + _LASTS)
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]),
                       critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    text = key.private_bytes(serialization.Encoding.PEM, *form) + certificate.public_bytes(
        serialization.Encoding.PEM
    )
    private_files.write_whole(path, text, secret=True)
    return certificate


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def own_addresses() -> dict[str, str]:
    """Return this machine's IPv4 addresses, one for each network that it has joined: cable, Wi-Fi,
    its hotspot, as ``{address: its network interface's name, or ""}``, the default route's first.
    """
    by_address = {}
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_NOWHERE)  # fails without any network
        by_address[probe.getsockname()[0]] = ""
    by_address |= _of_interfaces() if sys.platform in _ASK else _of_name()
    return {
        address: name for address, name in by_address.items() if not address.startswith(_UNUSABLE)
    }


def _of_interfaces() -> dict[str, str]:
    import fcntl  # not on Windows

    by_address = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # it has no address
                request = struct.pack("16s16x", name.encode())
                answer = fcntl.ioctl(probe.fileno(), _ASK[sys.platform], request)
                by_address[socket.inet_ntoa(answer[20:24])] = name
    return by_address


def _of_name() -> dict[str, str]:
    with contextlib.suppress(OSError):  # on Windows this gives all of them
        return dict.fromkeys(socket.gethostbyname_ex(socket.gethostname())[2], "")
    return {}
