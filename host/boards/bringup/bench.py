"""The real bench: the person at it, the PC's radio and the PC's clock."""

import asyncio
import time
from collections.abc import Callable

from firmware.core import frames


class Person:
    """Asks and tells on the terminal; ``answer()`` returns a line, ``say(text)`` shows one."""

    def __init__(self, answer: Callable[[str], str] = input, say: Callable[[str], None] = print):
        self._answer, self._say = answer, say

    def prompt(self, text: str, key: int | None) -> None:
        """Tell the person to do something; the board sees whether it was done."""
        self._say(f"  {text}")

    def ready(self, text: str, name: str) -> bool:
        """Announce the next step to the person; return False if it is to be skipped."""
        self._say(f"  {text}")
        return self._answer("  Enter to begin, s to skip: ").strip().lower() != "s"

    def back(self, name: str) -> None:
        """Wait until the person has brought the board back into service mode."""
        self._answer("  Press Enter when it is in service mode again. ")

    def measured(self, question: str, what: str) -> int | None:
        """Return a number that the person measured, None without a meter."""
        while answer := self._answer(f"  {question} (Enter: no meter) ").strip():
            if answer.isdecimal():
                return int(answer)
            self._say("  A whole number, please, or nothing.")
        return None

    def ask(self, question: str, what: str) -> int:
        """Return the number that the person counts."""
        while not (answer := self._answer(f"  {question} ").strip()).isdecimal():
            self._say("  A number, please.")
        return int(answer)


class Air:
    """The PC's Bluetooth; ``flags`` are the last advert's, None where the system does not tell."""

    flags: int | None = None

    def heard(self, nonce: bytes, within_ms: int) -> int | bool | None:
        """Return the board's signal strength in dBm; False: no advert came, None: no radio."""
        from bleak import BleakScanner
        from bleak.exc import BleakError

        strengths = []

        def is_our_advert(device, advertisement):
            is_ours = advertisement.manufacturer_data.get(frames.COMPANY_ID) == nonce
            if is_ours:
                self.flags = _flags(advertisement.platform_data)
                strengths.append(advertisement.rssi)
            return is_ours

        try:
            asyncio.run(BleakScanner.find_device_by_filter(is_our_advert, timeout=within_ms / 1000))
        except (BleakError, OSError):
            return None
        return strengths[0] if strengths else False


def _flags(platform_data):
    """Return the advert's flags from the system's own data (BlueZ alone has them), or None."""
    for properties in platform_data:
        if isinstance(properties, dict) and properties.get("AdvertisingFlags"):
            return properties["AdvertisingFlags"][0]
    return None


class PcClock:
    """The PC's steady clock."""

    def now_ms(self) -> int:
        """Return milliseconds since some moment."""
        return time.monotonic_ns() // 1_000_000

    def rest(self, pause_ms: int) -> None:
        """Do nothing for so long."""
        time.sleep(pause_ms / 1000)
