"""A real ``plusthree`` process as the host of a virtual hall, killed with -9 whenever a test likes.

Time is that of ``host.sim.clock``: whoever sleeps here lets virtual time pass.
"""

import asyncio
import json
import os
import pathlib
import random
import signal
import subprocess
import sys

BUSY = 60_000  # turns of an empty loop: up to some milliseconds, in which the process is at work
PATIENCE_S = 60


class Killed(Exception):
    """The process was killed in the middle of this."""


class Process:
    """The Collector's face of one ``plusthree dev simulate tether`` process."""

    def __init__(self, path, luck):
        self._luck, self.doomed, self.dead, self.busy = luck, False, False, False
        program = pathlib.Path(sys.executable).with_name("plusthree")
        self._child = subprocess.Popen(
            [program, "dev", "simulate", "tether", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def _ask(self, *words):
        if self.dead:
            raise Killed
        self._child.stdin.write(json.dumps(words) + "\n")
        self._child.stdin.flush()
        if self.doomed and (self.busy or self.doomed == "now"):
            for _ in range(self._luck.randrange(BUSY)):
                pass
            self.kill()
            raise Killed
        answer = self._child.stdout.readline()
        if not answer:
            raise AssertionError(self._child.stderr.read())
        return json.loads(answer)

    def kill(self):
        os.kill(self._child.pid, signal.SIGKILL)
        self._child.communicate()
        self.dead = True

    def close(self):
        """Let it end by itself; returns what it said on stderr."""
        self.dead = True
        return self._child.communicate()[1]

    def do(self, line, now_ms):
        return self._ask("do", line, now_ms)

    # what a carrier asks: nothing comes of it once the process is dead

    def _quietly(self, *words):
        try:
            return self._ask(*words)
        except Killed:
            return None

    def on_advert(self, address, frame, now_ms):
        self._quietly("heard", address, frame.hex(), now_ms)

    def on_notification(self, address, frame, now_ms):
        """As the Collector's; the next ``poll`` commits."""
        self._quietly("received", address, frame.hex(), now_ms)
        self.busy = True

    def on_connected(self, address):
        self._quietly("opened", address)

    def on_disconnected(self, address):
        self._quietly("closed", address)

    def poll(self, now_ms):
        actions = self._quietly("poll", now_ms) or []
        self.busy = False
        return [[*action[:2], *map(bytes.fromhex, action[2:])] for action in actions]

    def has_work(self, now_ms):
        """As the Collector's, at its quickest: ``poll`` alone knows."""
        return True

    def due_ms(self, now_ms):
        """As the Collector's, at its quickest."""
        return now_ms + 250


class Host:
    """A process, its carrier, and what happens when it is killed: another takes its place."""

    def __init__(self, loop, air, path, now_ms, seed):
        self._loop, self._air, self._path, self._now_ms = loop, air, path, now_ms
        self._luck = random.Random(f"kills {seed}")
        self.kills = 0
        self._begin()

    def _begin(self):
        self.process = Process(self._path, self._luck)
        self._carrier = self._air.carrier(self.process, self._now_ms)
        self._task = self._loop.create_task(self._carrier.run())

    async def again(self):
        """Wait for the kill that is due, let the links die, and start anew."""
        while not self.process.dead:
            await asyncio.sleep(0.25)
        self.kills += 1
        self._end()
        await asyncio.sleep(self._luck.uniform(0.1, 5))
        self._begin()

    def _end(self):
        self._task.cancel()
        for session in list(self._carrier._sessions.values()):
            session.end()

    async def murder(self, times, until_s):
        """Kill it so many times before ``until_s``; half of them at its commits."""
        moments = sorted(self._luck.uniform(self._loop.time(), until_s) for _ in range(times))
        for moment in moments:
            await asyncio.sleep(max(0, moment - self._loop.time()))
            self.process.doomed = self._luck.choice(("now", "at work"))
            patience = self._loop.call_later(PATIENCE_S, self._now, self.process)
            await self.again()
            patience.cancel()

    @staticmethod
    def _now(process):
        """It had nothing to commit for a while."""
        process.doomed = "now"

    def do(self, line):
        try:
            return self.process.do(line, self._now_ms())
        except Killed:
            return None

    def close(self):
        self._end()
        return self.process.close()
