// Equality by bytes, where `==` of text goes by what looks the same.
import Glibc
import PeerList

extension String {
    /// Whether both have the same bytes; `"é"` and `"e\u{301}"` have not, though they are equal.
    ///
    /// A list that is folded from the lines is the list byte for byte, so the
    /// lines go by this.
    func isExactly(_ other: String) -> Bool {
        let answer = unsafe utf8.withContiguousStorageIfAvailable { left in
            unsafe other.utf8.withContiguousStorageIfAvailable { right in
                guard left.count == right.count else { return false }
                guard let from = left.baseAddress, let to = right.baseAddress else { return true }
                return unsafe memcmp(from, to, left.count) == 0
            }
        }
        return answer.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }
}

extension Optional<String> {
    /// Whether both are absent, or both have the same bytes.
    func isExactly(_ other: String?) -> Bool {
        guard let self, let other else { return self == other }
        return self.isExactly(other)
    }
}

extension [String] {
    /// Whether both hold texts of the same bytes in the same order.
    func areExactly(_ other: [String]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isExactly($1) }
    }
}

extension Identity {
    /// Whether both say the same, byte for byte.
    func isExactly(_ other: Identity) -> Bool {
        source == other.source && value.isExactly(other.value)
    }
}

extension TXTRecord {
    /// Whether both hold the same attributes byte for byte, in whatever order.
    func isExactly(_ other: TXTRecord) -> Bool {
        guard pairs.count == other.pairs.count else { return false }
        if pairs.sharesStorage(with: other.pairs) { return true }
        if zip(pairs, other.pairs).allSatisfy({ $0.isExactly($1) }) { return true }
        return pairs.allSatisfy { pair in other.pairs.contains { $0.isExactly(pair) } }
    }
}

extension TXTRecord.Pair {
    fileprivate func isExactly(_ other: TXTRecord.Pair) -> Bool {
        guard key.isExactly(other.key) else { return false }
        if case .text(let text) = value, case .text(let otherText) = other.value {
            return text.isExactly(otherText)
        }
        return value == other.value
    }
}

extension Array {
    /// Whether both are one array that was not changed since it was copied, which says that they are equal.
    fileprivate func sharesStorage(with other: [Element]) -> Bool {
        unsafe withUnsafeBufferPointer { left in
            unsafe other.withUnsafeBufferPointer { right in
                unsafe left.baseAddress == right.baseAddress && left.count == right.count
            }
        }
    }
}

extension Service {
    /// Whether no field differs in its bytes.
    func isExactly(_ other: Service) -> Bool {
        !ServiceField.allCases.contains { $0.differs(other, self) }
    }
}
