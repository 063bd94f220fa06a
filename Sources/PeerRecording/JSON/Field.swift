// Tables of the members of objects, and sets of members read from the lines.
import PeerModel

/// A member of an object in the lines: its key, and how its value is written, read, compared and
/// replaced.
struct Field<Root: Sendable>: Sendable {
    let key: String
    let label: [UInt8]
    /// Whether an object without the field is an error. A field that older recordings lack is not required.
    var isRequired = true
    /// Whether the value depends on the observer and may differ between the lists of two observers.
    var isObserverDependent = false
    /// Whether a whole object has the member; `nil` for always. A change always has the fields that it
    /// changes.
    var isWritten: (@Sendable (Root) -> Bool)?
    var write: @Sendable (Root, inout JSONWriter) -> Void
    var read: @Sendable (inout JSONReader, inout Root) throws(LineError) -> Void
    var differs: @Sendable (Root, Root) -> Bool
    /// Copies the value of another state.
    var copy: @Sendable (inout Root, Root) -> Void
    /// Replaces the elements of an old value by the elements of a new one, and returns whether the state had them;
    /// `nil` if the value is replaced as a whole.
    var replaceElements: (@Sendable (_ state: inout Root, _ was: Root, _ new: Root) -> Bool)?
    /// Adds the value of another state of the same peer; `nil` in tables of other values.
    var merge: (@Sendable (inout Root, Root) -> Void)?
}

/// A rule by which the values of a field in two states of one peer become one value.
struct Merging<Value: Sendable>: Sendable {
    /// Adds the value of another state; `nil` if it does not count.
    let add: (@Sendable (inout Value, Value) -> Void)?

    init(_ add: (@Sendable (inout Value, Value) -> Void)?) { self.add = add }

    /// The value of the first state.
    static var first: Merging { Merging(nil) }

    /// The first value that is not `nil`.
    static func firstKnown<Wrapped>() -> Merging where Value == Wrapped? {
        Merging { $0 = $0 ?? $1 }
    }

    /// The elements of both lists, in order.
    static func union<Element: Comparable & Hashable>() -> Merging where Value == [Element]? {
        Merging { if let other = $1, $0 != other { $0 = Set(($0 ?? []) + other).sorted() } }
    }
}

extension Merging where Value: Comparable {
    /// The lesser value, of times the earlier one.
    static var least: Merging { Merging { $0 = min($0, $1) } }
    /// The greater value, of times the later one.
    static var greatest: Merging { Merging { $0 = max($0, $1) } }
}

extension Field {
    /// Creates the field of a property from its getter and setter, because a key path would cost a look-up
    /// at each access.
    @inline(__always)
    init<Value: JSONCodable>(
        _ key: String, isRequired: Bool = true, isObserverDependent: Bool = false,
        _ get: @escaping @Sendable (Root) -> Value,
        _ set: @escaping @Sendable (inout Root, Value) -> Void
    ) {
        self.key = key
        self.isRequired = isRequired
        self.isObserverDependent = isObserverDependent
        let label = Array("\"\(key)\":".utf8)
        self.label = label
        write = { root, members in members.write(label: label, get(root)) }
        read = { (reader, root) throws(LineError) in set(&root, try Value.read(&reader)) }
        differs = { !get($0).isExactly(get($1)) }
        copy = { set(&$0, get($1)) }
    }

    /// Creates a field that a whole object has only if its property is set; in a change, `null` is none.
    init<Value: JSONCodable>(
        ifSet key: String, isObserverDependent: Bool = false,
        _ get: @escaping @Sendable (Root) -> Value?,
        _ set: @escaping @Sendable (inout Root, Value?) -> Void
    ) {
        self.init(key, isRequired: false, isObserverDependent: isObserverDependent, get, set)
        isWritten = { get($0) != nil }
    }

    /// Replaces an old value by a new one, and returns whether the state had the old one.
    func replace(_ state: inout Root, _ was: Root, by new: Root) -> Bool {
        if let replaceElements { return replaceElements(&state, was, new) }
        guard !differs(state, was) else { return false }
        copy(&state, new)
        return true
    }

    /// Writes the field as a member of a whole object, if that has it.
    func writeIfPresent(_ root: Root, _ members: inout JSONWriter) {
        if isWritten?(root) != false { write(root, &members) }
    }

