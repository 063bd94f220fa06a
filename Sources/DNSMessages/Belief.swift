// Decides what a packet on a link may be believed to say, by how it arrived.

/// The records that a packet may be believed to announce or withdraw.
///
/// A packet is believed if it is a response (RFC 6762, section 7.1: a query tells nothing new) without an error code or
/// another operation (18.3, 18.11), from port 5353 (6) to port 5353: a reply to another port is for a simple resolver,
/// and its times to live are cut (6.7). The records of its authority section are claims of a probe, and not among them.
package struct Belief: Sendable {
    /// The port of multicast DNS.
    package static let port: UInt16 = 5353

    /// The records of services and hosts whose data have the form of their type.
    package let records: [DNSMessage.Record]
    /// Whether the hop limit on arrival shows that no router has forwarded the packet (RFC 6762, section 11).
    package let isLocal: Bool
    package let options: DNSOptions

    /// The records that answer a probe: which services and types there are.
    package var answers: [DNSMessage.Record] {
        records.filter { $0.ttl > 0 && ($0.type == DNSType.srv || $0.type == DNSType.ptr) }
    }

    /// Reads a packet; `nil` if it is not believed.
    ///
    /// - Parameters:
    ///   - bytes: The message.
    ///   - sizeLimit: The maximum size of a message in bytes.
    ///   - source: The port from which it was sent.
    ///   - destination: The port to which it was sent.
    ///   - hopLimit: The time to live (IPv4) or the hop limit (IPv6) on arrival; `nil` if it is not known.
    package init?(
        _ bytes: [UInt8], sizeLimit: Int = DNSMessage.sizeLimit, from source: UInt16,
        to destination: UInt16 = Self.port, hopLimit: Int32?
    ) {
        // The bit of responses is looked at first, as parsing takes most of the time.
        guard source == Self.port, destination == Self.port, bytes.count > 2, bytes[2] & 0x80 != 0,
            let message = DNSMessage(bytes, sizeLimit: sizeLimit), !message.hasErrorCode
        else { return nil }
        records = (message.answers + message.additionals).filter(\.isOfServices)
        isLocal = hopLimit == 255
        options = message.options
    }
}

extension DNSMessage.Record {
    /// Whether the record replaces the others of its name and type (RFC 6762, section 10.2).
    ///
    /// A PTR record of DNS-SD never does, because services of one type belong to many hosts.
    var replacesOthers: Bool { isUnique && type != DNSType.ptr && ttl > 0 }

    /// Whether the record is of a service or a host, and its data have the form of its type.
    fileprivate var isOfServices: Bool {
        switch type {
        case DNSType.a: data.count == 4
        case DNSType.aaaa: data.count == 16
        case DNSType.srv: data.count > 6
        case DNSType.ptr, DNSType.txt: true
        default: false
        }
    }
}
