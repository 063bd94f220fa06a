// Some fields of a peer or a service as a line has them: all of a whole one, the changed ones of an update.

/// The fields of a kind of item in the lines.
protocol RecordedField: CaseIterable, RawRepresentable<String>, Equatable
where AllCases == [Self] {
    /// What has the fields.
    associatedtype State

    /// A state in which no field says anything.
    static var blank: State { get }

    /// Reads the field's value.
    func read(_ reader: inout JSONReader, into state: inout State) throws(JSONError)

    /// Copies the field's value.
    func copy(from source: State, to state: inout State)

    /// Whether two states differ in the field.
    func differs(_ was: State, _ now: State) -> Bool
}

/// Some of the fields of an item, with their values.
struct RecordedFields<Field: RecordedField> {
    /// The values; those of fields that are not given say nothing.
    private(set) var state = Field.blank
    /// Which fields are given: a bit for each, by its place among all.
    private var given: UInt32 = 0
    /// The place of the field that comes next in the order in which they are written.
    private var next = 0

    /// No field.
    init() {}

    /// Reads the value of a member, if there is such a field.
    mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONError) -> Bool {
        let fields = Field.allCases
        if next == fields.count || fields[next].rawValue != key {
            guard let place = fields.firstIndex(where: { $0.rawValue == key }) else { return false }
            next = place
        }
        guard given & 1 << next == 0 else { throw reader.error("\(key) is given twice") }
        try fields[next].read(&reader, into: &state)
        given |= 1 << next
        next += 1
        return true
    }

    /// The item, of which every field must be given.
    func whole(_ reader: JSONReader) throws(JSONError) -> Field.State {
        for (place, field) in Field.allCases.enumerated() where given & 1 << place == 0 {
            throw reader.error("\(field.rawValue) is missing")
        }
        return state
    }

    /// The given fields.
    private var fields: some Sequence<Field> {
        Field.allCases.enumerated().lazy.filter { given & 1 << $0.offset != 0 }.map(\.element)
    }

    /// Whether a field is given.
    func has(_ field: Field) -> Bool { fields.contains(field) }

    /// Whether the same fields are given in both.
    func matches(_ other: Self) -> Bool { given == other.given }

    /// Whether a state has the given values, but for one field that is not looked at.
    func describe(_ known: Field.State, except unseen: Field? = nil) -> Bool {
        fields.allSatisfy { $0 == unseen || !$0.differs(known, state) }
    }

    /// Gives a state the given values.
    func replace(in known: inout Field.State) {
        for field in fields { field.copy(from: state, to: &known) }
    }
}

extension JSONReader {
    /// Reads an object of an item's fields, passing over members that are not known.
    mutating func fields<Field>(_: Field.Type) throws(JSONError) -> RecordedFields<Field> {
        var fields = RecordedFields<Field>()
        try object { (reader, key) throws(JSONError) in
            if try !fields.read(key, &reader) { try reader.skip() }
        }
        return fields
    }
}
