"""The real air: boards with the real ``adafruit_ble`` and a host with the real bleak API, on bumble.

``BleAir.link(address, wake)`` gives a board its Link port, which is ``firmware.radio`` unmodified;
``BleAir.carrier(collector, now_ms)`` gives the host's carrier on the virtual adapter. Everything
that is chance is drawn from one seed. To be made inside a running loop.
"""

from bumble import device, hci, host

from host.carriers.bleak import BleakCarrier
from host.sim import bleak_backend, bleio, controller, medium


class BleAir:
    """One hall: ``loss`` (0-1) is the chance that a packet on the air is not received."""

    def __init__(self, loop, seed, loss):
        bleio.install()
        controller.hush()
        self.medium = medium.Medium(loop, seed, loss)
        self._adapters = {}

    def link(self, address, wake=lambda: None, distance_m=5):
        """Return the Link of the board at ``address``, a number; ``wake`` as on an interrupt.

        Asked again, the board has been reset: its links are gone without a good-bye.
        """
        from firmware.radio.link import Link  # needs bleio installed

        self.power_off(address)
        radio_address = hci.Address("C0:00:00:00:%02X:%02X" % divmod(address, 256))
        adapter = bleio.Adapter(self.medium, radio_address, distance_m, wake)
        self._adapters[address] = adapter
        with bleio.on(adapter):
            return Link(adapter)

    def power_off(self, address):
        """Pull the battery of a board: it falls silent, and its peer finds out after 4 s."""
        adapter = self._adapters.pop(address, None)
        if adapter is not None:
            adapter.power_off()

    def carrier(self, collector, now_ms):
        """Return the host's carrier, whose ``run()`` moves frames until it is cancelled."""
        return BleakCarrier(collector, now_ms, self.computer(0))

    def computer(self, number):
        """Return bleak's (scanner, client) backends for a PC with an adapter of its own."""
        address = hci.Address(f"F0:00:00:00:00:{number:02X}")
        radio = controller.RadioController(self.medium, address, distance_m=0)
        stack = device.Device(address=address, host=host.Host(radio, radio))
        return bleak_backend.backends(stack)

    @property
    def stalls(self):
        """Notifications that would have made a board wait for its radio: should be 0."""
        return sum(adapter.stalls for adapter in self._adapters.values())
