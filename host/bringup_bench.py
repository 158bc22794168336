"""The real bench: the person at it, the PC's radio and the PC's clock."""

import asyncio
import time

from firmware.core import frames


class Person:
    """Asks and tells on the terminal; ``answer()`` returns a line, ``say(text)`` shows one."""

    def __init__(self, answer=input, say=print):
        self._answer, self._say = answer, say

    def prompt(self, text, key):
        """Tell the person to do something; the board sees whether it was done."""
        self._say(f"  {text}")

    def ask(self, question, what):
        """Return the number that the person counts."""
        while True:
            told = self._answer(f"  {question} ").strip()
            if told.isdecimal():
                return int(told)
            self._say("  A number, please.")


class Air:
    """The PC's Bluetooth, listening."""

    def heard(self, nonce, within_ms):
        """Return the signal's strength in dBm, False when nothing came, None when there is no radio."""
        from bleak.exc import BleakError

        try:
            return asyncio.run(self._listen(nonce, within_ms / 1000))
        except (BleakError, OSError):
            return None

    async def _listen(self, nonce, within_s):
        from bleak import BleakScanner

        heard = asyncio.get_running_loop().create_future()

        def told(device, advertisement):
            if advertisement.manufacturer_data.get(frames.COMPANY_ID) == nonce and not heard.done():
                heard.set_result(advertisement.rssi)

        async with BleakScanner(told):
            try:
                return await asyncio.wait_for(heard, within_s)
            except TimeoutError:
                return False


class PcClock:
    """The PC's steady clock."""

    def now_ms(self):
        """Return milliseconds since some moment."""
        return time.monotonic_ns() // 1_000_000

    def rest(self, pause_ms):
        """Do nothing for so long."""
        time.sleep(pause_ms / 1000)
