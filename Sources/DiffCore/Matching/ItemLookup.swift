// Looks items of a new list up in the hash table of an old one.

/// Finds the old indices of a new list's items.
///
/// When several items in a row turn out not to be adjacent to each other in the old list, the following
/// ones are looked up together: the processor then waits once for all of their slots, and once
/// for all of their identifiers.
struct ItemLookup<K: Key & ~Copyable>: ~Copyable {
    private let old: KeyBuffer<K>
    private let new: KeyBuffer<K>
    private let table: SlotTable
    private let seeds = HashSeeds.ofProcess
    /// The number of successive look-ups that served a single item.
    private var singleCount = 0
    /// The new indices of the items that have been looked up together.
    private var batch = 0..<0
    /// The old index of each item in the batch, or -1.
    private let batchIndices = Scratch<Int32>(unset: batchSize)
    private let batchHashes = Scratch<UInt32>(unset: batchSize)
    /// The number of items that have been looked up in batches.
    private var batchedCount = 0
    /// A table of the old list's bytes, if most items have the same bytes in both lists.
    private var byteTable: SlotTable?

    private static var batchSize: Int { 64 }
    /// The number of single look-ups before a batch.
    private static var maximumSingleCount: Int { 8 }

    init(of new: KeyBuffer<K>, in old: KeyBuffer<K>, table: SlotTable) {
        self.old = old
        self.new = new
        self.table = table
    }

    /// Returns the old index of an item, or -1; items up to an end may be looked up with it.
    @inline(__always)
    mutating func oldIndex(ofItemAt index: Int, before end: Int) -> Int {
        if batch.contains(index) { return Int(batchIndices[index &- batch.lowerBound]) }
        if singleCount > Self.maximumSingleCount {
            lookUpBatch(index..<end)
            return Int(batchIndices[0])
        }
        let found = table.index(ofKeyAt: index, of: new, in: old, seeds: seeds)
        // Absent bitwise identifiers mostly find an empty slot, and wait for no other memory.
        singleCount = found < 0 && K.isBitwise ? 0 : singleCount &+ 1
        return found
    }

    @inline(never)
    private mutating func lookUpBatch(_ items: Range<Int>) {
        batch = items.prefix(Self.batchSize)
        if let byteTable { return lookUpBatch(in: byteTable) }
        table.findIndices(
            ofKeysAt: batch, of: new, in: old, seeds: seeds, hashes: batchHashes,
            into: batchIndices)
        batchedCount += batch.count
        if K.isBitwise {
            let absentCount = (0..<batch.count).count { batchIndices[$0] < 0 }
            if absentCount > batch.count / 2 { singleCount = 0 }
        } else if batchedCount > old.count / 16, items.count >= old.count / 2, batchSharesBytes {
            var table = SlotTable(capacity: old.count)
            _ = table.insert(0..<old.count, of: old.bytes, seeds: seeds)
            byteTable = table
        }
    }

    /// Whether most items in the batch have the same bytes in both lists, as strings have that were
    /// only reordered: hashing their bytes is several times faster than hashing the strings.
    private var batchSharesBytes: Bool {
        let (oldBytes, newBytes) = (old.bytes, new.bytes)
        let sharedCount = batch.count { index in
            let from = Int(batchIndices[index - batch.lowerBound])
            return from >= 0 && oldBytes.isSame(at: from, as: newBytes, at: index)
        }
        return sharedCount >= batch.count / 2
    }

    /// Looks the batch up by bytes, and only the items that are not found by their own hash.
    private func lookUpBatch(in byteTable: SlotTable) {
        byteTable.findIndices(
            ofKeysAt: batch, of: new.bytes, in: old.bytes, seeds: seeds, hashes: batchHashes,
            into: batchIndices)
        for (offset, index) in batch.enumerated() where batchIndices[offset] < 0 {
            let found = table.index(ofKeyAt: index, of: new, in: old, seeds: seeds)
            batchIndices[offset] = Int32(truncatingIfNeeded: found)
        }
    }

    /// Returns how many items are the same in both lists from two indices on, as a negative number if
    /// their order in the old list is reversed.
    @inline(__always)
    mutating func extent(
        from: Int, in origin: Range<Int>, to: Int, in rest: Range<Int>
    ) -> Int {
        guard to + 1 < rest.upperBound else { return 1 }
        if batch.contains(to &+ 1) {
            let next = Int(batchIndices[to &+ 1 &- batch.lowerBound])
            if next != from &+ 1, next != from &- 1 { return 1 }
        }
        if from + 1 < origin.upperBound, old.isSame(at: from + 1, as: new, at: to + 1) {
            singleCount = 0
            return forwardExtent(
                from: from, to: to, limit: min(origin.upperBound - from, rest.upperBound - to))
        }
        guard from > origin.lowerBound, old.isSame(at: from - 1, as: new, at: to + 1) else {
            return 1
        }
        singleCount = 0
        let limit = min(from - origin.lowerBound + 1, rest.upperBound - to)
        var length = 2
        while length < limit, old.isSame(at: from - length, as: new, at: to + length) {
            length += 1
        }
        return -length
    }

    /// Extends a range whose first two items are the same: a few items one by one, as most ranges
    /// are short, then by memory.
    @inline(__always)
    private func forwardExtent(from: Int, to: Int, limit: Int) -> Int {
        var length = 2
        while length < min(limit, 8) {
            guard old.isSame(at: from + length, as: new, at: to + length) else { return length }
            length += 1
        }
        return length
            + old.commonPrefix(
                from: from + length, with: new, from: to + length, limit: limit - length)
    }
}
