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
        """Tell the person what comes; return whether it shall be done."""
        self._say(f"  {text}")
        return self._answer("  Enter to begin, s to skip: ").strip().lower() != "s"

    def back(self, name: str) -> None:
        """Wait until the person has brought the board back into service mode."""
        self._answer("  Press Enter when it is in service mode again. ")

    def measured(self, question: str, what: str) -> int | None:
        """Return a number that the person measured, None without a meter."""
        while told := self._answer(f"  {question} (Enter: no meter) ").strip():
            if told.isdecimal():
                return int(told)
            self._say("  A whole number, please, or nothing.")
        return None

    def ask(self, question: str, what: str) -> int:
        """Return the number that the person counts."""
        while not (told := self._answer(f"  {question} ").strip()).isdecimal():
            self._say("  A number, please.")
        return int(told)


class Air:
    """The PC's Bluetooth; ``flags`` are the last advert's, None where the system does not tell."""

    flags: int | None = None

    def heard(self, nonce: bytes, within_ms: int) -> int | bool | None:
        """Return the signal's strength in dBm, False: nothing came, None: there is no radio."""
        from bleak import BleakScanner
        from bleak.exc import BleakError

        strengths = []

        def is_it(device, advertisement):
            found = advertisement.manufacturer_data.get(frames.COMPANY_ID) == nonce
            if found:
                self.flags = _flags(advertisement.platform_data)
                strengths.append(advertisement.rssi)
            return found

        try:
            asyncio.run(BleakScanner.find_device_by_filter(is_it, timeout=within_ms / 1000))
        except (BleakError, OSError):
            return None
        return strengths[0] if strengths else False


def _flags(platform_data):
    """Return the advert's flags out of what a system adds to it: BlueZ alone does."""
    for told in platform_data:
        if isinstance(told, dict) and told.get("AdvertisingFlags"):
            return told["AdvertisingFlags"][0]
    return None


class PcClock:
    """The PC's steady clock."""

    def now_ms(self) -> int:
        """Return milliseconds since some moment."""
        return time.monotonic_ns() // 1_000_000

    def rest(self, pause_ms: int) -> None:
        """Do nothing for so long."""
        time.sleep(pause_ms / 1000)
