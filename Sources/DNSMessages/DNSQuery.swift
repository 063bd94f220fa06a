// Writes the queries of multicast DNS.

/// Writes queries (RFC 6762, section 18), each of which fits into one packet on any link.
package enum DNSQuery {
    /// The maximum size of a query in bytes.
    package static let sizeLimit = 1_200
    /// The size of a message's header in bytes.
    package static let headerSize = 12

    private static let internet: UInt16 = 1
    /// The bit of a question's class that requests a unicast reply (RFC 6762, section 5.4).
    private static let unicastBit: UInt16 = 0x8000

    /// Returns queries with the questions, in as few messages as possible.
    ///
    /// - Parameters:
    ///   - questions: The names and types to ask for.
    ///   - wantsUnicast: Whether the queries request unicast replies.
    /// - Returns: The queries.
    package static func messages(
        _ questions: [(name: DNSName, type: UInt16)], wantsUnicast: Bool = false
    ) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        let questionClass = internet | (wantsUnicast ? unicastBit : 0)
        var rest = questions.map { $0.name.bytes + bytes($0.type, questionClass) }[...]
        while !rest.isEmpty {
            var size = headerSize
            let asked = rest.prefix { question in
                size += question.count
                return size <= sizeLimit
            }
            messages.append(header(asked.count) + asked.joined())
            rest = rest.dropFirst(asked.count)
        }
        return messages
    }

    /// Returns a query for the PTR records of a name, with as many known answers as fit (RFC 6762, section 7.1).
    package static func message(
        pointersOf name: DNSName, known: [DNSName], ttl: UInt16
    ) -> [UInt8] {
        let suffix = bytes(DNSType.ptr, internet)
        var body = name.bytes + suffix
        var count = 0
        for target in known {
            guard headerSize + body.count + target.bytes.count + 12 <= sizeLimit else { continue }
            // A pointer to the name in the question, directly after the header.
            body += [0xc0, UInt8(headerSize)] + suffix
            body += bytes(0, ttl, UInt16(target.bytes.count)) + target.bytes
            count += 1
        }
        return header(1, answers: count) + body
    }

    private static func header(_ count: Int, answers: Int = 0) -> [UInt8] {
        bytes(0, 0, UInt16(count), UInt16(answers), 0, 0)
    }

    private static func bytes(_ numbers: UInt16...) -> [UInt8] {
        numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }
}
