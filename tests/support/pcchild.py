"""A radio process with a stub inside, as ``python pcchild.py MODE``: what real systems do to real
processes.

``well`` hears one board; ``hangs`` stands still for good as it closes a link, as Windows does;
``prints`` writes to standard output, as libraries do.
"""

import os
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parent))
BOARD, FRAME = "C0:01", b"f" * 24


def backends(mode):
    """Return stubs for bleak's two classes."""
    import pcradio

    class Scanner(pcradio.ScriptedScanner):
        async def start(self):
            if mode == "prints":
                print("a library says something")
                os.write(1, b"and so does the C in it\n")
            self.seen_devices = {}
            self.report(BOARD, {0xFFFF: FRAME})

        async def stop(self):
            pass

    class Client(pcradio.ScriptedClient):
        async def connect(self, pair, **kwargs):
            self.is_connected, self.services = True, self._offered()

        async def disconnect(self):
            if mode == "hangs" and self.is_connected:
                threading.Event().wait()

        async def write_gatt_char(self, characteristic, data, response):
            self.notify(bytearray(data[::-1]))

    Scanner.pc = Client.pc = type("Pc", (), {"mtu": 247, "ours": True})
    return Scanner, Client


if __name__ == "__main__":
    from host.collector.carriers import radio_child

    radio_child.main(sys.argv[2:], backends(sys.argv[1]))
