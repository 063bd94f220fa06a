// A table's look-ups and changes for identifiers of any type.

// These are called from code that is compiled for the identifiers' type, and are compiled here for
// each form of key: the type itself matters to identifiers that are hashed as it says alone.
extension SlotTable {
    /// The place of a lent identifier in a lent list that the table is of, or -1.
    @usableFromInline
    func place<Identifier: Hashable>(
        of identifier: LentIdentifiers, in list: LentIdentifiers, kind: KeyKind,
        type: Identifier.Type
    ) -> Int {
        let seeds = HashSeeds.ofProcess
        return switch kind {
        case .word:
            place(
                ofKeyAt: 0, of: KeyList<WordKey>(identifier), in: KeyList(list), seeds: seeds)
        case .twoWords:
            place(
                ofKeyAt: 0, of: KeyList<TwoWordKey>(identifier), in: KeyList(list), seeds: seeds)
        case .text:
            place(
                ofKeyAt: 0, of: KeyList<HashableKey<String>>(identifier), in: KeyList(list),
                seeds: seeds)
        case .hashable: placeOfHashable(identifier, in: list, type: type)
        }
    }

    /// Enters a range of a lent list, and says the place of one that is in the table already.
    @usableFromInline
    mutating func insert<Identifier: Hashable>(
        _ range: Range<Int>, of list: LentIdentifiers, kind: KeyKind, type: Identifier.Type
    ) -> Int? {
        let seeds = HashSeeds.ofProcess
        return switch kind {
        case .word:
            insert(range, of: KeyList<WordKey>(list), seeds: seeds)
        case .twoWords:
            insert(range, of: KeyList<TwoWordKey>(list), seeds: seeds)
        case .text:
            insert(range, of: KeyList<HashableKey<String>>(list), seeds: seeds)
        case .hashable: insertHashables(range, of: list, type: type)
        }
    }

    /// The table of a lent list that the table's list has become; what is added is not in it yet.
    @usableFromInline
    func following<Identifier: Hashable>(
        _ kept: [Run], added: [Int32], in list: LentIdentifiers, oldCount: Int,
        kind: KeyKind, type: Identifier.Type
    ) -> SlotTable? {
        let seeds = HashSeeds.ofProcess
        return switch kind {
        case .word:
            following(
                kept, added: added, in: KeyList<WordKey>(list), oldCount: oldCount, seeds: seeds)
        case .twoWords:
            following(
                kept, added: added, in: KeyList<TwoWordKey>(list), oldCount: oldCount, seeds: seeds)
        case .text:
            following(
                kept, added: added, in: KeyList<HashableKey<String>>(list), oldCount: oldCount,
                seeds: seeds)
        case .hashable:
            followingHashables(kept, added: added, in: list, oldCount: oldCount, type: type)
        }
    }
}

// Apart from the others, which need not know the type in order to begin.
extension SlotTable {
    @inline(never)
    private func placeOfHashable<Identifier: Hashable>(
        _ identifier: LentIdentifiers, in list: LentIdentifiers, type: Identifier.Type
    ) -> Int {
        place(
            ofKeyAt: 0, of: KeyList<HashableKey<Identifier>>(identifier), in: KeyList(list),
            seeds: .ofProcess)
    }

    @inline(never)
    private mutating func insertHashables<Identifier: Hashable>(
        _ range: Range<Int>, of list: LentIdentifiers, type: Identifier.Type
    ) -> Int? {
        insert(range, of: KeyList<HashableKey<Identifier>>(list), seeds: .ofProcess)
    }

    @inline(never)
    private func followingHashables<Identifier: Hashable>(
        _ kept: [Run], added: [Int32], in list: LentIdentifiers, oldCount: Int,
        type: Identifier.Type
    ) -> SlotTable? {
        following(
            kept, added: added, in: KeyList<HashableKey<Identifier>>(list), oldCount: oldCount,
            seeds: .ofProcess)
    }
}
