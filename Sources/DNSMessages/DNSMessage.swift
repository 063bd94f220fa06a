// Reads multicast DNS messages of strangers with the C library's parser.
import CResolv

/// A message of multicast DNS (RFC 6762, section 18), with the names in it uncompressed.
package struct DNSMessage: Sendable, Hashable {
    /// The maximum size in bytes (RFC 6762, section 17).
    package static let sizeLimit = 9_000

    /// A question.
    package struct Question: Sendable, Hashable {
        package let name: DNSName
        package let type: UInt16
        /// Whether a unicast reply is requested.
        package let wantsUnicast: Bool
    }

    /// A record of the Internet class.
    package struct Record: Sendable, Hashable {
        package let name: DNSName
        package let type: UInt16
        /// Whether the record replaces all others of its name and type (the cache-flush bit).
        package let isUnique: Bool
        /// The time to live in seconds; 0 withdraws the record.
        package let ttl: UInt32
        /// The data; the name in a PTR or SRV record is not compressed.
        package let data: [UInt8]
    }

    /// Whether the message is a response, not a query.
    package private(set) var isResponse = false
    /// Whether the operation code or the response code is not 0, so that the message is to be ignored (RFC 6762,
    /// sections 18.3 and 18.11).
    package private(set) var hasErrorCode = false
    /// Whether further messages with known answers follow.
    package private(set) var isTruncated = false
    package private(set) var questions: [Question] = []
    package private(set) var answers: [Record] = []
    /// The records of the authority section: the records that a query probes for.
    package private(set) var authorities: [Record] = []
    package private(set) var additionals: [Record] = []
    package private(set) var options = DNSOptions()

    /// Reads a message; `nil` if its sections are not valid, or it is too large. A record with invalid data ends its
    /// section.
    package init?(_ bytes: [UInt8], sizeLimit: Int = Self.sizeLimit) {
        guard bytes.count <= sizeLimit else { return nil }
        var message: DNSMessage? = DNSMessage()
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var parsed = unsafe ns_msg()
            guard let start = bytes.baseAddress, bytes.count >= 12,
                unsafe ns_initparse(start, Int32(bytes.count), &parsed) == 0
            else { return message = nil }
            message?.isResponse = unsafe bytes[2] & 0x80 != 0
            message?.hasErrorCode = unsafe bytes[2] & 0x78 != 0 || bytes[3] & 0x0f != 0
            message?.isTruncated = unsafe bytes[2] & 0x02 != 0
            unsafe message?.readSections(&parsed, bytes)
        }
        guard let message else { return nil }
        self = message
    }

    private init() {}

    private mutating func readSections(_ parsed: inout ns_msg, _ bytes: UnsafeBufferPointer<UInt8>)
    {
        var record = unsafe ns_rr()
        for section in [ns_s_qd, ns_s_an, ns_s_ns, ns_s_ar] {
            var number: Int32 = 0
            while unsafe ns_parserr(&parsed, section, number, &record) == 0 {
                number += 1
                let name = unsafe withUnsafeBytes(of: &record.name) { unsafe Self.name($0) }
                guard let name else { break }
                if section == ns_s_qd {
                    unsafe questions.append(
                        Question(
                            name: name, type: record.type,
                            wantsUnicast: record.rr_class & 0x8000 != 0))
                } else if unsafe record.type == DNSType.opt {
                    unsafe options = DNSOptions(
                        UnsafeBufferPointer(start: record.rdata, count: Int(record.rdlength)))
                } else if unsafe record.rr_class & 0x7fff == 1 {
                    guard let record = unsafe Record(name, record, bytes) else { break }
                    switch section {
                    case ns_s_an: answers.append(record)
                    case ns_s_ns: authorities.append(record)
                    default: additionals.append(record)
                    }
                }
            }
        }
    }

    /// Returns the wire form of a name that the C library has written as text.
    private static func name(_ text: UnsafeRawBufferPointer) -> DNSName? {
        let count = unsafe withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: DNSName.sizeLimit
        ) {
            wire -> [UInt8]? in
            guard let text = unsafe text.assumingMemoryBound(to: CChar.self).baseAddress,
                let start = wire.baseAddress,
                unsafe ns_name_pton(text, start, wire.count) >= 0
            else { return nil }
            return unsafe prefix(of: wire)
        }
        return count.flatMap(DNSName.init(wire:))
    }

    /// Returns the bytes of the name at the start of a buffer.
    fileprivate static func prefix(of wire: UnsafeMutableBufferPointer<UInt8>) -> [UInt8] {
        var end = 0
        while unsafe end < wire.count - 1 && wire[end] != 0 { unsafe end += Int(wire[end]) + 1 }
        return unsafe Array(wire.prefix(end + 1))
    }
}

