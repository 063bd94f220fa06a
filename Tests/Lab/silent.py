#!/usr/bin/env python3
"""Plays devices that speak SSDP or WS-Discovery, but not multicast DNS, in the lab.

Answers searches, announces its devices, serves their descriptions, and says goodbye on
TERM. The log has a line for each request for a description: "GET PATH". With --trick the
description is one that nobody should be hurt by: another host's, huge, slow, a bomb.
"""

import argparse
import asyncio
import ipaddress
import os
import signal
import socket
import struct
import sys
import uuid

GROUP4 = "239.255.255.250"


def text(*lines):
    return "\r\n".join((*lines, "", "")).encode()


class Device:
    def __init__(self, options, number):
        self.options, self.number = options, number
        name = f"silent {options.seed} {number}"
        self.uuid = options.uuid or str(uuid.uuid5(uuid.NAMESPACE_DNS, name))
        self.name = options.name + (f" {number}" if options.devices > 1 else "")
        # Each device of --spread has an address of its own.
        self.address = str(ipaddress.ip_address(options.address) + (number if options.spread else 0))

    @property
    def location(self):
        return self.options.location or f"http://{self.address}:{self.options.port}/{self.number}.xml"

    def targets(self):
        root = [("upnp:rootdevice", f"uuid:{self.uuid}::upnp:rootdevice"), (f"uuid:{self.uuid}", f"uuid:{self.uuid}")]
        types = [f"urn:schemas-upnp-org:device:{self.options.type}:1"]
        types += [f"urn:schemas-upnp-org:service:Part{each}:1" for each in range(self.options.services)]
        return root + [(each, f"uuid:{self.uuid}::{each}") for each in types]

    def notices(self, kind):
        return [text("NOTIFY * HTTP/1.1", f"HOST: {GROUP4}:1900", f"CACHE-CONTROL: max-age={self.options.age}",
                     f"LOCATION: {self.location}", f"NT: {target}", f"NTS: ssdp:{kind}", "SERVER: lab/1 UPnP/1.1 silent/1",
                     f"USN: {usn}") for target, usn in self.targets()]

    def answers(self):
        return [text("HTTP/1.1 200 OK", f"CACHE-CONTROL: max-age={self.options.age}", "EXT:",
                     f"LOCATION: {self.location}", f"ST: {target}", "SERVER: lab/1 UPnP/1.1 silent/1", f"USN: {usn}")
                for target, usn in self.targets()]

    def description(self):
        return (f'<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device>'
                f"<deviceType>urn:schemas-upnp-org:device:{self.options.type}:1</deviceType>"
                f"<friendlyName>{self.name}</friendlyName><manufacturer>Acme</manufacturer>"
                f"<modelName>Silent One</modelName><serialNumber>{self.number}</serialNumber>"
                f"<UDN>uuid:{self.uuid}</UDN><presentationURL>/</presentationURL></device></root>").encode()

    def envelope(self, action, body):
        return (f'<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" '
                f'xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" '
                f'xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" '
                f'xmlns:n="http://www.onvif.org/ver10/network/wsdl"><s:Header>'
                f"<a:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/{action}</a:Action>"
                f"<a:MessageID>urn:uuid:{uuid.uuid4()}</a:MessageID></s:Header><s:Body>{body}</s:Body></s:Envelope>").encode()

    def match(self, kind):
        return (f"<d:{kind}><a:EndpointReference><a:Address>urn:uuid:{self.uuid}</a:Address></a:EndpointReference>"
                f"<d:Types>n:NetworkVideoTransmitter</d:Types>"
                f"<d:Scopes>onvif://www.onvif.org/name/{self.name.replace(' ', '%20')} "
                f"onvif://www.onvif.org/hardware/C1</d:Scopes>"
                f"<d:XAddrs>http://{self.options.address}:{self.options.port}/onvif</d:XAddrs>"
                f"<d:MetadataVersion>1</d:MetadataVersion></d:{kind}>")


BOMB = (b'<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "aaaaaaaaaaaaaaaa">'
        + b"".join(b'<!ENTITY %c "%s">' % (98 + each, b"&%c;" % (97 + each) * 16) for each in range(8))
        + b"]><root><device><friendlyName>&i;</friendlyName></device></root>")


