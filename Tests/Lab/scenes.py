#!/usr/bin/env python3
"""Plays a random scene of devices on the lab's link, the same for each seed.

Devices arrive, say goodbye, withdraw one service, fall silent until their records expire, change a port, a TXT
record, an address or a name; another machine withdraws or flushes their records, a reflector repeats their packets
with another hop limit, and packets have the TC bit or come in fragments. Standard output has each act; the last line
is "done".
"""

import argparse
import asyncio
import json
import os
import random
import socket
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import load
from load import GROUPS, PORT, PTR, SHARED, UNIQUE, Packets, Record

TYPES = ["_http._tcp", "_ipp._tcp", "_smb._tcp", "_ssh._tcp", "_rare-%d._tcp"]
BRIEF = 10  # seconds, the TTL of the records of devices that fall silent
REST = 7  # seconds between two acts of a device: which changes count as one depends on who hears them
OTHER = "10.99.0.200"  # another machine


def devices(chance, count):
    """As many devices, as load.py reads them."""
    for number in range(1, count + 1):
        brief = number % 3 == 0
        kinds = chance.sample(TYPES, chance.randint(1, 3))
        text = ["note=" + "x" * 200] * 12 if number % 4 == 0 else [f"n={number}"]  # in fragments
        yield {
            "name": f"d{number}", "host": f"scene-{number}.local",
            "addresses": [f"10.99.0.{100 + number}"] + [f"fd99::1:{number}"] * (number % 2),
            "ttl": dict.fromkeys(("PTR", "SRV", "TXT", "A"), BRIEF) if brief else {},
            "services": [{"instance": f"Scene {number}", "type": kind.replace("%d", str(number)), "port": 80 + number,
                          "txt": text} for kind in kinds]}


