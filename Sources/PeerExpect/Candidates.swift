// Finds the devices that a missing one may be.
import PeerLedger
import PeerModel
import PeerText

/// The devices that are there, among which those are searched for that a missing one may be.
struct Candidates {
    /// The maximum number of devices that are compared with a missing one.
    private static let comparedLimit = 5_000

    private let there: [ExpectedDevice]
    private let directory: DeviceDirectory

    init(_ devices: some Sequence<ExpectedDevice>) {
        there = devices.prefix(Self.comparedLimit).sorted { ($0.title, $0.id) < ($1.title, $1.id) }
        directory = DeviceDirectory(there.map { .init($0.item.peer) })
    }

    /// Returns the devices that resemble the one of an expectation most, by its criteria or else by its names, and a
    /// clause that says how; `nil` without any.
    func search(for expectation: Expectation) -> (devices: [ExpectedDevice], text: String)? {
        partial(expectation) ?? named(expectation)
    }

    /// Returns the devices that meet most of the criteria, but not all.
    private func partial(_ expectation: Expectation) -> ([ExpectedDevice], String)? {
        let partial = there.compactMap { device -> (device: ExpectedDevice, unmet: [Criterion])? in
            let isPartial = expectation.criteria.contains { $0.isOfOne && $0.isMet(by: device) }
            return isPartial
                ? (device, expectation.criteria.filter { !$0.isMet(by: device) }) : nil
        }
        guard let best = partial.min(by: { $0.unmet.count < $1.unmet.count }) else { return nil }
        let alike = partial.filter { $0.unmet == best.unmet }.map(\.device)
        let other = listed(best.unmet.map(\.property))
        return (
            alike,
            "\(listed(alike.map(\.description), limit: 3)) \(alike.count == 1 ? "is" : "are") there with "
                + "another \(other)"
        )
    }

    /// Returns the devices under one of its names with a number, or else those of the nearest names.
    private func named(_ expectation: Expectation) -> ([ExpectedDevice], String)? {
        for word in expectation.words {
            let renamed = there.filter { $0.isRenamed(from: word) }
            if !renamed.isEmpty {
                let names = listed(renamed.map { quoted($0.title) }, limit: 3)
                return (renamed, "\(quoted(word.text)) is there as \(names)")
            }
            let titles = directory.titles(near: word.text)
            guard !titles.isEmpty else { continue }
            let named = there.filter { titles.contains($0.title) }
            let names = listed(named.map(\.description), limit: 3)
            return (
                named,
                (named.count == 1 ? "the nearest name there is " : "near names there are ") + names
            )
        }
        return nil
    }
}

extension Expectation {
    /// The names that its device may have in another form.
    fileprivate var words: [FoldedWord] {
        criteria.compactMap {
            switch $0 {
            case .word(let word), .name(let word), .label(let word), .host(let word): word
            case .id, .kind, .type, .address: nil
            }
        } + (isSet ? [] : [FoldedWord(name)])
    }
}
