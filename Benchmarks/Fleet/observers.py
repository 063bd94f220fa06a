"""Plays the observers of a fleet: publishes their statuses and peers as `peerlist --publish` does.

usage: observers.py SHAPE [--observers N] [--first N] [--site N] [--port N]

SHAPE is one of own, shared and sites. Without options, 200 observers, the first with the
number 0, of which each ten are a site, use the port 1883.

Reads a command per line, and answers each with a JSON object:

  fill               publish everything
  probe NAME         name the first device of the list NAME
  churn RATE SECONDS change the presence of RATE peers a second, and name the first device
                     five times a second

Times are those of the monotonic clock, before the message was handed to the broker.
"""

import argparse
import json
import sys
import threading
import time
import uuid

import paho.mqtt.client as mqtt

PORT = 1883
LIMIT = 60  # seconds, for anything
OBSERVERS, PEERS, SITE = 200, 500, 10  # a site has this many observers
WINDOW = 500  # messages that the broker may not have confirmed; more at once stall mosquitto
EVIDENCE = uuid.UUID("2e72ca69-8f12-4a07-98aa-28051b90491c")
TIME = "2026-11-21T08:%02d:%02d.000000Z"
SHAPES = {
    # The number of the device that a peer of an observer is.
    "own": lambda observer, peer: observer * PEERS + peer,
    "shared": lambda observer, peer: peer,
    "sites": lambda observer, peer: observer // SITE * PEERS + peer,
}
ROWS = {"own": OBSERVERS * PEERS, "shared": PEERS, "sites": OBSERVERS // SITE * PEERS}
options = None
PROBE = "0 "  # sorts first, and is short enough for a narrow column


def topic(observer, *levels):
    return "/".join(("bench/v1", f"site{observer // options.site:02}", f"observer{observer:03}", *levels))


def identity(number, is_named):
    """Returns the evidence of a device and its identifier: a MAC address, or else its host name."""
    if is_named:
        host = f"device-{number:06}.local"
        return {"source": "host-name", "value": host}, uuid.uuid5(uuid.NAMESPACE_DNS, host)
    value = f"mac:3c6a9d{number:06x}"
    return ({"source": "txt", "type": "_airplay._tcp", "key": "deviceid", "value": value},
            uuid.uuid5(EVIDENCE, value))


def service(name, kind, port, txt):
    return {"id": str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{name}.{kind}.local".lower())), "name": name,
            "type": kind, "subtypes": [], "domain": "local", "port": port, "txt": txt}


def device(number, shape):
    """Returns a device with two services as its observers publish it, without what each adds."""
    # Only an identifier makes a device on two sites one; half of those on a site alone have none.
    evidence, key = identity(number, shape != "shared" and number % 2 == 1)
    digits = f"3c6a9d{number:06x}"
    mac = ":".join(digits[each:each + 2] for each in range(0, 12, 2))
    name = PROBE + "nobody" if number == 0 else f"Room {number:06}"
    return {
        "id": str(key), "name": name, "host": f"device-{number:06}.local", "self": False,
        "presence": "present", "identity": evidence,
        "addresses": [f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}",
                      f"fe80::3e6a:9dff:fe{number >> 16:02x}:{number & 65535:x}%eth0"],
        "interfaces": ["eth0"],
        "services": [
            service(f"Room {number:06}", "_airplay._tcp", 7000, {
                "deviceid": mac.upper(), "features": "0x7F8AD0,0x10BCF46", "flags": "0x44",
                "model": "AppleTV6,2", "pi": str(uuid.UUID(int=number)), "srcvers": "377.40.00"}),
            service(f"{digits}@Room {number:06}", "_raop._tcp", 7000, {
                "am": "AppleTV6,2", "cn": "0,1,2,3", "et": "0,3,5", "vs": "377.40.00"})],
        "firstSeen": TIME % (0, 0), "lastSeen": TIME % (0, 0), "kind": "tv",
        "model": "Apple TV 4K", "maker": "Apple", "macs": [mac]}


