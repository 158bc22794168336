"""A radio process that is none: it says what a script holds, in virtual time."""

import asyncio

from host.collector.carriers import json_lines


class Fake:
    """A process as a script: what it says, and then it ends, or stands still."""

    def __init__(self, messages, ends):
        self.stdout = asyncio.StreamReader()
        self.stdin = self
        self.written, self.killed, self._over = [], False, asyncio.Event()
        for message in messages:
            self.say(message)
        if ends:
            self.stdout.feed_eof()

    def say(self, message):
        self.stdout.feed_data(json_lines.encode(message))

    def write(self, line):
        self.written.append(json_lines.decode(line))

    def is_closing(self):
        return False

    def close(self):
        self._over.set()

    def kill(self):
        self.killed = True
        self._over.set()

    async def wait(self):
        await self._over.wait()
