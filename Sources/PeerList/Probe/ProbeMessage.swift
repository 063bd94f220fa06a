// Writes the DNS queries of a probe, and reads the names in replies.
import CResolv

/// The messages that a probe sends and receives (RFC 6762, section 18).
enum ProbeMessage {
    /// The maximum size of a query in bytes, so that it fits into one packet on any link.
    static let sizeLimit = 1_200

    /// Returns a name as the C library writes it, for comparing; ASCII letters in lower case.
    ///
    /// - Returns: `nil` if DNS cannot carry the name: a label is empty or has more than 63 bytes, or
    ///   the name has more than 255.
    static func name(of service: ServiceKey) -> String? {
        guard let wire = wireName(of: service) else { return nil }
        var text = [CChar](repeating: 0, count: Int(NS_MAXDNAME))
        guard unsafe ns_name_ntop(wire, &text, text.count) >= 0 else { return nil }
        return lowercased(text)
    }

    /// Returns queries for the SRV records of services, in as few messages as possible; names that DNS cannot
    /// carry are left out.
    static func questions(for services: [ServiceKey]) -> [[UInt8]] {
        messages(
            services.compactMap { wireName(of: $0).map { $0 + bytes(location) + bytes(internet) } })
    }

    /// Returns queries for the addresses of hosts, in as few messages as possible; names that DNS cannot carry
    /// are left out.
    static func addressQuestions(for hosts: [String]) -> [[UInt8]] {
        messages(
            hosts.compactMap { wireName(labels($0)) }.flatMap { name in
                AddressFamily.allCases.map { name + bytes($0.recordType) + bytes(internet) }
            })
    }

    private static func messages(_ questions: [[UInt8]]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var (body, count) = ([UInt8](), 0)
        for question in questions {
            if headerSize + body.count + question.count > sizeLimit {
                messages.append(header(count) + body)
                (body, count) = ([], 0)
            }
            body += question
            count += 1
        }
        return count == 0 ? messages : messages + [header(count) + body]
    }

    /// The name under which responders list their service types (RFC 6763, section 9).
    private static let typesName = "_services._dns-sd._udp.local"

    /// Returns queries for the service types on the link, and for services of some types whose responders
    /// may not list them.
    ///
    /// - Parameters:
    ///   - known: Types that responders need not list; as many as fit (RFC 6762, section 7.1).
    ///   - others: The types to ask for.
    /// - Returns: A message for each of the two, in one packet each.
    static func typeQuestions(known: [String], others: [String]) -> [[UInt8]] {
        let suffix = bytes(pointer) + bytes(internet)
        var types = wireName(labels(typesName)).map { $0 + suffix } ?? []
        var count = 0
        for type in known {
            guard let name = wireName(labels("\(type).local")),
                headerSize + types.count + name.count + 12 <= sizeLimit
            else { continue }
            // The owner's name is that of the question, right after the header.
            types += [0xc0, UInt8(headerSize)] + suffix + bytes(0) + bytes(listLife)
            types += bytes(UInt16(name.count)) + name
            count += 1
        }
        var messages = [header(1, answers: count) + types]
        let asked = others.compactMap { wireName(labels("\($0).local")) }
        if !asked.isEmpty { messages.append(header(asked.count) + asked.flatMap { $0 + suffix }) }
        return messages
    }

    /// Returns the service types that a reply names, in the list of types or as those of services.
    ///
    /// - Parameter message: Bytes from the network.
    /// - Returns: Types such as `_http._tcp`, in lower case; names of another form are left out.
    static func answeredTypes(in message: [UInt8]) -> Set<String> {
        var types: Set<String> = []
        forEachRecord(of: pointer, in: message) { owner, target in
            let name = owner == typesName ? target : owner
            guard let name, name.hasPrefix("_"), name.hasSuffix(".local"),
                let type = try? ServiceType(String(name.dropLast(6))), type.subtype == nil
            else { return }
            types.insert(type.name)
        }
        return types
    }

