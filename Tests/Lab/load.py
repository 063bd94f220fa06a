#!/usr/bin/env python3
"""Plays many services on many hosts: a small mDNS responder (RFC 6762) for the lab.

Announces its services, answers queries except for known answers, and sends goodbyes
on TERM. The services are invented, or described in a file (--devices; devices.json
is one). With --churn some leave and return until USR1, with --edits some change
their TXT records, and with --commands a device leaves and returns when told so.
The log has what was true and when: "TIME + NAME TYPE" and "TIME - NAME TYPE".
"""

import argparse
import asyncio
import collections
import ipaddress
import json
import os
import random
import signal
import socket
import struct
import sys
import time

GROUPS = {socket.AF_INET: "224.0.0.251", socket.AF_INET6: "ff02::fb"}
PORT = 5353
A, PTR, TXT, AAAA, SRV, ANY = 1, 12, 16, 28, 33, 255
SHARED, UNIQUE = 0x0001, 0x8001  # class IN, without and with the cache-flush bit
LONG_TTL = 4500  # seconds (RFC 6762, section 10); records that name a host have a shorter TTL
PACKET_SIZE = 1400  # bytes
CHURN_TICK = 0.02  # seconds between two moments at which services leave

# Names are tuples of labels. A record's data are bytes, followed by a name that may be compressed.
Record = collections.namedtuple("Record", "owner kind flags ttl data name", defaults=(b"", None))
TYPES_NAME = ("_services", "_dns-sd", "_udp", "local")


def folded(name):
    """A name in the form in which names are compared."""
    return tuple(label.lower() for label in name)


class Packets:
    """The records as response messages, as many as they need."""

    # An OPT record of EDNS that is added to each message, or none.
    extra = b""

    def __init__(self, records):
        self.done, self.bytes, self.offsets, self.count = [], bytearray(12), {}, 0
        for record in records:
            before = len(self.bytes)
            self.add(record)
            if len(self.bytes) > PACKET_SIZE and self.count > 1:
                del self.bytes[before:]
                self.count -= 1
                self.finish()
                self.add(record)
        if self.count:
            self.finish()

    def finish(self):
        struct.pack_into(">HHHHHH", self.bytes, 0, 0, 0x8400, 0, self.count, 0, 1 if self.extra else 0)
        self.done.append(bytes(self.bytes) + self.extra)
        self.bytes, self.offsets, self.count = bytearray(12), {}, 0

    def add(self, record):
        self.add_name(record.owner)
        self.bytes += struct.pack(">HHIH", record.kind, record.flags, record.ttl, 0)
        start = len(self.bytes)
        self.bytes += record.data
        if record.name:
            self.add_name(record.name)
        struct.pack_into(">H", self.bytes, start - 2, len(self.bytes) - start)
        self.count += 1

    def add_name(self, name):
        """Adds a name: its labels, or a text with dots between them."""
        if isinstance(name, str):
            name = tuple(name.split("."))
        while name:
            if name in self.offsets:
                self.bytes += struct.pack(">H", 0xC000 | self.offsets[name])
                return
            self.offsets[name] = len(self.bytes)
            label, name = name[0].encode(), name[1:]
            self.bytes += bytes([len(label)]) + label
        self.bytes += b"\0"


def edns(options):
    """The OPT record (RFC 6891) with the options of a sleep proxy (OWNER) or an advertising proxy (TSR)."""
    data = b""
    if options.owner:
        data += struct.pack(">HHBB", 4, 8, 0, 1) + bytes.fromhex(options.owner.replace(":", ""))
    if options.age is not None:
        data += struct.pack(">HHI", 65002, 4, options.age)
    return b"\0" + struct.pack(">HHIH", 41, 1440, 0, len(data)) + data if data else b""


class Host:
    """A host: its addresses and services."""

    def __init__(self, device, name, addresses, ttl):
        self.device, self.name, self.ttl, self.services = device, tuple(name.split(".")), ttl, []
        packed = [ipaddress.ip_address(address).packed for address in addresses]
        self.addresses = [Record(self.name, A if len(each) == 4 else AAAA, UNIQUE, ttl["A"], each) for each in packed]


