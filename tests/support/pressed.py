"""A virtual desk whose tables also do what a test asks of them."""

from virtualdesk import VirtualDesk

from firmware.core import intents


class PressedDesk(VirtualDesk):
    """A VirtualDesk at whose tables seats press keys when asked to."""

    def press(self, table, kind, *numbers):
        def do(station):
            one, now_ms = self._web.stage.venue.tables[table], station.collector.now_ms
            assert one.app._ask(
                intents.of_numbers(kind, now_ms, *numbers, *(0,) * (3 - len(numbers))), now_ms
            )
            one.wake()

        self.ask(do)