    /// Returns the names whose SRV records a reply has and does not withdraw.
    ///
    /// - Parameter message: Bytes from the network.
    /// - Returns: Names as in ``name(of:)``; none if the message is no reply, or not valid.
    static func answeredNames(in message: [UInt8]) -> Set<String> {
        var names: Set<String> = []
        forEachRecord(of: location, in: message) { owner, _ in names.insert(owner) }
        return names
    }

    /// Calls a closure with the records of a type that a reply has and does not withdraw.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - message: Bytes from the network; of each section, the rest after a record that is not valid is
    ///     left out.
    ///   - body: Takes the name of a record's owner, and the name that is the data of a PTR record.
    private static func forEachRecord(
        of type: UInt16, in message: [UInt8], _ body: (String, String?) -> Void
    ) {
        guard message.count >= headerSize, message[2] & 0x80 != 0 else { return }
        unsafe message.withUnsafeBufferPointer { bytes in
            var parsed = unsafe ns_msg()
            guard let start = bytes.baseAddress,
                unsafe ns_initparse(start, Int32(message.count), &parsed) == 0
            else { return }
            for section in [ns_s_an, ns_s_ar] {
                var record = unsafe ns_rr()
                var number: Int32 = 0
                while unsafe ns_parserr(&parsed, section, number, &record) == 0 {
                    number += 1
                    guard unsafe isCurrent(record, type) else { continue }
                    let owner = unsafe withUnsafeBytes(of: record.name) {
                        unsafe lowercased($0.map { CChar(bitPattern: $0) })
                    }
                    unsafe body(owner, type == pointer ? target(of: record, in: bytes) : nil)
                }
            }
        }
    }

    /// Returns the name that is the data of a record, or `nil`.
    private static func target(
        of record: ns_rr, in message: UnsafeBufferPointer<UInt8>
    ) -> String? {
        guard let start = message.baseAddress, let data = unsafe record.rdata else { return nil }
        var text = [CChar](repeating: 0, count: Int(NS_MAXDNAME))
        let end = unsafe start + message.count
        guard unsafe ns_name_uncompress(start, end, data, &text, text.count) >= 0 else {
            return nil
        }
        return lowercased(text)
    }

    private static let headerSize = 12
    private static let location = UInt16(33)  // SRV
    private static let pointer = UInt16(12)  // PTR
    private static let listLife: UInt16 = 4_500  // s, RFC 6762, section 10
    private static let internet: UInt16 = 1

    /// Whether a record is of a type and not withdrawn; the class's highest bit has a meaning of its own here.
    private static func isCurrent(_ record: ns_rr, _ type: UInt16) -> Bool {
        unsafe record.type == type && record.rr_class & 0x7fff == internet && record.ttl > 0
    }

    private static func header(_ count: Int, answers: Int = 0) -> [UInt8] {
        [0, 0, 0, 0] + bytes(UInt16(count)) + bytes(UInt16(answers)) + [0, 0, 0, 0]
    }

    /// The instance name is one label, whatever dots are in it (RFC 6763, section 4.1).
    private static func wireName(of service: ServiceKey) -> [UInt8]? {
        wireName([Substring(service.name)] + labels(service.type) + labels(service.domain))
    }

    private static func wireName(_ labels: [Substring]) -> [UInt8]? {
        guard labels.allSatisfy({ 1...63 ~= $0.utf8.count }) else { return nil }
        var wire: [UInt8] = []
        for label in labels { wire += [UInt8(label.utf8.count)] + Array(label.utf8) }
        wire.append(0)
        return wire.count <= 255 ? wire : nil
    }

    private static func labels(_ name: String) -> [Substring] {
        name.split(separator: ".", omittingEmptySubsequences: true)
    }

    private static func bytes(_ number: UInt16) -> [UInt8] {
        [UInt8(number >> 8), UInt8(number & 0xff)]
    }

    /// The text before the first NUL; only ASCII is in it, because the C library escapes the rest.
    private static func lowercased(_ text: [CChar]) -> String {
        let bytes = text.prefix { $0 != 0 }.map { character in
            let byte = UInt8(bitPattern: character)
            return 0x41...0x5a ~= byte ? byte | 0x20 : byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
