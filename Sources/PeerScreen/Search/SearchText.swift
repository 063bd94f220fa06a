// The searched text of a device, and how well a search matches it.
import PeerModel
import PeerRecording
import PeerText

/// The folded text of a device and its services.
struct SearchText: Sendable {
    /// The size at which the text of a device, of a service or of a TXT record is cut, in bytes.
    private static let partLimit = 128 << 10
    /// The size at which the names of a device are cut, in bytes; they are also searched by letters.
    private static let nameLimit = 4 << 10

    private(set) var bytes: [UInt8] = []
    /// The ends of the parts: names, kind, maker and model of the device; its other fields; and of each
    /// service its fields and its TXT record.
    private var ends: [Int] = []

    /// Makes the text of a device, or of a service alone, of at most `limit` bytes.
    init(_ item: ListItem, limit: Int = .max) {
        let peer = item.peer
        func append(_ fields: [String], _ partLimit: Int = Self.partLimit) {
            FoldedText.append(fields, to: &bytes, limit: min(partLimit, limit - bytes.count))
            bytes.removeLast(max(0, bytes.count - limit))
            ends.append(bytes.count)
        }
        let (names, others) = item.isService ? ([], []) : peer.searchedTexts
        append(names, Self.nameLimit)
        append(others)
        for service in peer.services where bytes.count < limit {
            append(service.searchedFields)
            append(service.searchedAttributes)
        }
    }
}

extension Peer {
    private static let searchedFacts = DeviceFact.all(in: .search)

    /// The names, the kind, the maker and the model; and the host, the evidence and where it is seen.
    var searchedTexts: (names: [String], others: [String]) {
        var (names, others): ([String], [String]) = ([], [])
        for fact in Self.searchedFacts {
            switch fact.reading {
            case .chosen: names += fact.texts(of: self)
            case .word: names += [fact.detail(of: self), fact.text(of: self)].compactMap(\.self)
            case .exact, .list, .own: others += fact.texts(of: self)
            }
        }
        return (names, others)
    }
}

extension Service {
    fileprivate var searchedFields: [String] {
        let title = KnownServiceType.of(type)?.title ?? ""
        return [name, type, title, domain, port.map { "\($0)" } ?? ""] + subtypes
    }

    /// The TXT record without the version, which most records have.
    fileprivate var searchedAttributes: [String] {
        txt.pairs.filter { $0.key.lowercased() != "txtvers" }.map { pair in
            switch pair.value {
            case .none: pair.key
            case .text(let value): "\(pair.key)=\(value)"
            case .bytes(let bytes): "\(pair.key)=\(hexText(bytes))"
            }
        }
    }
}

/// The match of a search in a device: the services that it shows, and how good it is.
struct SearchMatch: Equatable {
    /// The sum of what each word adds; the better match has more.
    private(set) var score = 0
    /// The indices of the services without which the device does not match, which are shown even if it is
    /// collapsed; none if it matches itself.
    private(set) var services: [Int] = []

    /// The amounts that a word adds to the score, by the best place where it is found.
    fileprivate enum Score {
        /// A name, kind, maker or model: all of it, its start, the start of a word, or elsewhere.
        static let whole = 60
        static let start = 50
        static let wordStart = 40
        static let name = 30
        /// The host, an address or an interface.
        static let otherField = 20
        static let service = 15
        static let attribute = 10
        /// Its letters in a name; less if they are far apart, at least 1.
        static let letters = 9
    }

    /// Matches a text; returns `nil` unless each word is in the device or in one of its services.
    ///
    /// The services of the match contain all words that the device lacks or, if no single service
    /// contains all, one of these words.
    ///
    /// - Complexity: O(*w* · *b*) for *w* words and *b* bytes of text.
    init?(_ needle: SearchNeedle, in text: SearchText, allows: (_ service: Int) -> Bool) {
        var lacking: [[Int]] = []
        for word in needle.words {
            var found = text.score(ofName: word)
            if found == 0, needle.isLoose { found = text.score(ofLetters: word) }
            if found == 0 {
                // Most devices lack a word, and nothing is allocated for them.
                let services = text.services(with: word, allows)
                if services.indices.isEmpty { return nil }
                lacking.append(services.indices)
                found = services.score
            }
            score += found
        }
        guard let first = lacking.first else { return }
        services = lacking.dropFirst().reduce(first) { $0.filter(Set($1).contains) }
        if services.isEmpty { services = Set(lacking.joined()).sorted() }
    }
}

extension SearchText {
    private typealias Score = SearchMatch.Score

    /// The minimum size of a word to search in TXT records, which have many short keys, in bytes.
    private static let attributeWord = 3

    /// Returns what a word in the device itself adds to the score, 0 if it is not there.
    fileprivate func score(ofName word: [UInt8]) -> Int {
        var (best, start) = (0, 0)
        while best < Score.whole, let hit = SearchNeedle.first(word, in: bytes, start..<ends[0]) {
            start = hit + word.count
            let isLineStart = hit == 0 || bytes[hit - 1] == UInt8(ascii: "\n")
            let isLineEnd = bytes[start...].first == UInt8(ascii: "\n")
            let isWordStart = SearchNeedle.startsWord(hit, in: bytes, 0..<ends[0])
            best = max(
                best,
                isLineStart
                    ? isLineEnd ? Score.whole : Score.start
                    : isWordStart ? Score.wordStart : Score.name)
        }
        if best > 0 { return best }
        return SearchNeedle.first(word, in: bytes, ends[0]..<ends[1]) == nil ? 0 : Score.otherField
    }

    /// Returns what the letters of a word in a name add to the score, 0 if none has them in order.
    fileprivate func score(ofLetters word: [UInt8]) -> Int {
        bytes[..<ends[0]].split(separator: UInt8(ascii: "\n")).reduce(0) { best, line in
            SearchNeedle.letters(of: word, in: bytes, line.indices).map {
                max(best, Score.letters - min(8, SearchNeedle.span($0) / word.count))
            } ?? best
        }
    }

    /// Returns the indices of the allowed services that contain a word, and what it adds to the score.
    fileprivate func services(
        with word: [UInt8], _ allows: (Int) -> Bool
    ) -> (indices: [Int], score: Int) {
        var (indices, score): ([Int], Int) = ([], 0)
        var (part, start) = (2, ends[1])
        // A line feed follows each part, and no word has one, so no match spans two parts.
        while let hit = SearchNeedle.first(word, in: bytes, start..<bytes.count) {
            while ends[part] <= hit { part += 1 }
            let isAttribute = part % 2 == 1
            start = ends[part]
            if isAttribute, word.count < Self.attributeWord { continue }
            let service = part / 2 - 1
            start = ends[2 * service + 3]
            guard allows(service) else { continue }
            indices.append(service)
            score = max(score, isAttribute ? Score.attribute : Score.service)
        }
        return (indices, score)
    }
}

/// Returns bytes in hexadecimal: `30 05 5c ff`.
func hexText(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
