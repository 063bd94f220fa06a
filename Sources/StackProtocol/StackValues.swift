// The names, paths, settings and services that messages contain.

/// The names of a service as libavahi writes them: the type and the domain may have escapes.
package struct ServiceInstance: Field {
    package var name: String
    package var type: String
    package var domain: String

    package init(name: String, type: String, domain: String) {
        self.name = name
        self.type = type
        self.domain = domain
    }

    package init(from fields: inout FieldReader) throws(FrameError) {
        (name, type, domain) = try fields.readAll()
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        try fields.write(name, type, domain)
    }
}

/// An interface and an address family in libavahi's numbers; -1 means any.
package struct StackPath: Field {
    /// The kernel's index of the interface.
    package var interface: Int32
    /// 0 for IPv4, 1 for IPv6.
    package var family: Int32

    package init(interface: Int32, family: Int32) {
        self.interface = interface
        self.family = family
    }

    package init(from fields: inout FieldReader) throws(FrameError) {
        (interface, family) = try fields.readAll()
        guard interface >= -1, (-1...1).contains(family) else { throw .badValue }
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        try fields.write(interface, family)
    }
}

/// The settings of the stack.
package struct StackSettings: Field {
    /// Whether the stack claims the host name, so that services can be announced.
    package var publishes: Bool
    /// Whether the stack uses the loopback interface too.
    package var usesLoopback: Bool

    package init(publishes: Bool, usesLoopback: Bool) {
        self.publishes = publishes
        self.usesLoopback = usesLoopback
    }

    package init(from fields: inout FieldReader) throws(FrameError) {
        (publishes, usesLoopback) = try fields.readAll()
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        try fields.write(publishes, usesLoopback)
    }
}

/// A service to announce.
package struct StackService: Field {
    package var name: String
    /// The service type, such as `_http._tcp`.
    package var type: String
    /// The subtypes, such as `_printer`.
    package var subtypes: [String]
    package var port: UInt16
    /// The TXT record's data: strings, each preceded by a byte for its length.
    package var txt: [UInt8]

    package init(name: String, type: String, subtypes: [String], port: UInt16, txt: [UInt8]) {
        self.name = name
        self.type = type
        self.subtypes = subtypes
        self.port = port
        self.txt = txt
    }

    package init(from fields: inout FieldReader) throws(FrameError) {
        let count: UInt8
        (name, type, count) = try fields.readAll()
        guard count <= FrameLimits.subtypes else { throw .badValue }
        subtypes = []
        for _ in 0..<count { subtypes.append(try fields.read()) }
        (port, txt) = try fields.readAll()
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        guard subtypes.count <= FrameLimits.subtypes else { throw .tooLong }
        try fields.write(name, type, UInt8(subtypes.count))
        for subtype in subtypes { try fields.write(subtype) }
        try fields.write(port, txt)
    }
}
