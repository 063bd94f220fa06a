// DNS messages of a probe: questions for services written, the names that answers speak of read.
import CResolv

/// The messages that a probe sends and gets (RFC 6762, section 18).
enum ProbeMessage {
    /// What a message of questions may hold, so that it fits into one packet of any link.
    static let sizeLimit = 1_200

    /// A name as the C library writes it, for comparing; letters of ASCII in lower case.
    ///
    /// - Returns: `nil` where it is no name of DNS: a label is empty or has more than 63 bytes, or
    ///   all of it more than 255.
    static func name(of service: ServiceKey) -> String? {
        guard let wire = wireName(of: service) else { return nil }
        var text = [CChar](repeating: 0, count: Int(NS_MAXDNAME))
        guard unsafe ns_name_ntop(wire, &text, text.count) >= 0 else { return nil }
        return lowercased(text)
    }

    /// Questions for where services are, in as few messages as hold them; what is no name is left out.
    static func questions(for services: [ServiceKey]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var (body, count) = ([UInt8](), 0)
        for question in services.compactMap(question) {
            if headerSize + body.count + question.count > sizeLimit {
                messages.append(header(count) + body)
                (body, count) = ([], 0)
            }
            body += question
            count += 1
        }
        return count == 0 ? messages : messages + [header(count) + body]
    }

    /// The names whose location an answer tells and does not take back.
    ///
    /// - Parameter message: What came from the network, whatever it is.
    /// - Returns: Names as in ``name(of:)``; none where it is no answer, or none that can be read.
    static func answeredNames(in message: [UInt8]) -> Set<String> {
        guard message.count >= headerSize, message[2] & 0x80 != 0 else { return [] }
        var names: Set<String> = []
        unsafe message.withUnsafeBufferPointer { bytes in
            var parsed = unsafe ns_msg()
            guard let start = bytes.baseAddress,
                unsafe ns_initparse(start, Int32(message.count), &parsed) == 0
            else { return }
            for section in [ns_s_an, ns_s_ar] {
                unsafe readLocations(in: section, of: &parsed, into: &names)
            }
        }
        return names
    }

    /// Adds the names of a section's locations, up to the first record that cannot be read.
    private static func readLocations(
        in section: ns_sect, of message: inout ns_msg, into names: inout Set<String>
    ) {
        var record = unsafe ns_rr()
        var number: Int32 = 0
        while unsafe ns_parserr(&message, section, number, &record) == 0 {
            number += 1
            guard unsafe isLocation(record) else { continue }
            unsafe withUnsafeBytes(of: record.name) {
                _ = unsafe names.insert(lowercased($0.map { CChar(bitPattern: $0) }))
            }
        }
    }

    private static let headerSize = 12
    private static let location = UInt16(33)  // SRV
    private static let internet: UInt16 = 1

    /// Whether a record says where a service is; the class's highest bit has a meaning of its own there.
    private static func isLocation(_ record: ns_rr) -> Bool {
        unsafe record.type == location && record.rr_class & 0x7fff == internet && record.ttl > 0
    }

    private static func header(_ count: Int) -> [UInt8] {
        [0, 0, 0, 0] + bytes(UInt16(count)) + [0, 0, 0, 0, 0, 0]
    }

    private static func question(_ service: ServiceKey) -> [UInt8]? {
        wireName(of: service).map { $0 + bytes(location) + bytes(internet) }
    }

    /// The instance name is one label, whatever dots are in it (RFC 6763, section 4.1).
    private static func wireName(of service: ServiceKey) -> [UInt8]? {
        let labels: [Substring] =
            [Substring(service.name)] + labels(service.type) + labels(service.domain)
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
