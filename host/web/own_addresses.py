"""This machine's IPv4 addresses, one for each network that it is in: cable, Wi-Fi, its hotspot."""

import contextlib
import socket
import struct
import sys

_NOWHERE = "192.0.2.1", 9  # nothing is sent there: it only selects the route
_ASK = {"linux": 0x8915, "darwin": 0xC0206921}  # SIOCGIFADDR of <sys/ioctl.h>
_UNUSABLE = "127.", "169.254.", "0."  # this machine alone, and networks without addresses


def own_addresses() -> dict[str, str]:
    """Return ``{address: its network interface's name, or ""}``, the default route's first."""
    found = {}
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_NOWHERE)  # fails without any network
        found[probe.getsockname()[0]] = ""
    found |= _of_interfaces() if sys.platform in _ASK else _of_name()
    return {one: name for one, name in found.items() if not one.startswith(_UNUSABLE)}


def _of_interfaces() -> dict[str, str]:
    import fcntl  # not on Windows

    found = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # it has no address
                told = struct.pack("16s16x", name.encode())
                answer = fcntl.ioctl(asking.fileno(), _ASK[sys.platform], told)
                found[socket.inet_ntoa(answer[20:24])] = name
    return found


def _of_name() -> dict[str, str]:
    with contextlib.suppress(OSError):  # Windows tells all of them so
        return dict.fromkeys(socket.gethostbyname_ex(socket.gethostname())[2], "")
    return {}
