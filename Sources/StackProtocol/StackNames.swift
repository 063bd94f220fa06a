// The names, paths and settings that the messages carry.

/// The names of a service as libavahi writes them: the type and the domain may hold escapes.
public struct StackInstance: Hashable, Sendable {
    /// The instance name.
    public var name: String
    /// The type.
    public var type: String
    /// The domain.
    public var domain: String

    /// The names of a service.
    public init(name: String, type: String, domain: String) {
        self.name = name
        self.type = type
        self.domain = domain
    }

    init(_ fields: inout FieldReader) throws(FrameError) {
        name = try fields.text()
        type = try fields.text()
        domain = try fields.text()
    }

    func write(_ fields: inout FieldWriter) throws(FrameError) {
        try fields.put(name)
        try fields.put(type)
        try fields.put(domain)
    }
}

/// An interface and a family, in libavahi's numbers, of which -1 leaves it open.
public struct StackPath: Hashable, Sendable {
    /// The kernel's number of the interface.
    public var interface: Int32
    /// 0 for IPv4, 1 for IPv6.
    public var family: Int32

    /// A path.
    public init(interface: Int32, family: Int32) {
        self.interface = interface
        self.family = family
    }

    init(_ fields: inout FieldReader) throws(FrameError) {
        interface = try fields.number()
        family = try fields.number()
        guard interface >= -1, (-1...1).contains(family) else { throw .badValue }
    }

    func write(_ fields: inout FieldWriter) {
        fields.put(interface)
        fields.put(family)
    }
}

/// What the stack is to be like.
public struct StackSettings: Hashable, Sendable {
    /// Whether it claims this machine's name, so that services can be announced.
    public var publishes: Bool
    /// Whether it looks on the loopback too.
    public var usesLoopback: Bool

    /// Settings.
    public init(publishes: Bool, usesLoopback: Bool) {
        self.publishes = publishes
        self.usesLoopback = usesLoopback
    }

    init(_ fields: inout FieldReader) throws(FrameError) {
        publishes = try fields.flag()
        usesLoopback = try fields.flag()
    }

    func write(_ fields: inout FieldWriter) {
        fields.put(publishes)
        fields.put(usesLoopback)
    }
}

/// A service that is to be announced.
public struct StackService: Hashable, Sendable {
    /// The instance name.
    public var name: String
    /// The type, such as `_http._tcp`.
    public var type: String
    /// The subtypes, such as `_printer`.
    public var subtypes: [String]
    /// The port.
    public var port: UInt16
    /// The TXT record's data: strings, each with its length in a byte before it.
    public var txt: [UInt8]

    /// A service that is to be announced.
    public init(name: String, type: String, subtypes: [String], port: UInt16, txt: [UInt8]) {
        self.name = name
        self.type = type
        self.subtypes = subtypes
        self.port = port
        self.txt = txt
    }

    init(_ fields: inout FieldReader) throws(FrameError) {
        name = try fields.text()
        type = try fields.text()
        subtypes = try fields.texts()
        port = try fields.number()
        txt = try fields.bytes(atMost: FrameLimits.txt)
    }

    func write(_ fields: inout FieldWriter) throws(FrameError) {
        try fields.put(name)
        try fields.put(type)
        try fields.put(subtypes)
        fields.put(port)
        try fields.put(txt, atMost: FrameLimits.txt)
    }
}

/// What resolving a service gave.
public struct StackResolution: Hashable, Sendable {
    /// The interface on which it was found.
    public var interface: Int32
    /// The host, as libavahi writes it.
    public var host: String
    /// The port.
    public var port: UInt16
    /// An address of the host, 4 bytes or 16 in network order; none where none is known.
    public var address: [UInt8]
    /// The TXT record's data, in the order in which it was announced.
    public var txt: [UInt8]
    /// Whether some of it was known before.
    public var isCached: Bool

    /// What resolving a service gave.
    public init(
        interface: Int32, host: String, port: UInt16, address: [UInt8], txt: [UInt8],
        isCached: Bool
    ) {
        self.interface = interface
        self.host = host
        self.port = port
        self.address = address
        self.txt = txt
        self.isCached = isCached
    }

    init(_ fields: inout FieldReader) throws(FrameError) {
        interface = try fields.number()
        host = try fields.text()
        port = try fields.number()
        address = try fields.bytes(atMost: 16)
        guard [0, 4, 16].contains(address.count) else { throw .badValue }
        txt = try fields.bytes(atMost: FrameLimits.txt)
        isCached = try fields.flag()
    }

    func write(_ fields: inout FieldWriter) throws(FrameError) {
        fields.put(interface)
        try fields.put(host)
        fields.put(port)
        try fields.put(address, atMost: 16)
        try fields.put(txt, atMost: FrameLimits.txt)
        fields.put(isCached)
    }
}