extension DNSMessage.Record {
    /// Copies a parsed record; `nil` if the name in its data is not valid.
    fileprivate init?(_ name: DNSName, _ record: ns_rr, _ message: UnsafeBufferPointer<UInt8>) {
        self.name = name
        type = unsafe record.type
        isUnique = unsafe record.rr_class & 0x8000 != 0
        ttl = unsafe record.ttl
        let rest = unsafe UnsafeBufferPointer(start: record.rdata, count: Int(record.rdlength))
        let fixed = DNSType.nameOffset(in: type)
        guard let fixed else {
            data = unsafe Array(rest)
            return
        }
        guard rest.count > fixed, let start = message.baseAddress,
            let source = rest.baseAddress
        else { return nil }
        let target = unsafe withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: DNSName.sizeLimit
        ) { wire -> [UInt8]? in
            guard let first = wire.baseAddress,
                unsafe ns_name_unpack(
                    start, start + message.count, source + fixed, first, wire.count) >= 0
            else { return nil }
            return unsafe DNSMessage.prefix(of: wire)
        }
        guard let target else { return nil }
        data = unsafe Array(rest.prefix(fixed)) + target
    }

    /// The name in the data of a PTR or SRV record.
    package var target: DNSName? {
        DNSType.nameOffset(in: type).flatMap { DNSName(wire: Array(data.dropFirst($0))) }
    }

    /// The port of an SRV record.
    package var port: UInt16? {
        type == DNSType.srv && data.count > 6 ? UInt16(data[4]) << 8 | UInt16(data[5]) : nil
    }
}

/// The host and the port in the data of an SRV record (RFC 2782).
package struct ServiceLocation: Sendable, Hashable {
    package let host: DNSName
    package let port: UInt16

    /// Reads the data of an SRV record; `nil` if they are none.
    package init?(_ data: [UInt8]) {
        guard data.count > 6, let host = DNSName(wire: Array(data[6...])) else { return nil }
        (self.host, port) = (host, UInt16(data[4]) << 8 | UInt16(data[5]))
    }

    /// Whether the record says that the service is not there: its host is the root.
    package var isNowhere: Bool { host.bytes.count == 1 }
}

/// The numbers of record types.
package enum DNSType {
    package static let a: UInt16 = 1
    package static let soa: UInt16 = 6
    package static let ptr: UInt16 = 12
    package static let txt: UInt16 = 16
    package static let aaaa: UInt16 = 28
    package static let srv: UInt16 = 33
    package static let opt: UInt16 = 41

    /// Returns the number of bytes before the name in a record's data; `nil` for a type without a name.
    static func nameOffset(in type: UInt16) -> Int? {
        switch type {
        case ptr: 0
        case srv: 6
        default: nil
        }
    }
}

/// The options of a message that tell on whose behalf it was sent (RFC 6891, section 6.1.2).
package struct DNSOptions: Sendable, Hashable {
    /// The MAC address of the sleeping host for which a proxy answers (OWNER, option 4).
    package private(set) var owner: [UInt8]?
    /// The age in seconds of a registration that a proxy advertises (TSR, option 65002).
    package private(set) var registrationAge: UInt32?

    package init(owner: [UInt8]? = nil, registrationAge: UInt32? = nil) {
        (self.owner, self.registrationAge) = (owner, registrationAge)
    }

    /// Reads the data of an OPT record; an option that is cut short, and the rest, are ignored.
    fileprivate init(_ data: UnsafeBufferPointer<UInt8>) {
        var rest = unsafe Array(data)[...]
        while rest.count >= 4 {
            let head = Array(rest.prefix(4))
            let (code, count) = (Int(head[0]) << 8 | Int(head[1]), Int(head[2]) << 8 | Int(head[3]))
            rest = rest.dropFirst(4)
            guard rest.count >= count else { return }
            let value = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            switch code {
            // Version, sequence, and the MAC address.
            case 4 where count >= 8: owner = Array(value[2..<8])
            case 65_002 where count >= 4:
                registrationAge = value.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
            default: break
            }
        }
    }
}