class Player:
    def __init__(self, options):
        self.options, self.loop = options, asyncio.get_running_loop()
        self.devices = [Device(options, number) for number in range(options.devices)]
        self.port = 3702 if options.wsd else 1900
        self.request = struct.pack("4s4si", socket.inet_aton(GROUP4), socket.inet_aton("0.0.0.0"),
                                   socket.if_nametoindex("eth0"))
        self.socket = self.open("")
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, self.request)
        self.loop.add_reader(self.socket, self.receive)
        self.senders = {device: self.open(device.address) for device in self.devices}

    def open(self, address):
        opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, self.request)
        opened.bind((address, self.port))
        opened.setblocking(False)
        return opened

    def receive(self):
        packet, source = self.socket.recvfrom(65536)
        if self.options.wsd and (b"Probe>" in packet or b"Probe " in packet or b"Resolve" in packet):
            kind = "Resolve" if b"Resolve" in packet else "Probe"
            messages = [(device, device.envelope(f"{kind}Matches",
                                                 f"<d:{kind}Matches>{device.match(kind + 'Match')}</d:{kind}Matches>"))
                        for device in self.devices]
        elif not self.options.wsd and packet.startswith(b"M-SEARCH"):
            messages = [(device, answer) for device in self.devices for answer in device.answers()]
        else:
            return
        if not self.options.mute:
            self.loop.create_task(self.send(messages, source))

    async def send(self, messages, target=None):
        for number, (device, message) in enumerate(messages):
            self.senders[device].sendto(message, target or (GROUP4, self.port))
            if number % 10 == 9:
                await self.pause(0.01)

    async def pause(self, seconds):
        over = self.loop.create_future()
        self.loop.call_later(seconds, over.set_result, None)
        await over

    def announcements(self, is_goodbye):
        if self.options.wsd:
            kind = "Bye" if is_goodbye else "Hello"
            return [(device, device.envelope(kind, device.match(kind))) for device in self.devices]
        kind = "byebye" if is_goodbye else "alive"
        return [(device, each) for device in self.devices for each in device.notices(kind)]

    async def serve(self, reader, writer):
        line = (await reader.readline()).decode().split(" ")
        print("GET", line[1], flush=True)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n"
        try:
            if self.options.trick == "huge":
                writer.write(head)
                for _ in range(16384):
                    writer.write(b" " * 65536)
                    await writer.drain()
            elif self.options.trick == "slow":
                writer.write(head)
                for byte in self.devices[0].description():
                    writer.write(bytes([byte]))
                    await self.pause(0.5)
            elif self.options.trick == "bomb":
                writer.write(head + BOMB)
            elif self.options.trick == "redirect":
                writer.write(b"HTTP/1.1 302 Found\r\nLocation: http://10.99.0.3:8080/0.xml\r\n\r\n")
            else:
                number = int("".join(filter(str.isdigit, line[1])) or 0)
                writer.write(head + self.devices[number % len(self.devices)].description())
            await writer.drain()
        except OSError:
            pass
        writer.close()


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--address", required=True)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--devices", type=int, default=1)
    parser.add_argument("--spread", action="store_true", help="each device has the next address")
    parser.add_argument("--services", type=int, default=1)
    parser.add_argument("--name", default="Silent")
    parser.add_argument("--seed", default="a")
    parser.add_argument("--uuid")
    parser.add_argument("--type", default="MediaRenderer")
    parser.add_argument("--age", type=int, default=1800)
    parser.add_argument("--location", help="of the description, instead of the device's own")
    parser.add_argument("--wsd", action="store_true", help="speak WS-Discovery as a camera")
    parser.add_argument("--mute", action="store_true", help="answer no searches")
    parser.add_argument("--trick", choices=["huge", "slow", "bomb", "redirect"])
    options = parser.parse_args()
    player = Player(options)
    server = await asyncio.start_server(player.serve, "0.0.0.0", options.port)
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        player.loop.add_signal_handler(number, ended.set)
    await player.send(player.announcements(False))
    print("ready", flush=True)
    await ended.wait()
    await player.send(player.announcements(True))
    server.close()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
