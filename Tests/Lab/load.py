#!/usr/bin/env python3
"""Plays many services on many hosts: a small mDNS responder (RFC 6762) for the lab.

Announces its services, answers for them leaving out what the asker knows, says
goodbye on TERM, with --churn lets some leave and come back all the while until
USR1, and with --edits gives some another TXT record.
The log says what was true and when: "TIME + NAME TYPE" and "TIME - NAME TYPE".
"""

import argparse
import asyncio
import collections
import random
import signal
import socket
import struct
import sys
import time

GROUPS = {socket.AF_INET: "224.0.0.251", socket.AF_INET6: "ff02::fb"}
PORT = 5353
A, PTR, TXT, AAAA, SRV, ANY = 1, 12, 16, 28, 33, 255
TYPES_NAME = "_services._dns-sd._udp.local"
SHARED, UNIQUE = 0x0001, 0x8001  # class IN, without and with the bit that flushes caches
LONG_LIFE = 4500  # seconds, RFC 6762 section 10; what names a host lives shorter
ROOM = 1400  # bytes in one packet
CHURN_TICK = 0.02  # seconds from one moment at which services leave to the next

# What is in a record's data: bytes as they are, then a name, which may be compressed.
Record = collections.namedtuple("Record", "owner kind flags life data name", defaults=(b"", None))


class Packets:
    """Responses as they go over the wire, as many packets as the records need."""

    def __init__(self, records):
        self.done, self.bytes, self.offsets, self.count = [], bytearray(12), {}, 0
        for record in records:
            before = len(self.bytes)
            self.add(record)
            if len(self.bytes) > ROOM and self.count > 1:
                del self.bytes[before:]
                self.count -= 1
                self.finish()
                self.add(record)
        if self.count:
            self.finish()

    def finish(self):
        struct.pack_into(">HHHHHH", self.bytes, 0, 0, 0x8400, 0, self.count, 0, 0)
        self.done.append(bytes(self.bytes))
        self.bytes, self.offsets, self.count = bytearray(12), {}, 0

    def add(self, record):
        self.add_name(record.owner)
        self.bytes += struct.pack(">HHIH", record.kind, record.flags, record.life, 0)
        start = len(self.bytes)
        self.bytes += record.data
        if record.name:
            self.add_name(record.name)
        struct.pack_into(">H", self.bytes, start - 2, len(self.bytes) - start)
        self.count += 1

    def add_name(self, name):
        while name:
            if name in self.offsets:
                self.bytes += struct.pack(">H", 0xC000 | self.offsets[name])
                return
            self.offsets[name] = len(self.bytes)
            label, _, name = name.partition(".")
            self.bytes += bytes([len(label.encode())]) + label.encode()
        self.bytes += b"\0"


