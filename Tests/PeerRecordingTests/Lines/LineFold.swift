// Folds JSON lines as docs/json-lines.md describes, independently of the code that writes them.

/// The list that a reader of the lines has.
struct LineFold: Equatable {
    struct Section: Equatable {
        var id: String
        var items: [JSONValue]
    }

    private(set) var sections: [Section] = []
    private(set) var nextSequence = 0

    /// Takes the next line in; says what does not fit, or `nil`.
    mutating func take(_ line: JSONValue) -> String? {
        if line["type"].text == "begin" {
            sections = line["sections"].array.map {
                .init(id: $0["id"].text, items: $0["items"].array)
            }
            nextSequence = 0
        }
        guard line["seq"].number == nextSequence else { return "seq is not \(nextSequence)" }
        nextSequence += 1
        let changes = line["changes"].array
        if let problem = takeOut(changes) { return problem }
        for change in changes {
            if let problem = putIn(change) { return problem }
        }
        return nil
    }

    private var taken: [String: JSONValue] = [:]

    /// First: everything that is deleted or moved is taken out, at its place in the list before.
    private mutating func takeOut(_ changes: [JSONValue]) -> String? {
        taken = [:]
        var places: [(section: String, at: Int, id: String)] = []
        for change in changes {
            switch change["op"].text {
            case "delete":
                places.append((change["section"].text, change["at"].number, change["id"].text))
            case "move":
                places.append(
                    (change["from"]["section"].text, change["from"]["at"].number, change["id"].text)
                )
            default: break
            }
        }
        for place in places.sorted(by: { $0.at > $1.at }) {
            guard let section = sections.firstIndex(where: { $0.id == place.section }),
                sections[section].items.indices.contains(place.at),
                sections[section].items[place.at]["id"].text == place.id
            else { return "\(place) is not there" }
            taken[place.id] = sections[section].items.remove(at: place.at)
        }
        for change in changes where change["op"].text == "delete" {
            let whole = change["peer"] == .null ? change["service"] : change["peer"]
            guard taken[change["id"].text]?.isExactly(whole) == true else {
                return "deleted is not what was there"
            }
        }
        return takeOutSections(changes)
    }

    private var takenSections: [String: Section] = [:]

    private mutating func takeOutSections(_ changes: [JSONValue]) -> String? {
        takenSections = [:]
        let places = changes.compactMap { change -> (at: Int, id: String)? in
            switch change["op"].text {
            case "delete-section": (change["at"].number, change["section"].text)
            case "move-section": (change["from"].number, change["section"].text)
            default: nil
            }
        }
        for place in places.sorted(by: { $0.at > $1.at }) {
            guard sections.indices.contains(place.at), sections[place.at].id == place.id else {
                return "section \(place) is not there"
            }
            takenSections[place.id] = sections.remove(at: place.at)
        }
        for change in changes where change["op"].text == "delete-section" {
            guard takenSections[change["section"].text]?.items.isEmpty == true else {
                return "a section goes with items in it"
            }
        }
        return nil
    }

    /// Then, change by change in the order of the line: what comes or moves is put in.
    private mutating func putIn(_ change: JSONValue) -> String? {
        switch change["op"].text {
        case "insert-section":
            return put(Section(id: change["section"].text, items: []), at: change["at"].number)
        case "move-section":
            guard let section = takenSections[change["section"].text] else {
                return "no such section"
            }
            return put(section, at: change["to"].number)
        case "insert":
            let whole = change["peer"] == .null ? change["service"] : change["peer"]
            guard whole["id"] == change["id"] else { return "two ids" }
            return put(whole, section: change["section"].text, at: change["at"].number)
        case "move":
            guard let item = taken[change["id"].text] else { return "no such item" }
            return put(item, section: change["to"]["section"].text, at: change["to"]["at"].number)
        case "update": return update(change)
        case "delete", "delete-section": return nil
        default: return "unknown op"
        }
    }

    private mutating func put(_ section: Section, at place: Int) -> String? {
        guard (0...sections.count).contains(place) else { return "no place \(place)" }
        sections.insert(section, at: place)
        return nil
    }

    private mutating func put(_ item: JSONValue, section id: String, at place: Int) -> String? {
        guard let section = sections.firstIndex(where: { $0.id == id }),
            (0...sections[section].items.count).contains(place)
        else { return "no place \(place) in \(id)" }
        sections[section].items.insert(item, at: place)
        return nil
    }

    private mutating func update(_ change: JSONValue) -> String? {
        let place = change["at"].number
        guard let section = sections.firstIndex(where: { $0.id == change["section"].text }),
            sections[section].items.indices.contains(place),
            sections[section].items[place]["id"] == change["id"]
        else { return "updated item is not there" }
        let item = sections[section].items[place]
        guard let changed = Self.changed(item, was: change["was"], set: change["set"]) else {
            return "was is not what was there"
        }
        let former = Self.changed(changed, was: change["set"], set: change["was"])
        guard former?.isExactly(item) == true else {
            return "the update cannot be undone"
        }
        sections[section].items[place] = changed
        return nil
    }

    /// The item with the old values replaced by the new ones; `nil` if it has not the old ones.
    private static func changed(_ item: JSONValue, was: JSONValue, set: JSONValue) -> JSONValue? {
        guard Set(was.members.keys) == Set(set.members.keys), !set.members.isEmpty else {
            return nil
        }
        var members = item.members
        for (key, old) in was.members {
            if let identifiers = identifiers[key] {
                let elements = item[key].array
                guard Set(old.array).isSubset(of: elements) else { return nil }
                func identifier(_ element: JSONValue) -> [JSONValue] {
                    identifiers.map { element[$0] }
                }
                let gone = Set(old.array.map(identifier))
                let merged = elements.filter { !gone.contains(identifier($0)) } + set[key].array
                // A peer without services has an empty list, one without views has none.
                members[key] =
                    merged.isEmpty && key == "views"
                    ? nil
                    : .array(
                        merged.sorted { sortKey($0).lexicographicallyPrecedes(sortKey($1)) })
            } else {
                guard item[key].isExactly(old) else { return nil }
                let isAbsent = set[key] == .null && !["host", "port"].contains(key)
                members[key] = isAbsent ? nil : set[key]
            }
        }
        return .object(members)
    }

    /// The lists of which a line has only the changes, with the members that identify their elements.
    private static let identifiers = ["services": ["id"], "views": ["site", "observer"]]

    /// A service by type, then name, then id, a view by site, then observer, each by its bytes of UTF-8;
    /// no byte is below the zero between.
    private static func sortKey(_ element: JSONValue) -> [UInt8] {
        let keys = element["site"] == .null ? ["type", "name", "id"] : ["site", "observer"]
        return keys.flatMap { Array(element[$0].text.utf8) + [0] }
    }
}
