// Knows through what devices cannot be heard: interfaces, the backend, brokers and observers that are away.
import PeerHappenings
import PeerModel
import PeerText

/// The interfaces, backends, brokers and observers that are away or have just returned.
///
/// An interface or an observer is one of the paths of a device; without the backend or a broker, none is heard.
struct AbsentSources: Sendable {
    /// The time in microseconds after the return of a source in which devices are found again.
    private static let catchUp: Int64 = 15_000_000

    /// The times of their return; `nil` while they are away.
    private var returns: [String: Timestamp?] = [:]

    /// Whether any is away.
    var areAway: Bool { returns.values.contains(nil) }

    /// The time at which the next source has been back for long enough; `nil` if none is back.
    var due: Timestamp? {
        returns.values.lazy.compactMap { $0?.advanced(by: Self.catchUp) }.min()
    }

    mutating func apply(_ event: SourceHappening) {
        switch event.event {
        case .linkLost, .backendLost, .brokerLost, .observerAway:
            returns[event.source] = .some(nil)
        // An observer that joins finds its devices as one that is back does.
        case .linkBack, .backendBack, .brokerBack, .observerBack, .observerJoined:
            returns[event.source] = event.time
        case .observerForgotten: returns[event.source] = nil
        case .filled: break
        }
    }

    /// Forgets sources that have been back for long enough, and returns whether there were any.
    mutating func removeReturned(at time: Timestamp) -> Bool {
        guard let due, due <= time else { return false }
        returns = returns.filter { $0.value.map { $0.advanced(by: Self.catchUp) > time } ?? true }
        return true
    }

    /// Whether a device of some paths may not be heard, because a source is away or has just returned.
    func concern(_ paths: Set<String>) -> Bool {
        returns.keys.contains { !Self.isPath($0) || paths.contains($0) }
    }

    /// Returns the time at which it is known that a device of some paths, or one that never had a path, is not there;
    /// `nil` if that is not known now.
    func knownTime(_ paths: Set<String>) -> Timestamp? {
        var latest = Timestamp(microseconds: .min)
        for (source, time) in returns {
            if Self.isPath(source) {
                // An observer that is away did not see what has no path, but one that is back may see it now.
                guard paths.isEmpty ? time != nil : paths.contains(source) else { continue }
            }
            guard let time else { return nil }
            latest = max(latest, time.advanced(by: Self.catchUp))
        }
        return latest
    }

    /// Returns the sources that are away, of some paths or of all.
    func away(_ paths: Set<String>?) -> Set<String> {
        Set(
            returns.lazy.filter { source, time in
                time == nil && (paths.map { !Self.isPath(source) || $0.contains(source) } ?? true)
            }.map(\.key))
    }

    private static func isPath(_ source: String) -> Bool {
        source.hasPrefix("interface ") || source.hasPrefix("observer ")
    }
}

extension SourceHappening {
    /// The interface, the backend, the broker or the observer.
    fileprivate var source: String {
        switch event {
        case .linkLost, .linkBack: "interface \(name)"
        case .backendLost, .backendBack: "the backend"
        case .brokerLost, .brokerBack: "broker \(name)"
        case .observerAway, .observerBack, .observerJoined, .observerForgotten: "observer \(name)"
        case .filled: ""
        }
    }
}

extension ListItem {
    /// The interfaces and observers through which it is known.
    var paths: Set<String> {
        peer.views.isEmpty
            ? Set(peer.interfaces.map { "interface \($0)" })
            : Set(peer.views.map { "observer \($0.name.title)" })
    }
}
