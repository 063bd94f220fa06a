"""Browses with python-zeroconf as avahi-browse does: it prints each service when it is found, and again when it is resolved."""

import asyncio
import signal
import sys

from zeroconf import ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

TYPES_NAME = "_services._dns-sd._udp.local."


class Browse:
    """Browses all services of all types."""

    def __init__(self, zeroconf):
        self.zeroconf, self.browsers, self.tasks, self.room = zeroconf, {}, set(), asyncio.Semaphore(50)

    def browse(self, kind):
        if kind not in self.browsers:
            self.browsers[kind] = AsyncServiceBrowser(self.zeroconf.zeroconf, kind, handlers=[self.changed])

    def changed(self, zeroconf, service_type, name, state_change):
        if state_change is ServiceStateChange.Removed:
            return
        if service_type == TYPES_NAME:
            return self.browse(name)
        if state_change is ServiceStateChange.Added:
            print(f"+;;;{name}", flush=True)
            task = asyncio.ensure_future(self.resolve(service_type, name))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def resolve(self, kind, name):
        async with self.room:
            info = AsyncServiceInfo(kind, name)
            if await info.async_request(self.zeroconf.zeroconf, 5000):
                print(f"=;;;{name}", flush=True)


async def main():
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, ended.set)
    zeroconf = AsyncZeroconf()
    Browse(zeroconf).browse(TYPES_NAME)
    await ended.wait()
    sys.stdout.flush()
    await zeroconf.async_close()


asyncio.run(main())