class Service:
    """A service instance: its host and its records."""

    def __init__(self, host, instance, kind, port, strings, subtypes=()):
        self.host, self.instance, self.type, self.port, self.strings = host, instance, kind, port, strings
        self.alive, self.edition = True, 0
        self.type_name = (*kind.split("."), "local")
        self.name = (instance, *self.type_name)
        self.pointed = [self.type_name, *((subtype, "_sub", *self.type_name) for subtype in subtypes)]
        self.key = folded(self.name)
        host.services.append(self)

    def ptrs(self, ttl=None):
        ttl = self.host.ttl["PTR"] if ttl is None else ttl
        return [Record(owner, PTR, SHARED, ttl, name=self.name) for owner in self.pointed]

    def srv(self):
        data = struct.pack(">HHH", 0, 0, self.port)
        return Record(self.name, SRV, UNIQUE, self.host.ttl["SRV"], data, self.host.name)

    def txt(self):
        data = b"".join(bytes([len(string)]) + string for string in self.strings or [b""])
        return Record(self.name, TXT, UNIQUE, self.host.ttl["TXT"], data)

    def edit(self):
        """Counts up in the string `edition`, which comes first."""
        self.edition += 1
        rest = [string for string in self.strings if not string.startswith(b"edition=")]
        self.strings = [b"edition=%d" % self.edition, *rest]


def ttls(options, **changes):
    """The TTLs of a host's records; A stands for AAAA too."""
    return {"PTR": LONG_TTL, "TXT": LONG_TTL, "SRV": options.host_ttl, "A": options.host_ttl} | changes