class Service:
    """One service: its name, its records, and whether it is there now."""

    def __init__(self, number, options):
        kinds = options.type.split(",")
        self.label = f"{options.name}-{number:05}"
        self.type = kinds[number % len(kinds)]
        self.number, self.alive, self.edition, self.reversed = number, True, 0, False
        self.host_life = options.host_life
        self.filling = b"".join(b"\xffx%03d=" % each + b"\x01" * 250 for each in range(options.text // 256))
        self.name = f"{self.label}.{self.type}.local"
        host = number % options.hosts
        self.host = "load.local" if options.hosts == 1 else f"load-{host:04}.local"

    def pointer(self, life=LONG_LIFE):
        return Record(f"{self.type}.local", PTR, SHARED, life, name=self.name)

    def place(self):
        port = 1024 + self.number % 60000
        return Record(self.name, SRV, UNIQUE, self.host_life, struct.pack(">HHH", 0, 0, port), self.host)

    def text(self):
        pairs = b"path=/", b"number=%d" % self.number, b"edition=%d" % self.edition
        pairs = pairs[::-1] if self.reversed else pairs
        text = b"".join(bytes([len(p)]) + p for p in pairs)
        return Record(self.name, TXT, UNIQUE, LONG_LIFE, text + self.filling)


class Responder:
    """Answers for the services on one interface, over both families."""

    def __init__(self, options):
        self.options = options
        self.loop = asyncio.get_running_loop()
        self.services = [Service(number, options) for number in range(options.services)]
        self.by_name = {service.name: service for service in self.services}
        self.by_type = collections.defaultdict(list)
        for service in self.services:
            self.by_type[f"{service.type}.local"].append(service)
        self.sockets = {family: self.open(family) for family in GROUPS}
        self.hosts = {}
        for service in self.services:
            self.hosts.setdefault(service.host, self.addresses(service))
        self.log = open(options.log, "w", buffering=1) if options.log else None
        self.queue, self.asked = collections.deque(), {}
        self.is_calm, self.is_over = False, False
        self.sent = asyncio.Event()

    def open(self, family):
        index = socket.if_nametoindex(self.options.interface)
        opened = socket.socket(family, socket.SOCK_DGRAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        group = socket.inet_pton(family, GROUPS[family])
        if family == socket.AF_INET:
            interface = struct.pack("4xi", index)
            opened.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group + interface)
            opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, b"\0" * 4 + interface)
            opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
            opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
            opened.bind((GROUPS[family], PORT))
        else:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group + struct.pack("@I", index))
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 0)
            opened.bind((GROUPS[family], PORT, 0, index))
        opened.setblocking(False)
        self.loop.add_reader(opened, self.receive, family, opened)
        return opened

    def addresses(self, service):
        """Addresses for a service's host, made up from the number of the host."""
        number = struct.pack(">H", 0x8000 | service.number % self.options.hosts)
        ipv4 = socket.inet_aton("10.99.0.0")[:2] + number
        ipv6 = socket.inet_pton(socket.AF_INET6, "fd99::")[:14] + number
        life = self.options.host_life
        return [Record(service.host, A, UNIQUE, life, ipv4), Record(service.host, AAAA, UNIQUE, life, ipv6)]

    # ---- sending, at a pace that does not merely fill the receivers' buffers

    def send(self, records, families=tuple(GROUPS)):
        packets = Packets(records).done
        idle = not self.queue
        self.sent.clear()
        self.queue.extend((family, packet) for packet in packets for family in families)
        if idle:
            self.drain()

    def drain(self):
        for _ in range(min(5, len(self.queue))):
            family, packet = self.queue.popleft()
            address = (GROUPS[family], PORT)
            self.sockets[family].sendto(packet, address)
        if self.queue:
            self.loop.call_later(5 / self.options.pace, self.drain)
        else:
            self.sent.set()

    def described(self, services):
        """All that is to be said of some services, with the addresses of their hosts."""
        for service in services:
            yield from (service.pointer(), service.place(), service.text())
        for host in {service.host: None for service in services}:
            yield from self.hosts[host]

    def announce(self):
        self.send(self.described([service for service in self.services if service.alive]))

    def change(self, services, alive):
        if alive and self.is_over:
            return  # they were to come back
        for service in services:
            service.alive = alive
            if self.log:
                self.log.write(f"{time.time():.4f} {'+' if alive else '-'} {service.label} {service.type}\n")
        if alive:
            self.send(self.described(services))
        else:
            self.send(service.pointer(life=0) for service in services)

    def churn(self, begun=None, start=0):
        """Whose turn has come leaves, fifty times a second, and is back after --away seconds."""
        if self.is_calm:
            return
        begun = begun or self.loop.time()
        end = int((self.loop.time() - begun) * self.options.churn)
        leaving = [self.services[each % len(self.services)] for each in range(start, end)]
        leaving = [service for service in leaving if service.alive]
        if leaving:
            self.change(leaving, False)
            self.loop.call_later(self.options.away, self.change, leaving, True)
        self.loop.call_later(CHURN_TICK, self.churn, begun, end)

    def calm(self):
        """Nobody leaves any more, and all are announced once those that are away are back."""
        self.is_calm = True
        self.loop.call_later(self.options.away + 0.5, self.announce)

    def leave(self):
        """All say goodbye, and who has left does not come back."""
        self.is_over = True
        self.change([service for service in self.services if service.alive], False)

    def edit(self, number=0):
        """The next service gets another TXT record, or, with --reverse, the same one in another order."""
        service = self.services[number % len(self.services)]
        if self.options.reverse:
            service.reversed = not service.reversed
        else:
            service.edition += 1
        self.send([service.text()])
        self.loop.call_later(1 / self.options.edits, self.edit, number + 1)

    # ---- answering

    def receive(self, family, opened):
        packet, source = opened.recvfrom(65536)
        try:
            self.read(family, packet, source[0])
        except (IndexError, struct.error, UnicodeDecodeError):
            pass  # not worth an answer

    def read(self, family, packet, source):
        _, flags, questions, answers, _, _ = struct.unpack_from(">HHHHHH", packet)
        if flags & 0x8000:
            return
        due = (family, source) not in self.asked
        wanted, known = self.asked.setdefault((family, source), (set(), set()))
        place = 12
        for _ in range(questions):
            name, place = self.name(packet, place)
            wanted.add((name, struct.unpack_from(">H", packet, place)[0]))
            place += 4
        for _ in range(answers):
            _, place = self.name(packet, place)
            kind, _, life, size = struct.unpack_from(">HHIH", packet, place)
            place += 10
            if kind == PTR and life >= LONG_LIFE / 2:
                known.add(self.name(packet, place)[0])
            place += size
        if due:  # one who says that more known answers follow is given time for them
            rest = random.uniform(0.4, 0.5) if flags & 0x0200 else random.uniform(0.02, 0.12)
            self.loop.call_later(rest, self.answer, family, source)

    @staticmethod
    def name(packet, place):
        labels, after = [], None
        while packet[place]:
            if packet[place] & 0xC0:
                after = after or place + 2
                place = struct.unpack_from(">H", packet, place)[0] & 0x3FFF
            else:
                labels.append(packet[place + 1:place + 1 + packet[place]].decode())
                place += 1 + packet[place]
            if len(labels) > 128:
                raise IndexError("a name that never ends")
        return ".".join(labels), after or place + 1

    def answer(self, family, source):
        wanted, known = self.asked.pop((family, source))
        records = []
        for name, kind in wanted:
            if name == TYPES_NAME and kind in (PTR, ANY):
                records += [Record(name, PTR, SHARED, LONG_LIFE, name=kind) for kind in self.by_type]
            if name in self.by_type and kind in (PTR, ANY):
                records += self.described([service for service in self.by_type[name]
                                           if service.alive and service.name not in known])
            service = self.by_name.get(name)
            if service and service.alive:
                records += [service.place()] * (kind in (SRV, ANY)) + [service.text()] * (kind in (TXT, ANY))
            records += [each for each in self.hosts.get(name, ()) if kind in (each.kind, ANY)]
        self.send(dict.fromkeys(records), (family,))


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--services", type=int, default=100, metavar="N")
    parser.add_argument("--hosts", type=int, default=1, metavar="N", help="spread the services over so many")
    parser.add_argument("--type", default="_http._tcp", help="one or more, with commas")
    parser.add_argument("--name", default="load", help="what the names of the services begin with")
    parser.add_argument("--interface", default="eth0")
    parser.add_argument("--churn", type=float, default=0, metavar="N", help="services that leave in a second")
    parser.add_argument("--hold", action="store_true", help="the churn begins with USR2, not by itself")
    parser.add_argument("--away", type=float, default=3, metavar="SECONDS")
    parser.add_argument("--text", type=int, default=0, metavar="BYTES",
                        help="how much longer TXT records are, by characters that JSON writes as six")
    parser.add_argument("--edits", type=float, default=0, metavar="N", help="TXT records that change in a second")
    parser.add_argument("--reverse", action="store_true", help="edits turn a TXT record's strings round, no more")
    parser.add_argument("--host-life", type=int, default=120, metavar="SECONDS",
                        help="how long what is said of hosts holds")
    parser.add_argument("--pace", type=float, default=1000, metavar="N", help="packets in a second")
    parser.add_argument("--log", metavar="FILE")
    responder = Responder(parser.parse_args())
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        responder.loop.add_signal_handler(number, ended.set)
    responder.loop.add_signal_handler(signal.SIGUSR1, responder.calm)
    responder.change(responder.services, True)
    responder.loop.call_later(1, responder.announce)
    if responder.options.churn and responder.options.hold:
        responder.loop.add_signal_handler(signal.SIGUSR2, responder.churn)
    elif responder.options.churn:
        responder.loop.call_later(2, responder.churn)
    if responder.options.edits:
        responder.loop.call_later(2, responder.edit)
    print(f"ready: {len(responder.services)} services", flush=True)
    await ended.wait()
    responder.leave()
    await responder.sent.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