    /// Returns the field as a field of a larger value that contains the root.
    func of<Whole>(
        _ get: @escaping @Sendable (Whole) -> Root,
        _ set: @escaping @Sendable (inout Whole, Root) -> Void
    ) -> Field<Whole> {
        Field<Whole>(
            key: key, label: label, isRequired: isRequired,
            isObserverDependent: isObserverDependent,
            isWritten: isWritten.map { isWritten in { @Sendable whole in isWritten(get(whole)) } },
            write: { write(get($0), &$1) },
            read: { (reader, whole) throws(LineError) in
                var part = get(whole)
                try read(&reader, &part)
                set(&whole, part)
            },
            differs: { differs(get($0), get($1)) },
            copy: { whole, other in
                var part = get(whole)
                copy(&part, get(other))
                set(&whole, part)
            })
    }
}

/// A value that is written as an object whose members a table lists.
protocol JSONObject: JSONCodable {
    /// The members, in the order in which they are written.
    static var fields: [Field<Self>] { get }
    /// The value before any member is read.
    static var blank: Self { get }
    /// The error for an object that lacks a member; `nil` for an error that names the member.
    static var incompleteness: String? { get }
}

extension JSONObject {
    static var incompleteness: String? { nil }

    func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    func writeMembers(to writer: inout JSONWriter) {
        // By index, because an iterator would copy every field.
        let fields = Self.fields
        for index in fields.indices { fields[index].writeIfPresent(self, &writer) }
    }

    static func read(_ reader: inout JSONReader) throws(LineError) -> Self {
        try readObject(&reader)
    }

    static func readObject(_ reader: inout JSONReader) throws(LineError) -> Self {
        try FieldSet(fields, blank, from: &reader).complete(reader, incompleteness)
    }

    func isExactly(_ other: Self) -> Bool { !Self.fields.contains { $0.differs(self, other) } }
}

/// Some fields with their values: all fields of a whole item, or the fields of a change.
struct FieldSet<Root: Sendable>: Sendable {
    private let fields: [Field<Root>]
    /// The given fields, a bit for each by its index in the table.
    private var given: UInt32 = 0
    /// The values; fields that are not given are blank.
    private(set) var state: Root

    init(_ fields: [Field<Root>], _ state: Root, where isGiven: (Field<Root>) -> Bool) {
        (self.fields, self.state) = (fields, state)
        for (index, field) in fields.enumerated() where isGiven(field) { given |= 1 << index }
    }

    /// Reads an object, skipping members that are not fields.
    init(_ fields: [Field<Root>], _ blank: Root, from reader: inout JSONReader) throws(LineError) {
        (self.fields, state) = (fields, blank)
        // The index of the next field in the order in which fields are written.
        var next = 0
        try reader.members { reader throws(LineError) in
            // Keys are compared as bytes, because making a string of a key takes longer than
            // reading its value.
            var found = (next..<fields.count).first { reader.passes(label: fields[$0].label) }
            if found == nil {
                let key = try reader.key()
                found = fields.firstIndex { $0.key == key }
            }
            guard let index = found else { return try reader.skip() }
            guard given & 1 << index == 0 else {
                throw reader.error("\(fields[index].key) is given twice")
            }
            try fields[index].read(&reader, &state)
            given |= 1 << index
            next = index + 1
        }
    }

    func with(_ state: Root) -> FieldSet {
        var set = self
        set.state = state
        return set
    }

    private var givenFields: some Sequence<Field<Root>> {
        fields.indices.lazy.filter { given & 1 << $0 != 0 }.map { fields[$0] }
    }

    func has(_ keys: String...) -> Bool {
        keys.allSatisfy { key in
            fields.indices.contains { given & 1 << $0 != 0 && fields[$0].key == key }
        }
    }

    /// Returns the value if every required field is given.
    func complete(_ reader: JSONReader, _ message: String? = nil) throws(LineError) -> Root {
        for (index, field) in fields.enumerated() where field.isRequired && given & 1 << index == 0
        {
            throw reader.error(message ?? "\(field.key) is missing")
        }
        return state
    }

    /// Replaces the values of an old set of fields by the values of this one.
    ///
    /// - Returns: Whether both sets have the same fields and the item had the old values. If not, the
    ///   item is undefined.
    func replace(_ was: Self, in item: inout Root) -> Bool {
        guard given == was.given else { return false }
        for field in givenFields {
            guard field.replace(&item, was.state, by: state) else { return false }
        }
        return true
    }
}

extension FieldSet: JSONCodable where Root == ListItem {
    func write(to writer: inout JSONWriter) {
        writer.object { members in for field in givenFields { field.write(state, &members) } }
    }

    static func read(_ reader: inout JSONReader) throws(LineError) -> FieldSet {
        switch reader.grouping {
        case .device: try FieldSet(ListItem.peerFields, ListItem.blankPeer, from: &reader)
        case .type: try FieldSet(ListItem.serviceFields, ListItem.blankService, from: &reader)
        }
    }

    func isExactly(_ other: FieldSet) -> Bool {
        given == other.given && !givenFields.contains { $0.differs(state, other.state) }
    }
}
