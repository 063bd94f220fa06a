#!/usr/bin/env python3
"""Plays a user of a broker that publishes more than an observer should, for tests of fleets.

It logs in over TLS, publishes what its options state, kept by the broker, waits
until the broker has handled it, and ends. `--flap SECONDS` first prints "ready" on standard output.
"""

import argparse
import json
import select
import socket
import ssl
import struct
import time
import uuid

RATE = 100  # statuses a second
TIME = "2026-11-21T08:30:00.000000Z"
CONNECT, PUBLISH_KEPT, PING = b"\x10", b"\x31", b"\xc0\x00"  # MQTT 3.1.1; quality 0


def text(string):
    data = string.encode()
    return struct.pack(">H", len(data)) + data


def packet(kind, body):
    """Returns a packet with its length, seven bits in a byte."""
    rest, length = len(body), bytearray()
    while True:
        length.append(rest & 127 | (128 if rest > 127 else 0))
        rest >>= 7
        if not rest:
            return kind + bytes(length) + body


class Broker:
    """A connection to a broker."""

    def __init__(self, options):
        context = ssl.create_default_context(cafile=options.ca)
        self.socket = context.wrap_socket(
            socket.create_connection((options.host, 8883)), server_hostname=options.host)
        # A clean session with a name and a password, and without a keep-alive.
        body = text("MQTT") + b"\x04\xc2\x00\x00" + text("bad") + text(options.user) + text(options.password)
        self.socket.sendall(packet(CONNECT, body))
        if self.read(4)[3]:
            raise SystemExit("bad_observer: the broker refuses the login")
        self.waiting = bytearray()

    def read(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise SystemExit("bad_observer: the broker has closed the connection")
            data += more
        return data

    def publish(self, topic, message):
        self.waiting += packet(PUBLISH_KEPT, text(topic) + json.dumps(message).encode())
        if len(self.waiting) > 1 << 16:
            self.send()

    def send(self):
        self.socket.sendall(self.waiting)
        self.waiting.clear()

    def settle(self):
        """Returns when the broker has handled everything."""
        self.send()
        self.socket.sendall(PING)
        self.read(2)


def peer(number):
    host = f"bad-{number}.local"
    return {
        "seq": number + 1, "id": str(uuid.uuid5(uuid.NAMESPACE_DNS, host)), "name": f"bad {number}", "host": host,
        "self": False, "presence": "present", "identity": {"source": "host-name", "value": host},
        "addresses": ["10.99.9.9"], "interfaces": ["eth0"], "services": [], "firstSeen": TIME, "lastSeen": TIME}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host")
    parser.add_argument("ca", help="the file of the authority that the broker's certificate is signed by")
    parser.add_argument("user")
    parser.add_argument("password")
    parser.add_argument("--sites", type=int, default=0, help="observers of its name, at sites of their own")
    parser.add_argument("--peers", type=int, default=0, help="peers of its observer at site 'bad'")
    parser.add_argument("--claim", help="a peer of its observer at site 'aaa', in JSON")
    parser.add_argument("--flap", type=float, default=0, help="go on- and offline 100 times a second for so long")
    options = parser.parse_args()
    broker = Broker(options)
    own = f"peerlist/v1/bad/{options.user}"
    if options.claim:
        claim = json.loads(options.claim)
        broker.publish(f"peerlist/v1/aaa/{options.user}/peers/{claim['id']}", dict(peer(0), **claim))
        broker.publish(f"peerlist/v1/aaa/{options.user}/status", {"state": "online", "peers": 1, "seq": 1})
        broker.settle()
        return
    for number in range(options.sites):
        broker.publish(f"peerlist/v1/a{number}/{options.user}/status", {"state": "online", "peers": 0})
    for number in range(options.peers):
        message = peer(number)
        broker.publish(f"{own}/peers/{message['id']}", message)
    status = {"state": "online", "peers": options.peers, "seq": options.peers}
    broker.publish(f"{own}/status", status)
    broker.settle()
    if options.flap:
        print("ready", flush=True)
    start = time.monotonic()
    for number in range(int(options.flap * RATE)):
        broker.publish(f"{own}/status", dict(status, state="offline" if number % 2 else "online"))
        broker.send()
        select.select([], [], [], max(0, start + number / RATE - time.monotonic()))
    broker.publish(f"{own}/status", status)
    broker.settle()


main()
