// What the stack in its helper process tells the list.

/// Something that the stack tells; most of it bears the number of what was opened.
public enum StackEvent: StackMessage {
    /// What the stack is doing.
    public enum State: UInt8, Hashable, Sendable {
        /// It claims this machine's name: browsing works, publishing not yet.
        case registering
        /// All is well.
        case running
        /// This machine's name is taken on the network.
        case collision
    }

    /// What became of a service that is announced.
    public enum Publication: UInt8, Hashable, Sendable {
        /// It is announced under its name.
        case established
        /// Its name is taken.
        case collision
    }

    /// The first message.
    case hello(version: UInt16)
    /// The stack is in this state, and this machine is known by this name.
    case state(State, host: String)
    /// It failed for this reason, libavahi's number: it could not be opened, or reports no more.
    case failed(UInt32, code: Int32)
    /// A type is announced.
    case type(UInt32, type: String, domain: String)
    /// A service is announced on a path.
    case appeared(UInt32, StackInstance, StackPath)
    /// A service is no longer announced on a path.
    case disappeared(UInt32, StackInstance, StackPath)
    /// A browse has seen what there is, for now.
    case settled(UInt32)
    /// A service was found, or something of it changed.
    case resolved(UInt32, StackResolution)
    /// A service gave no answer in time.
    case timedOut(UInt32)
    /// A record was added to the cache on a path, or removed; `data` is an address of 4 or 16 bytes, or empty.
    case record(UInt32, data: [UInt8], StackPath, isThere: Bool)
    /// All records that were known already have been reported.
    case cacheExhausted(UInt32)
    /// What became of a service that is announced.
    case published(UInt32, Publication)
    /// These parts of its confinement the system refused; told once, and where there are any.
    case unconfined(Confinement)

    /// The version that a hello says, or `nil` for any other message.
    public var helloVersion: UInt16? {
        if case .hello(let version) = self { version } else { nil }
    }

    /// Reads the fields of an event.
    public init(_ fields: inout FieldReader) throws(FrameError) {
        switch try fields.number(UInt8.self) {
        case 1: self = .hello(version: try fields.number())
        case 2:
            guard let state = State(rawValue: try fields.number()) else { throw .badValue }
            self = .state(state, host: try fields.text())
        case 3: self = .failed(try fields.number(), code: try fields.number())
        case 4:
            self = .type(try fields.number(), type: try fields.text(), domain: try fields.text())
        case 5:
            self = .appeared(
                try fields.number(), try StackInstance(&fields), try StackPath(&fields))
        case 6:
            self = .disappeared(
                try fields.number(), try StackInstance(&fields), try StackPath(&fields))
        case 13:
            let missing = Confinement(rawValue: try fields.number())
            guard missing.isSubset(of: .all) else { throw .badValue }
            self = .unconfined(missing)
        case let kind: self = try StackEvent(kind, ofLookup: &fields)
        }
    }

    private init(_ kind: UInt8, ofLookup fields: inout FieldReader) throws(FrameError) {
        guard (7...12).contains(kind) else { throw .unknownKind(kind) }
        let id = try fields.number(UInt32.self)
        switch kind {
        case 7: self = .settled(id)
        case 8: self = .resolved(id, try StackResolution(&fields))
        case 9: self = .timedOut(id)
        case 10:
            let data = try fields.bytes(atMost: 16)
            guard [0, 4, 16].contains(data.count) else { throw .badValue }
            self = .record(
                id, data: data, try StackPath(&fields), isThere: try fields.flag())
        case 11: self = .cacheExhausted(id)
        default:
            guard let what = Publication(rawValue: try fields.number()) else { throw .badValue }
            self = .published(id, what)
        }
    }

    /// Writes the fields of the event.
    public func write(_ fields: inout FieldWriter) throws(FrameError) {
        switch self {
        case .hello(let version): fields.begin(1, version)
        case .state(let state, let host):
            fields.begin(2, state.rawValue)
            try fields.put(host)
        case .failed(let id, let code):
            fields.begin(3, id)
            fields.put(code)
        case .type(let id, let type, let domain):
            fields.begin(4, id)
            try fields.put(type)
            try fields.put(domain)
        case .appeared(let id, let instance, let path):
            fields.begin(5, id)
            try instance.write(&fields)
            path.write(&fields)
        case .disappeared(let id, let instance, let path):
            fields.begin(6, id)
            try instance.write(&fields)
            path.write(&fields)
        case .settled(let id): fields.begin(7, id)
        case .resolved(let id, let resolution):
            fields.begin(8, id)
            try resolution.write(&fields)
        case .timedOut(let id): fields.begin(9, id)
        case .record(let id, let data, let path, let isThere):
            fields.begin(10, id)
            try fields.put(data, atMost: 16)
            path.write(&fields)
            fields.put(isThere)
        case .cacheExhausted(let id): fields.begin(11, id)
        case .published(let id, let what):
            fields.begin(12, id)
            fields.put(what.rawValue)
        case .unconfined(let missing): fields.begin(13, missing.rawValue)
        }
    }
}
