#!/usr/bin/env python3
"""Checks devices.json, household.json, household.tsv, corpus.json and unseen.json without a network.

Loads the devices as load.py does, encodes all their records as packets, and checks
the order and the limits that the tests and DNS expect, and that what a person reads
from a device, in the table or in the corpus, stands in its records. Prints what is
wrong; exits with 1 then.
"""

import argparse
import ipaddress
import json
import os
import re
import sys

import load

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = ["device", "name", "kind", "model", "maker", "evidence"]
READ = COLUMNS[1:]  # what "read" has of each device of corpus.json
KINDS = {"printer", "scanner", "TV", "speaker", "media player", "computer", "phone", "tablet", "NAS", "camera", "light",
         "switch", "sensor", "thermostat", "lock", "door or blind", "appliance", "bridge", "router", "car", "-"}
EVIDENCE = re.compile(
    r"host|uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|mac:[0-9a-f]{12}([0-9a-f]{4})?|serial:[a-z]+:\S+|pairing:_[a-z._-]+:\S+")
LABEL_SIZE, STRING_SIZE, TEXT_SIZE = 63, 255, 1300  # bytes; a TXT record fits one packet (RFC 6763, 6.2)

problems = []


def expect(condition, problem):
    if not condition:
        problems.append(problem)


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file) if name.endswith(".json") else file.read().splitlines()


def address_key(address):
    parsed = ipaddress.ip_address(address)
    return parsed.version, parsed.is_link_local, int(parsed)


def check_records(name):
    """Checks the records that load.py would announce for a file, and their encoding."""
    services = load.described(argparse.Namespace(devices=os.path.join(HERE, name), host_ttl=120))
    for service in services:
        for label in service.name + service.host.name:
            expect(0 < len(label.encode()) <= LABEL_SIZE, f"{name}: {label!r} is no label")
        expect(all(len(string) <= STRING_SIZE for string in service.strings), f"{name}: {service.name}: a long string")
        expect(len(service.txt().data) <= TEXT_SIZE, f"{name}: {service.name}: a long TXT record")
        expect(0 <= service.port < 1 << 16, f"{name}: {service.name}: port {service.port}")
    records = list(load.Responder.records(services))
    packets = load.Packets(records).done
    answers = sum(int.from_bytes(packet[6:8], "big") for packet in packets)
    expect(answers == len(records), f"{name}: {answers} of {len(records)} records are encoded")
    print(f"{name}: {len(services)} services, {len(records)} records in {len(packets)} packets")


def check_unique(name, devices):
    """Checks that no two devices share a name, a host or a service instance; all files can be played at once."""
    instances = [(each["instance"], each["type"]) for device in devices for each in device["services"]]
    for what, values in (("name", [(device["name"],) for device in devices]),
                         ("host", [(device["host"],) for device in devices]), ("service instance", instances)):
        seen = set()
        for value in map(load.folded, values):
            expect(value not in seen, f"{name}: the {what} {' '.join(value)!r} stands twice")
            seen.add(value)


def check_order(name, devices):
    """Checks that services and addresses are in the order that Scene.swift expects."""
    for device in devices:
        keys = [(each["type"].encode(), each["instance"].encode()) for each in device["services"]]
        expect(keys == sorted(keys), f"{name}: {device['name']}: services are not in order")
        keys = [address_key(address) for address in device["addresses"]]
        expect(keys == sorted(keys), f"{name}: {device['name']}: addresses are not in order")


def shown(device):
    """All texts that a device announces, one a line."""
    texts = [device["host"].removesuffix(".local")]
    for service in device["services"]:
        texts.append(service["instance"])
        texts += [each if isinstance(each, str) else each["key"] + "=" + each["hex"] for each in service.get("txt", [])]
    return "\n".join(texts)


def check_table(devices, lines):
    """Checks that each row names a device, and that what it expects stands in the device's records."""
    expect(lines[0].split("\t") == COLUMNS, "household.tsv: another heading")
    rows = [line.split("\t") for line in lines[1:]]
    expect([row[0] for row in rows] == [device["name"] for device in devices],
           "household.tsv: not the devices of household.json, in their order")
    for row, device in zip(rows, devices):
        text = shown(device)
        expect(len(row) == len(COLUMNS) and all(row), f"household.tsv: {row[0]}: an empty or missing cell")
        _, name, kind, _, _, evidence = row
        expect(name in text, f"household.tsv: {row[0]}: {name!r} is not announced")
        expect(kind in KINDS, f"household.tsv: {row[0]}: {kind!r} is no kind")
        expect(EVIDENCE.fullmatch(evidence), f"household.tsv: {row[0]}: {evidence!r} is no evidence")
        value = evidence.rpartition(":")[2] if evidence.startswith(("uuid:", "mac:")) else evidence.split(":", 1)[-1]
        value = value.split(":", 1)[-1] if evidence.startswith(("serial:", "pairing:")) else value
        plain = re.sub(r"[-:_]", "", text).lower().replace("fffe", "")  # fffe: a MAC as EUI-64
        expect(evidence == "host" or re.sub(r"[-:_]", "", value).lower().replace("fffe", "") in plain,
               f"household.tsv: {row[0]}: {evidence!r} is not announced")


def check_corpus(file, devices):
    """Checks that each device has a source and what a person reads from its records."""
    for device in devices:
        name = f"{file}: {device['name']}"
        expect(len(device["source"]) >= 10, f"{name}: no source")
        expect(list(device["read"]) == READ, f"{name}: 'read' has not {READ}")
        values = {field: each if isinstance(each, list) else [each] for field, each in device["read"].items()}
        for field, each in values.items():
            expect(each and len(set(each)) == len(each) and "" not in each, f"{name}: {field}: {each}")
        expect(all(kind is None or kind in KINDS - {"-"} for kind in values["kind"]), f"{name}: {values['kind']}")
        text = shown(device)
        expect(None in values["name"] or any(each in text for each in values["name"]), f"{name}: no name is announced")
        plain = re.sub(r"[^0-9a-z]", "", text.lower())
        for evidence in values["evidence"]:
            form, _, value = evidence.partition(":")
            value = re.sub(r"[^0-9a-z]", "", value.lower())
            expect(form in {"host", "mac", "pairing", "serial", "uuid"} and bool(value) == (form != "host"),
                   f"{name}: {evidence!r} is no evidence")
            expect(value in plain or value in plain.replace("fffe", ""), f"{name}: {evidence!r} is not announced")


def main():
    files = {name: read(name) for name in ("devices.json", "household.json", "corpus.json", "unseen.json")}
    for name, devices in files.items():
        check_order(name, devices)
        check_records(name)
    check_unique("all files", [device for devices in files.values() for device in devices])
    check_table(files["household.json"], read("household.tsv"))
    for name in ("corpus.json", "unseen.json"):
        check_corpus(name, files[name])
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