class Scene(load.Responder):
    """The devices, and what happens to them."""

    def __init__(self, options):
        options.interface, *others = options.interfaces
        super().__init__(options)
        self.chance = random.Random(options.seed)
        self.groups, self.latest, self.twins = {}, {}, []
        for options.interface in others:
            twin = load.Responder(options)
            for name in ("services", "by_name", "by_pointer", "types", "hosts"):
                setattr(twin, name, getattr(self, name))
            self.twins.append(twin)
        for service in self.services:
            service.alive = False
            self.groups.setdefault(service.host.device, []).append(service)
        self.other = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            self.other.setsockopt(socket.SOL_SOCKET, option, 1)
        index = socket.if_nametoindex(options.interfaces[0])
        self.other.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, struct.pack("8xi", index))
        self.other.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
        self.other.bind((OTHER, PORT))

    def send(self, records, families=tuple(GROUPS), target=None):
        records = list(records)
        super().send(records, families, target)
        for twin in self.twins if target is None and len(families) > 1 else []:
            twin.send(records)

    def speak(self, records, hop_limit=255):
        """Sends records as another machine."""
        self.other.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, hop_limit)
        for packet in Packets(records).done:
            self.other.sendto(packet, (GROUPS[socket.AF_INET], PORT))

    def living(self):
        return [name for name, services in self.groups.items() if any(each.alive for each in services)]

    def away(self):
        return [name for name in self.groups if name not in self.living()]

    # ---- the acts; each returns what it did, or nothing if it could not

    def arrives(self):
        if name := self.pick(self.away()):
            services = self.groups[name]
            self.change(services, True)
            self.loop.call_later(1, lambda: self.send(self.records([each for each in services if each.alive])))
            return name

    def leaves(self):
        if name := self.pick(self.living()):
            self.change([each for each in self.groups[name] if each.alive], False)
            return name

    def loses_a_service(self):
        names = [name for name in self.living() if sum(each.alive for each in self.groups[name]) > 1]
        if name := self.pick(names):
            service = self.chance.choice([each for each in self.groups[name] if each.alive])
            self.change([service], False)
            return f"{name} {service.type}"

    def falls_silent(self):
        names = [name for name in self.living() if self.groups[name][0].host.ttl["PTR"] == BRIEF]
        if name := self.pick(names):
            for service in self.groups[name]:
                service.alive = False
            return name

    def changes_a_port(self):
        if name := self.pick(self.living()):
            service = self.chance.choice([each for each in self.groups[name] if each.alive])
            service.port += 1000
            self.send([service.srv()])
            return f"{name} {service.type}"

    def changes_a_text(self):
        if name := self.pick(self.living()):
            service = self.chance.choice([each for each in self.groups[name] if each.alive])
            service.edit()
            self.send([service.txt()])
            return f"{name} {service.type}"

    def moves(self):
        """Has another address."""
        if name := self.pick(self.living()):
            host = self.groups[name][0].host
            data = bytearray(host.addresses[0].data)
            data[3] ^= 0x80
            host.addresses[0] = host.addresses[0]._replace(data=bytes(data))
            self.send(host.addresses)
            return name

    def is_renamed(self):
        if name := self.pick(self.living()):
            services = [each for each in self.groups[name] if each.alive]
            self.send([record for each in services for record in each.ptrs(ttl=0)])
            for each in services:
                self.by_name.pop(each.key)
                each.instance += " Two"
                each.name = (each.instance, *each.type_name)
                each.key = load.folded(each.name)
                self.by_name[each.key] = each
            self.send(self.records(services))
            return name

    def is_withdrawn_by_another(self):
        if name := self.pick(self.living()):
            service = self.chance.choice([each for each in self.groups[name] if each.alive])
            self.speak(service.ptrs(ttl=0))
            return f"{name} {service.type}"

    def is_flushed_by_another(self):
        if name := self.pick(self.living()):
            kind = self.groups[name][0].type_name
            other = ("Other", *kind)
            self.speak([
                Record(kind, PTR, UNIQUE, 4500, name=other),
                Record(other, load.SRV, UNIQUE, 120, struct.pack(">HHH", 0, 0, 9), ("other", "local")),
                Record(other, load.TXT, UNIQUE, 4500, b"\0"),
                Record(("other", "local"), load.A, UNIQUE, 120, socket.inet_aton(OTHER))])
            return f"{name} {'.'.join(kind)}"

    def is_reflected(self):
        """A machine of another network repeats its records."""
        if name := self.pick(self.living()):
            hop_limit = self.chance.choice([1, 64, 254])
            self.speak(self.records([each for each in self.groups[name] if each.alive]), hop_limit)
            return f"{name} {hop_limit}"

    def is_truncated(self):
        """Its next packet has the TC bit."""
        if name := self.pick(self.living()):
            for packet in Packets(self.records([each for each in self.groups[name] if each.alive])).done:
                self.sockets[socket.AF_INET].sendto(packet[:2] + b"\x86" + packet[3:], (GROUPS[socket.AF_INET], PORT))
            return name

    def pick(self, names):
        now = self.loop.time()
        names = sorted(name for name in names if now - self.latest.get(name, now - REST) >= REST)
        if not names:
            return None
        name = self.chance.choice(names)
        self.latest[name] = now
        return name

    async def pause(self, seconds):
        over = asyncio.Event()
        self.loop.call_later(seconds, over.set)
        await over.wait()

    async def play(self, count):
        acts = [getattr(self, act) for act in self.options.acts]
        for each in range(count):
            act = self.arrives if each < 4 else self.chance.choice(acts)
            done = act()
            if done:
                print(f"{act.__name__}: {done}", flush=True)
            await self.pause(self.chance.choice(self.options.pauses))
        await self.pause(self.options.end)
        # A message shows in a capture that the time is over.
        self.other.sendto(bytes(12), (GROUPS[socket.AF_INET], PORT))
        print("done", flush=True)


ACTS = ["arrives", "leaves", "loses_a_service", "falls_silent", "changes_a_port", "changes_a_text", "moves", "is_renamed",
        "is_withdrawn_by_another", "is_flushed_by_another", "is_reflected", "is_truncated"]


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("--acts", nargs="+", choices=ACTS, default=ACTS, metavar="ACT", help=", ".join(ACTS))
    parser.add_argument("--count", type=int, default=16, metavar="N", help="the number of acts")
    parser.add_argument("--devices", dest="number", type=int, default=6, metavar="N")
    parser.add_argument("--pauses", type=float, nargs="+", default=[0.5, 1.5, 3], metavar="SECONDS")
    parser.add_argument("--end", type=float, default=15, metavar="SECONDS", help="the time after the last act")
    parser.add_argument("--interfaces", nargs="+", default=["eth0"], metavar="NAME")
    options = parser.parse_args()
    options.host_ttl, options.hop_limit, options.pace, options.log = 120, 255, 1000, None
    options.unlisted = options.unicast = False
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(list(devices(random.Random(options.seed), options.number)), file)
        file.flush()
        options.devices = file.name
        scene = Scene(options)
    await scene.play(options.count)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
