// Puts together the datagrams of fragments.
import PeerModel

/// The datagrams of which some fragments were captured.
///
/// It is as strict as a careful kernel: fragments that overlap, or contradict each other about the end, make their
/// whole datagram unusable, with the fragments still to come (RFC 5722). An exact repetition is ignored. A datagram
/// that is not complete after a while is given up.
struct FragmentTable {
    /// The maximum numbers of incomplete datagrams, of their bytes, and of the fragments of one.
    static let limits = (datagrams: 256, bytes: 4 << 20, fragments: 128)
    /// The time in microseconds in which all fragments of a datagram must arrive, as in Linux.
    static let patience: Int64 = 30_000_000

    /// The reasons for which a datagram is not put together.
    enum Reason: Hashable { case incomplete, overlapping, limit }

    /// A datagram of multicast DNS that is not put together, with the position of its first fragment.
    struct Loss: Equatable {
        let reason: Reason
        let position: CapturePosition
    }

    private struct Key: Equatable {
        let interface: Int
        let interfaceIndex: UInt32?
        let vlans: [UInt16]
        let source: [UInt8]
        let destination: [UInt8]
        let identification: UInt32
    }

    private struct Entry {
        let key: Key
        let start: Int64
        /// The fragments in the order of their offsets.
        var fragments: [Fragment] = []
        /// The length of the datagram, once its last fragment has arrived.
        var end: Int?
        /// The position of the first fragment, if the datagram is one of multicast DNS.
        var position: CapturePosition?
        /// Whether further fragments are ignored: some have overlapped, or the datagram is another one.
        var isIgnored = false

        var size: Int { fragments.reduce(0) { $0 + $1.bytes.count } }

        /// Adds a fragment; returns `false` if it contradicts the others.
        mutating func add(_ fragment: Fragment) -> Bool {
            let range = fragment.offset..<fragment.offset + fragment.bytes.count
            let index = fragments.partitionIndex { $0.offset >= range.lowerBound }
            if index < fragments.count, fragments[index].offset == fragment.offset,
                fragments[index].isLast == fragment.isLast,
                fragments[index].bytes == fragment.bytes
            {
                return true
            }
            let previousEnd =
                index > 0 ? fragments[index - 1].offset + fragments[index - 1].bytes.count : 0
            let nextStart = index < fragments.count ? fragments[index].offset : Fragment.limit
            guard previousEnd <= range.lowerBound, range.upperBound <= nextStart,
                range.upperBound <= end ?? Fragment.limit,
                !fragment.isLast || end == nil && index == fragments.count,
                fragments.count < FragmentTable.limits.fragments
            else { return false }
            if fragment.isLast { end = range.upperBound }
            fragments.insert(fragment, at: index)
            return true
        }

        /// The datagram, if all of its fragments are there.
        var datagram: PacketContent? {
            guard let end, size == end, let first = fragments.first else { return nil }
            var header = first.header
            // All of them must have come from this link, for the datagram to be from it.
            header.hopLimit = fragments.map(\.header.hopLimit).min() ?? 0
            return PacketContent(
                fragments.flatMap(\.bytes), nextHeader: first.nextHeader, header: header)
        }
    }

    /// The datagrams in the order of their first captured fragments.
    private var entries: [Entry] = []
    private var size = 0
    private var losses: [Loss] = []

    /// Adds a fragment; returns the content of its datagram if that is complete.
    ///
    /// - Complexity: O(*n*) for *n* incomplete datagrams.
    mutating func add(
        _ fragment: Fragment, on interface: Int, at now: Int64, _ position: CapturePosition
    ) -> PacketContent? {
        advance(to: now)
        let key = Key(
            interface: interface, interfaceIndex: fragment.header.interfaceIndex,
            vlans: fragment.header.vlans, source: fragment.header.source,
            destination: fragment.destination, identification: fragment.identification)
        let index: Int
        if let known = entries.firstIndex(where: { $0.key == key }) {
            index = known
        } else {
            while entries.count >= Self.limits.datagrams { give(up: 0, .limit) }
            entries.append(Entry(key: key, start: now))
            index = entries.count - 1
        }
        if fragment.offset == 0, entries[index].position == nil {
            let start = PacketContent(
                fragment.bytes, nextHeader: fragment.nextHeader, header: fragment.header,
                isTruncated: true)
            if start == .other { ignore(index) } else { entries[index].position = position }
        }
        guard !entries[index].isIgnored else { return nil }
        let before = entries[index].size
        guard entries[index].add(fragment) else {
            ignore(index)
            return nil
        }
        size += entries[index].size - before
        if let datagram = entries[index].datagram {
            size -= entries[index].size
            entries.remove(at: index)
            return datagram
        }
        while size > Self.limits.bytes { give(up: 0, .limit) }
        return nil
    }

    /// Gives up the datagrams whose time is over.
    mutating func advance(to now: Int64) {
        while let first = entries.first, first.start + Self.patience < now {
            give(up: 0, .incomplete)
        }
    }

    /// Gives up all datagrams.
    mutating func removeAll() {
        while !entries.isEmpty { give(up: 0, .incomplete) }
    }

    /// Removes and returns the datagrams of multicast DNS that were given up.
    mutating func removeLosses() -> [Loss] {
        defer { losses = [] }
        return losses
    }

    /// Ignores a datagram from now on.
    private mutating func ignore(_ index: Int) {
        size -= entries[index].size
        entries[index].fragments = []
        entries[index].isIgnored = true
    }

    private mutating func give(up index: Int, _ reason: Reason) {
        let entry = entries.remove(at: index)
        size -= entry.size
        guard let position = entry.position else { return }
        losses.append(Loss(reason: entry.isIgnored ? .overlapping : reason, position: position))
    }
}