def invented(options):
    """As many services as the options say, in the order of their numbers."""
    hosts = []
    for number in range(options.hosts):
        name = f"{options.host_name}.local" if options.hosts == 1 else f"load-{number:04}.local"
        addresses = [ipaddress.ip_address(first) + number for first in ("10.99.128.0", "fd99::8000")]
        hosts.append(Host(name, name, addresses, ttls(options)))
    kinds = options.type.split(",")
    filling = [b"x%03d=" % each + b"\x01" * 250 for each in range(options.text // 256)]
    return [Service(hosts[number % len(hosts)], f"{options.name}-{number:05}", kinds[number % len(kinds)],
                    1024 + number % 60000, [b"edition=0", b"path=/", b"number=%d" % number, *filling])
            for number in range(options.services)]


def described(options):
    """The services of the devices in a file: a list of objects, as in devices.json.

    A string of a TXT record is a string, or {"key": KEY, "hex": DIGITS} if the value is binary. "ttl" has
    the TTLs that differ from those of RFC 6762, by record type. Scene.swift reads the same file; it expects
    services by type, then name, and addresses with IPv4 before IPv6, by number, link-local ones last.
    """
    def string(each):
        return each.encode() if isinstance(each, str) else each["key"].encode() + b"=" + bytes.fromhex(each["hex"])

    with open(options.devices, encoding="utf-8") as file:
        devices = json.load(file)
    services = []
    for device in devices:
        host = Host(device["name"], device["host"], device["addresses"], ttls(options, **device.get("ttl", {})))
        services += [Service(host, each["instance"], each["type"], each["port"],
                             [string(text) for text in each.get("txt", [])], each.get("subtypes", []))
                     for each in device["services"]]
    return services


class Responder:
    """Answers for the services on one interface, over both families."""

    def __init__(self, options):
        self.options = options
        self.loop = asyncio.get_running_loop()
        self.services = described(options) if options.devices else invented(options)
        self.by_name = {service.key: service for service in self.services}
        self.by_pointer = collections.defaultdict(list)
        for service in self.services:
            for owner in service.pointed:
                self.by_pointer[folded(owner)].append(service)
        self.types = list(dict.fromkeys(service.type_name for service in self.services))
        self.hosts = {folded(service.host.name): service.host for service in self.services}
        self.sockets = {family: self.open(family) for family in GROUPS}
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
            opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, self.options.hop_limit)
            opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
            opened.bind((GROUPS[family], PORT))
        else:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group + struct.pack("@I", index))
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, self.options.hop_limit)
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 0)
            opened.bind((GROUPS[family], PORT, 0, index))
        opened.setblocking(False)
        self.loop.add_reader(opened, self.receive, family, opened)
        return opened

    # ---- sending, at a pace that does not overflow the receivers' buffers

    def send(self, records, families=tuple(GROUPS), target=None):
        packets = Packets(records).done
        idle = not self.queue
        self.sent.clear()
        self.queue.extend((family, packet, target) for packet in packets for family in families)
        if idle:
            self.drain()

    def drain(self):
        for _ in range(min(5, len(self.queue))):
            family, packet, target = self.queue.popleft()
            address = target or (GROUPS[family], PORT)
            self.sockets[family].sendto(packet, address)
        if self.queue:
            self.loop.call_later(5 / self.options.pace, self.drain)
        else:
            self.sent.set()

    @staticmethod
    def records(services):
        """All records of some services and of their hosts."""
        for service in services:
            yield from (*service.ptrs(), service.srv(), service.txt())
        for host in dict.fromkeys(service.host for service in services):
            yield from host.addresses

    def announce(self):
        self.send(self.records([service for service in self.services if service.alive]))

    def change(self, services, alive):
        if alive and self.is_over:
            return  # they were due to return
        for service in services:
            service.alive = alive
            if self.log:
                self.log.write(f"{time.time():.4f} {'+' if alive else '-'} {service.instance} {service.type}\n")
        if alive:
            self.send(self.records(services))
        else:
            self.send(record for service in services for record in service.ptrs(ttl=0))

    def command(self, pipe):
        """Handles the lines that have come: "leave DEVICE", "return DEVICE", "leave DEVICE: TYPE", …"""
        for line in os.read(pipe, 1 << 16).decode().splitlines():
            verb, _, rest = line.partition(" ")
            device, _, kind = rest.partition(": ")
            services = [service for service in self.services
                        if service.host.device == device and kind in ("", service.type)]
            if verb not in ("leave", "return") or not services:
                print(f"not a command: {line}", file=sys.stderr, flush=True)
            else:
                self.change(services, verb == "return")

    def churn(self, begun=None, start=0):
        """Lets the next services leave, fifty times a second, and return after --away seconds."""
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
        """Ends the churn, and announces all services once those that left have returned."""
        self.is_calm = True
        self.loop.call_later(self.options.away + 0.5, self.announce)

    def leave(self):
        """Sends goodbyes for all services, for good, and for their types, though other hosts may offer them."""
        self.is_over = True
        self.send(Record(TYPES_NAME, PTR, SHARED, 0, name=each) for each in self.types)
        self.change([service for service in self.services if service.alive], False)

    def repeat_goodbyes(self):
        """Sends goodbyes for all services again: among the many of a churn, some may have been lost."""
        self.send(record for service in self.services for record in service.ptrs(ttl=0))

    def edit(self, number=0):
        """Changes the TXT record of the next service, or with --reverse only the order of its strings."""
        service = self.services[number % len(self.services)]
        if self.options.reverse:
            service.strings.reverse()
        else:
            service.edit()
        self.send([service.txt()])
        self.loop.call_later(1 / self.options.edits, self.edit, number + 1)

    # ---- answering

    def receive(self, family, opened):
        packet, source = opened.recvfrom(65536)
        try:
            self.read(family, packet, source)
        except (IndexError, struct.error, UnicodeDecodeError):
            pass  # malformed

    def read(self, family, packet, source):
        _, flags, questions, answers, _, _ = struct.unpack_from(">HHHHHH", packet)
        if flags & 0x8000:
            return
        due = (family, source) not in self.asked
        wanted, known = self.asked.setdefault((family, source), (set(), {}))
        offset = 12
        for _ in range(questions):
            name, offset = self.name(packet, offset)
            wanted.add((name, struct.unpack_from(">H", packet, offset)[0]))
            offset += 4
        for _ in range(answers):
            owner, offset = self.name(packet, offset)
            kind, _, ttl, size = struct.unpack_from(">HHIH", packet, offset)
            offset += 10
            if kind == PTR:
                known[owner, self.name(packet, offset)[0]] = ttl
            if kind in (A, AAAA):
                known[owner, packet[offset:offset + size]] = ttl
            offset += size
        if due:  # more known answers follow a truncated query
            delay = random.uniform(0.4, 0.5) if flags & 0x0200 else random.uniform(0.02, 0.12)
            self.loop.call_later(delay, self.answer, family, source)

    @staticmethod
    def name(packet, offset):
        """The name at an offset, folded, and the offset of what follows it."""
        labels, after = [], None
        while packet[offset]:
            if packet[offset] & 0xC0:
                after = after or offset + 2
                offset = struct.unpack_from(">H", packet, offset)[0] & 0x3FFF
            else:
                labels.append(packet[offset + 1:offset + 1 + packet[offset]].decode())
                offset += 1 + packet[offset]
            if len(labels) > 128:
                raise IndexError("a name that never ends")
        return folded(labels), after or offset + 1

    def answer(self, family, source):
        wanted, known = self.asked.pop((family, source))
        records = []
        for name, kind in wanted:
            if name == TYPES_NAME and kind in (PTR, ANY) and not self.options.unlisted:
                records += [Record(name, PTR, SHARED, LONG_TTL, name=each) for each in self.types]
            if name in self.by_pointer and kind in (PTR, ANY):
                records += self.records([
                    service for service in self.by_pointer[name] if service.alive
                    and known.get((name, service.key), 0) < service.host.ttl["PTR"] / 2])
            service = self.by_name.get(name)
            if service and service.alive:
                records += [service.srv()] * (kind in (SRV, ANY)) + [service.txt()] * (kind in (TXT, ANY))
            host = self.hosts.get(name)
            if host and any(service.alive for service in host.services):
                records += [each for each in host.addresses if kind in (each.kind, ANY)
                            and known.get((name, each.data), 0) < host.ttl["A"] / 2]
        self.send(dict.fromkeys(records), (family,), source if self.options.unicast else None)


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--devices", metavar="FILE", help="play the devices of this file, not invented services")
    parser.add_argument("--services", type=int, default=100, metavar="N")
    parser.add_argument("--hosts", type=int, default=1, metavar="N", help="the number of hosts that share the services")
    parser.add_argument("--type", default="_http._tcp", help="one or more, with commas")
    parser.add_argument("--name", default="load", help="prefix of the instance names")
    parser.add_argument("--interface", default="eth0")
    parser.add_argument("--commands", metavar="FIFO",
                        help="make this named pipe, and read lines from it: leave DEVICE, return DEVICE, or\n"
                        "the same for one service: leave DEVICE: TYPE")
    parser.add_argument("--churn", type=float, default=0, metavar="N", help="services that leave per second")
    parser.add_argument("--hold", action="store_true", help="begin the churn on USR2")
    parser.add_argument("--away", type=float, default=3, metavar="SECONDS")
    parser.add_argument("--text", type=int, default=0, metavar="BYTES",
                        help="add as much to TXT records, in characters that JSON writes as six")
    parser.add_argument("--edits", type=float, default=0, metavar="N", help="TXT records that change per second")
    parser.add_argument("--reverse", action="store_true", help="edits only reverse the strings of a TXT record")
    parser.add_argument("--host-name", default="load", help="the name of the only host")
    parser.add_argument("--host-life", dest="host_ttl", type=int, default=120, metavar="SECONDS",
                        help="TTL of SRV and address records")
    parser.add_argument("--unlisted", action="store_true", help="do not answer for service types")
    parser.add_argument("--unicast", action="store_true", help="answer only to the host that asked")
    parser.add_argument("--hop-limit", type=int, default=255, metavar="N", help="of packets, as a reflector may change it")
    parser.add_argument("--owner", metavar="MAC", help="add the OWNER option of a sleep proxy, with the sleeper's address")
    parser.add_argument("--age", type=int, metavar="SECONDS", help="add the TSR option of an advertising proxy")
    parser.add_argument("--pace", type=float, default=1000, metavar="N", help="packets per second")
    parser.add_argument("--log", metavar="FILE")
    options = parser.parse_args()
    Packets.extra = edns(options)
    responder = Responder(options)
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        responder.loop.add_signal_handler(number, ended.set)
    responder.loop.add_signal_handler(signal.SIGUSR1, responder.calm)
    if responder.options.commands:
        os.mkfifo(responder.options.commands)
        pipe = os.open(responder.options.commands, os.O_RDWR | os.O_NONBLOCK)  # never at its end
        responder.loop.add_reader(pipe, responder.command, pipe)
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
    for _ in range(4 if responder.options.churn else 0):
        repeated = responder.loop.create_future()
        responder.loop.call_later(1, repeated.set_result, None)
        await repeated
        responder.repeat_goodbyes()
        await responder.sent.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
