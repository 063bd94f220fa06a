// TXT records between libavahi's lists and the bytes that go through the pipe.
import CAvahiCore

/// The data of a TXT record: strings, each with its length in a byte before it (RFC 6763, section 6.1).
enum TXTData {
    /// Whether libavahi-core reads a record's strings from the last to the first, as its released versions do.
    private static let isReversed: Bool = {
        let twoStrings: [UInt8] = [1, 0x61, 1, 0x62]
        var list: UnsafeMutablePointer<AvahiStringList>?
        let status = unsafe avahi_string_list_parse(twoStrings, twoStrings.count, &list)
        defer { unsafe avahi_string_list_free(list) }
        guard status == 0, let list = unsafe list else { return false }
        return unsafe avahi_string_list_get_text(list).pointee == 0x62
    }()

    /// The data of a record that was read, in the order in which it was announced.
    static func data(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [UInt8] {
        var strings: [[UInt8]] = []
        var next = unsafe list
        while let node = unsafe next {
            let bytes = unsafe UnsafeBufferPointer(
                start: avahi_string_list_get_text(node), count: avahi_string_list_get_size(node))
            unsafe strings.append([UInt8(truncatingIfNeeded: bytes.count)] + bytes.prefix(255))
            unsafe next = avahi_string_list_get_next(node)
        }
        if isReversed { strings.reverse() }
        return Array(strings.joined())
    }
}