class Fleet:
    """The observers, on one connection."""

    def __init__(self):
        self.shape = options.shape
        self.observers = range(options.first, options.first + options.observers)
        self.sequences = [0] * self.observers.stop
        self.devices, self.unanswered, self.name = {}, set(), PROBE + "nobody"
        self.room, self.connected = threading.Semaphore(WINDOW), threading.Event()
        self.client = mqtt.Client(protocol=mqtt.MQTTv5)
        self.client.max_inflight_messages_set(0)  # this program has its own window
        self.client.on_publish = lambda *_: self.room.release()
        self.client.on_connect = lambda *_: self.connected.set()
        self.connect()

    def connect(self):
        """Connects as soon as the broker, which was just started, listens."""
        end = time.monotonic() + LIMIT
        while True:
            try:
                self.client.connect("127.0.0.1", options.port)
                break
            except ConnectionRefusedError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
        self.client.loop_start()
        if not self.connected.wait(LIMIT):
            sys.exit("observers: no answer of the broker")

    def publish(self, where, message):
        """Publishes a message that the broker keeps; returns its size."""
        payload = json.dumps(message, separators=(",", ":"), ensure_ascii=False)
        if not self.room.acquire(timeout=LIMIT):
            sys.exit("observers: the broker confirms nothing")
        self.client.publish(where, payload, qos=1, retain=True)
        return len(payload)

    def settle(self):
        """Returns when the broker has everything."""
        for _ in range(WINDOW):
            if not self.room.acquire(timeout=LIMIT):
                sys.exit("observers: the broker confirms nothing")
        self.room.release(WINDOW)

    def state(self, observer):
        """Publishes the status of an observer."""
        return self.publish(topic(observer, "status"), {
            "state": "online", "host": f"observer{observer:03}.local", "interfaces": ["eth0"],
            "backend": "daemon", "run": str(uuid.UUID(int=observer)), "since": TIME % (0, 0),
            "peers": PEERS, "seq": self.sequences[observer], "version": "1.0.0"})

    def send(self, observer, peer):
        """Publishes a peer of an observer as it is now."""
        number = SHAPES[self.shape](observer, peer)
        known = self.devices.get(number) or device(number, self.shape)
        if len(self.devices) < OBSERVERS * PEERS:  # of more, all would take gigabytes
            self.devices[number] = known
        self.sequences[observer] += 1
        presence = "unanswered" if (observer, peer) in self.unanswered else "present"
        message = {"seq": self.sequences[observer], **known, "presence": presence,
                   "firstSeen": TIME % (peer // 60, peer % 60)}
        if number == 0 and observer == 0:  # the first observer gives a device its name
            message["name"] = self.name
        return self.publish(topic(observer, "peers", message["id"]), message)

    def fill(self):
        size = sum(self.send(observer, peer)
                   for observer in self.observers for peer in range(PEERS))
        size += sum(self.state(observer) for observer in self.observers)
        self.settle()
        return {"messages": len(self.observers) * (PEERS + 1), "bytes": size}

    def probe(self, name):
        self.name, at = PROBE + name, time.monotonic()
        self.send(0, 0)
        return {"at": at}

    def churn(self, rate, seconds):
        """Changes each of many peers once, and the name of the first device, at an even rate."""
        rate, count, probes, begun = int(rate), int(rate) * int(seconds), [], time.monotonic()
        for number in range(count):
            wait = begun + number / rate - time.monotonic()
            if wait > 0.005:
                time.sleep(wait)
            observer, peer = number % OBSERVERS, 1 + number // OBSERVERS % (PEERS - 1)
            self.unanswered ^= {(observer, peer)}
            self.send(observer, peer)
            if number % (rate * 5) < OBSERVERS:  # after five seconds each states its number
                self.state(observer)
            if number % (rate // 5) == 0:
                probes.append(self.probe(f"{'ab'[len(probes) % 2]}{len(probes):07}")["at"])
        ended = time.monotonic()
        for observer in range(OBSERVERS):
            self.state(observer)
        last = self.probe(f"z{int(begun)}")["at"]
        self.settle()
        return {"rate": count / (ended - begun), "probes": probes, "last": last,
                "name": self.name, "unanswered": len(self.unanswered)}


def main():
    global options
    parser = argparse.ArgumentParser()
    parser.add_argument("shape", choices=SHAPES)
    for name, default in (("observers", OBSERVERS), ("first", 0), ("site", SITE), ("port", PORT)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    fleet = Fleet()
    for line in sys.stdin:
        command, *words = line.split()
        print(json.dumps(getattr(fleet, command)(*words)), flush=True)


if __name__ == "__main__":
    main()
