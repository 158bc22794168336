"""Keeps scanning despite errors: a new scanner for each scan, a new scan after a silence.

When the radio, the bus or its service fails, a system's scanner may raise anything (BleakError,
AssertionError, EOFError, KeyError) or hang for ever, and it cannot be used again. So only the
adverts that it reports are trusted.
"""

import asyncio
import logging
from collections.abc import Callable

from bleak import BleakScanner
from bleak.assigned_numbers import AdvertisementDataType
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner

from firmware.core import frames
from host.base.tasks import within
from host.collector.carriers import failure_words
from host.collector.carriers.advert_delay import FILTERED_S, AdvertDelay
from host.collector.carriers.json_lines import Tell
from host.collector.carriers.platforms import Quirks

LIMIT_S = 10.0  # for the first start: the system may ask for permission, without a limit
AGAIN_LIMIT_S = 5.0  # for every later start and stop
SILENCE_S = 20.0  # a scan can stop without an error
AGAIN_S = 5.0
LATE_S = 8.0  # a longer delay of a changed advert is reported
_log = logging.getLogger(__name__)
_PATTERN = (
    0,
    AdvertisementDataType.MANUFACTURER_SPECIFIC_DATA,
    frames.COMPANY_ID.to_bytes(2, "little"),
)


class Scan:
    """Keeps listening.

    ``on_advert(device, advertisement, now_s)`` is called for every advert of anybody.

    ``tell(word, *rest)`` gets ``"said"`` with a sentence for the desk, ``"missing"`` with one when
    the very first start failed, and ``"delay"`` with the delay of a changed advert in seconds.
    ``on_scan(runs)`` is called when the scan starts or stops; ``is_suspended()`` returns whether
    the system suspends it at the moment.
    """

    def __init__(
        self,
        on_advert: Callable[[BLEDevice, AdvertisementData, float], None],
        tell: Tell,
        on_scan: Callable[[bool], None],
        is_suspended: Callable[[], bool],
        quirks: Quirks,
        backend: type[BaseBleakScanner] | None = None,
        adapter: str | None = None,
    ):
        self._on_advert, self._tell = on_advert, tell
        self._on_scan, self._is_suspended = on_scan, is_suspended
        self._quirks, self._backend = quirks, backend
        self._adapter = {"adapter": adapter} if adapter else {}
        self._scanners, self._first = [], True
        self._trouble = set()  # sentences reported since the last success
        self._delay, self._delay_reported = AdvertDelay(), None
        self._begun_s = self._heard_s = 0.0

    async def run(self) -> None:
        """Listen until cancelled; raises nothing else."""
        self._heard_s = self._now_s()
        try:
            while True:
                self._begun_s = self._now_s()
                self._delay.begin(self._begun_s)
                self._on_scan(await self._start())
                await self._until_due()
                self._on_scan(False)
                await self._stop()
        finally:
            await self._stop()

    def feed(self, address: str, now_s: float, ours: bool) -> None:
        """Note that an advert was heard; the delay is that of ``ours``, the boards' adverts."""
        self._heard_s = now_s
        if self._trouble:
            self._trouble = set()
            self._say(failure_words.BACK)
        self._delay.note(address, now_s, ours)
        delay_s = self._delay.seconds
        if not ours or delay_s is None:
            return
        rounded_s = round(2 * delay_s) / 2
        if rounded_s != self._delay_reported:
            is_first = self._delay_reported is None
            self._delay_reported = rounded_s
            self._tell("delay", rounded_s)
            if is_first and delay_s > LATE_S:
                self._say(failure_words.late(delay_s))

    def _now_s(self):
        return asyncio.get_running_loop().time()

    def _say(self, sentence):
        self._tell("said", sentence)

    async def _start(self):
        """Start new scanners; return whether one runs."""
        try:
            await self._begin("active", {**self._adapter})
        except TimeoutError:
            self._on_failure(failure_words.NO_START)
        except Exception as error:  # anything: see above
            _log.debug("start: %r", error)
            self._on_failure(failure_words.help_for(error), "missing" if self._first else "said")
        else:
            await self._monitor()
        self._first = False
        return bool(self._scanners)

    async def _begin(self, mode, bluez):
        scanner = BleakScanner(self._take, scanning_mode=mode, bluez=bluez, backend=self._backend)
        await within(LIMIT_S if self._first else AGAIN_LIMIT_S, scanner.start())
        self._scanners.append(scanner)

    async def _monitor(self):
        if self._quirks.monitor:
            try:
                await self._begin("passive", {**self._adapter, "or_patterns": [_PATTERN]})
            except Exception as error:  # an older BlueZ or kernel: the active scan continues
                _log.debug("no pattern monitor: %r", error)

    def _on_failure(self, sentence, word="said"):
        if sentence not in self._trouble:
            self._trouble.add(sentence)
            self._tell(word, sentence)

    async def _stop(self):
        scanners, self._scanners = self._scanners[::-1], []
        for scanner in scanners:
            try:
                await within(AGAIN_LIMIT_S, scanner.stop())
            except TimeoutError:
                self._on_failure(failure_words.NO_STOP)
            except Exception as error:  # any error of a back end: the scan begins anew all the same
                _log.debug("stop: %r", error)

    def _take(self, device, advertisement):
        self._on_advert(device, advertisement, self._now_s())

    async def _until_due(self):
        while (wait_s := self._due_s() - self._now_s()) > 0:
            await asyncio.sleep(min(wait_s, FILTERED_S / 4))
            if self._scanners and self._now_s() - self._heard_s >= SILENCE_S:
                self._on_failure(failure_words.silent(SILENCE_S))

    def _due_s(self):
        """Return when to restart the scan if nothing more is heard until then."""
        if self._scanners and self._is_suspended():
            return max(self._heard_s + SILENCE_S, self._begun_s + AGAIN_S)
        if not self._scanners or self._heard_s < self._begun_s:
            # it may have stopped before its first advert
            return self._begun_s + AGAIN_S
        # a filter passes each address once per scan
        return min(self._heard_s + SILENCE_S, self._delay.restart_s)
