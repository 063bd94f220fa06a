// Writes the DNS queries of a probe, and reads the names in replies.
import CResolv

/// The messages that a probe sends and receives (RFC 6762, section 18).
package enum ProbeMessage {
    /// The maximum size of a query in bytes, so that it fits into one packet on any link.
    package static let sizeLimit = 1_200

    /// Returns a service's name as the C library writes it, in lower case, for comparisons. Returns `nil`
    /// if DNS cannot carry the name: a label is empty or has more than 63 bytes, or the name has more
    /// than 255.
    package static func name(of service: ServiceKey) -> String? {
        wireName(of: service).flatMap { wire in
            unsafe text { unsafe ns_name_ntop(wire, $0, $1) }
        }
    }

    /// Returns queries for the SRV records of services, in as few messages as possible; names that DNS cannot
    /// carry are left out.
    package static func questions(for services: [ServiceKey]) -> [[UInt8]] {
        messages(services.compactMap { wireName(of: $0).map { $0 + bytes(location, internet) } })
    }

    /// Returns queries for the addresses of hosts, in as few messages as possible; names that DNS cannot carry
    /// are left out.
    static func addressQuestions(for hosts: [String]) -> [[UInt8]] {
        messages(
            hosts.compactMap(wireName).flatMap { name in
                AddressFamily.allCases.map { name + bytes($0.recordType, internet) }
            })
    }

    private static func messages(_ questions: [[UInt8]]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var rest = questions[...]
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

    /// The name under which responders list their service types (RFC 6763, section 9).
    private static let typesName = "_services._dns-sd._udp.local"

    /// Returns a query for the service types on the link, with as many known answers as fit (RFC 6762,
    /// section 7.1), and one for services of other types, whose responders may not list them.
    package static func typeQuestions(known: [String], others: [String]) -> [[UInt8]] {
        let suffix = bytes(pointer, internet)
        var types = wireName(typesName).map { $0 + suffix } ?? []
        var count = 0
        for type in known {
            guard let name = wireName("\(type).local"),
                headerSize + types.count + name.count + 12 <= sizeLimit
            else { continue }
            // A pointer to the name in the question, directly after the header.
            types += [0xc0, UInt8(headerSize)] + suffix
            types += bytes(0, listLife, UInt16(name.count)) + name
            count += 1
        }
        let asked = others.compactMap { wireName("\($0).local") }.map { $0 + suffix }
        return [header(1, answers: count) + types] + messages(asked)
    }

    /// Returns the service types in a reply, in lower case: types that are listed, and types of
    /// services. Names of another form are ignored.
    package static func answeredTypes(in message: [UInt8]) -> Set<String> {
        let types = records(of: pointer, in: message).compactMap { owner, target -> String? in
            guard let name = owner == typesName ? target : owner, name.hasPrefix("_"),
                name.hasSuffix(".local"), let type = try? ServiceType(String(name.dropLast(6)))
            else { return nil }
            return type.subtype == nil ? type.name : nil
        }
        return Set(types)
    }

    /// Returns the names, as in ``name(of:)``, of the SRV records that a reply contains and does not
    /// withdraw; none if the message is no reply, or not valid.
    package static func answeredNames(in message: [UInt8]) -> Set<String> {
        Set(records(of: location, in: message).map(\.owner))
    }

    /// Returns the records of a type that a reply contains and does not withdraw: the owner, and the name in
    /// the data of a PTR record. Records after an invalid record of a section are ignored.
    private static func records(
        of type: UInt16, in message: [UInt8]
    ) -> [(owner: String, target: String?)] {
        guard message.count >= headerSize, message[2] & 0x80 != 0 else { return [] }
        return unsafe message.withUnsafeBufferPointer { bytes in
            var records: [(String, String?)] = []
            var (parsed, record) = unsafe (ns_msg(), ns_rr())
            guard let start = bytes.baseAddress,
                unsafe ns_initparse(start, Int32(message.count), &parsed) == 0
            else { return [] }
            for section in [ns_s_an, ns_s_ar] {
                var number: Int32 = 0
                while unsafe ns_parserr(&parsed, section, number, &record) == 0 {
                    number += 1
                    // In multicast DNS, the highest bit of the class is a flag.
                    guard unsafe record.type == type, unsafe record.rr_class & 0x7fff == internet,
                        unsafe record.ttl > 0
                    else { continue }
                    let owner = unsafe withUnsafeBytes(of: record.name) { unsafe lowercased($0) }
                    let target = unsafe text {
                        unsafe type != pointer || record.rdata == nil
                            ? -1
                            : ns_name_uncompress(
                                start, start + message.count, record.rdata, $0, $1)
                    }
                    records.append((owner, target))
                }
            }
            return records
        }
    }

    private static let headerSize = 12
    private static let location = UInt16(33)  // SRV
    private static let pointer = UInt16(12)  // PTR
    private static let listLife: UInt16 = 4_500  // s, RFC 6762, section 10
    private static let internet: UInt16 = 1

    private static func header(_ count: Int, answers: Int = 0) -> [UInt8] {
        bytes(0, 0, UInt16(count), UInt16(answers), 0, 0)
    }

    /// Returns a service's name in wire form; the instance name is one label, dots included (RFC
    /// 6763, section 4.1).
    private static func wireName(of service: ServiceKey) -> [UInt8]? {
        guard let instance = label(service.name[...]),
            let name = wireName("\(service.type).\(service.domain)")
        else { return nil }
        return instance.count + name.count <= 255 ? instance + name : nil
    }

    private static func wireName(_ name: String) -> [UInt8]? {
        let labels = name.split(separator: ".").map(label)
        let wire = labels.compactMap(\.self).joined() + [0]
        return wire.count <= 255 && !labels.contains(nil) ? Array(wire) : nil
    }

    private static func label(_ text: Substring) -> [UInt8]? {
        1...63 ~= text.utf8.count ? [UInt8(text.utf8.count)] + text.utf8 : nil
    }

    private static func bytes(_ numbers: UInt16...) -> [UInt8] {
        numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }

    /// Returns a name that the C library writes, or `nil` if that fails.
    private static func text(_ write: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NS_MAXDNAME)) { buffer in
            guard let start = buffer.baseAddress, unsafe write(start, buffer.count) >= 0 else {
                return nil
            }
            return unsafe lowercased(UnsafeRawBufferPointer(buffer))
        }
    }

    /// Returns the text before the first NUL, in lower case; it is ASCII, because the C library escapes
    /// other bytes.
    private static func lowercased(_ text: UnsafeRawBufferPointer) -> String {
        unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self).lowercased()
    }
}
