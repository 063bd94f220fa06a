"""The list as a reader of the JSON lines has it: folded from them, and from nothing else."""

import collections


class Misfit(ValueError):
    """A line that does not fit the ones before it."""


def require(holds, what):
    if not holds:
        raise Misfit(what)


class Folded:
    """What a reader knows after some lines of a list that is grouped by device."""

    def __init__(self):
        self.sections, self.number, self.notices = [], 0, []
        self.comings = []  # (time, +1 or -1, service's id), in order

    def fold(self, line):
        if line["type"] == "begin":
            self.number = 0
            self.sections = [(each["id"], each["items"]) for each in line["sections"]]
        require(line["seq"] == self.number, f"seq {line['seq']}, not {self.number}")
        self.number += 1
        if line["type"] == "notice":
            self.notices.append((line["time"], line["code"], line["message"]))
        if line["type"] == "diff":
            self.apply(line)

    def apply(self, line):
        kinds = collections.defaultdict(list)
        for change in line["changes"]:
            kinds[change["op"]].append(change)
        moved, places = {}, []
        for change in kinds["delete"]:
            item = self.item(change["id"], change["section"], change["at"])
            require(same(item, change["peer"]),
                    f"{change['id']} was not as it is said to have been: {unlike(item, change['peer'])}")
            places.append((change["section"], change["at"]))
            self.tell(line["time"], -1, item["services"])
        for change in kinds["move"]:
            place = change["from"]["section"], change["from"]["at"]
            moved[change["id"]] = self.item(change["id"], *place)
            places.append(place)
        for section, at in sorted(places, key=lambda place: -place[1]):
            del self.items(section)[at]
        for change in kinds["delete-section"]:
            require(not self.items(change["section"]), f"{change['section']} is not empty")
            self.sections = [each for each in self.sections if each[0] != change["section"]]
        for change in kinds["insert-section"]:
            self.sections.insert(change["at"], (change["section"], []))
        coming = [(change["at"], change["section"], change["peer"]) for change in kinds["insert"]]
        coming += [(change["to"]["at"], change["to"]["section"], moved[change["id"]]) for change in kinds["move"]]
        for at, section, item in sorted(coming, key=lambda each: each[0]):
            require(at <= len(self.items(section)), f"nothing can come to {at}")
            self.items(section).insert(at, item)
        for change in kinds["insert"]:
            self.tell(line["time"], 1, change["peer"]["services"])
        for change in kinds["update"]:
            self.update(line["time"], change)

    def items(self, section):
        for name, items in self.sections:
            if name == section:
                return items
        raise Misfit(f"no section {section}")

    def item(self, name, section, at):
        item = self.items(section)[at]
        require(item["id"] == name, f"{name} is not at {at}")
        return item

    def update(self, time, change):
        item = self.item(change["id"], change["section"], change["at"])
        new, old = dict(change["set"]), dict(change["was"])
        gone = {each["id"]: each for each in old.pop("services", [])}
        come = {each["id"]: each for each in new.pop("services", [])}
        for key, value in old.items():
            require(key == "lastSeen" or item.get(key) == value, f"{key} was {item.get(key)}, not {value}")
        known = {each["id"]: each for each in item["services"]}
        for name, service in gone.items():
            require(known.pop(name, None) == service, f"there was no service {service}")
        for name in come:
            require(name not in known, f"service {name} was there, and is not in `was`")
        item.update(new)
        item["services"] = list((known | come).values())
        self.tell(time, -1, [each for name, each in gone.items() if name not in come])
        self.tell(time, 1, [each for name, each in come.items() if name not in gone])

    def tell(self, time, sign, services):
        self.comings += [(time, sign, each["name"]) for each in services]

    def peers(self):
        return [item for _, items in self.sections for item in items]

    def counts(self):
        return collections.Counter(item["presence"] for item in self.peers())

    def present(self):
        return {item["id"]: plain(item) for item in self.peers() if item["presence"] == "present"}


def plain(item):
    """A peer without the times, its services by identifier. A member that an update sets to null is left out later."""
    services = {each["id"]: each for each in item["services"]}
    known = {key: value for key, value in item.items() if value is not None}
    return {**known, "services": services, "firstSeen": None, "lastSeen": None}


def same(left, right):
    return plain(left) == plain(right) and left["firstSeen"] == right["firstSeen"]


def unlike(before, said):
    """What differs between two values of a peer, by key."""
    before, said = plain(before), plain(said)
    keys = [key for key in before.keys() | said.keys() if before.get(key) != said.get(key)]
    return {key: (before.get(key), said.get(key)) for key in keys}
