// Knows through what devices cannot be heard: interfaces, the backend, brokers and observers that are away.
package import PeerModel

/// The interfaces, backends, brokers and observers that are away or have just returned.
///
/// An interface or an observer is one of the paths of a device, which can be heard while one of them is there.
/// Without the backend or a broker, no device is heard.
package struct AbsentSources: Sendable {
    /// The time in microseconds after the return of a source in which devices are found again.
    private static let catchUp: Int64 = 15_000_000
    /// The maximum number of sources; the lines of a recording can name any.
    static let limit = 10_000

    /// The numbers of other devices that can be heard, and of devices that cannot be heard now.
    package struct Count: Sendable {
        package private(set) var (heard, unknown) = (0, 0)

        package init() {}

        /// Adds or removes a device.
        package mutating func add(_ peer: Peer, isUnknown: Bool? = nil, _ number: Int = 1) {
            if isUnknown ?? (peer.presence == .unknown) {
                unknown += number
            } else if !peer.isSelf {
                heard += number
            }
        }
    }

    /// The times of their return; `nil` while they are away.
    private var returns: [String: Timestamp?] = [:]
    /// The observers of a fleet, and whether they are online; `nil` for the list of one machine.
    package private(set) var observers: [ObserverName: Bool]?
    /// The paths by those observers.
    private var observed: Set<String> = []

    package init() {}

    /// The time at which the next source has been back for long enough; `nil` if none is back.
    package var due: Timestamp? {
        returns.values.lazy.compactMap { $0?.advanced(by: Self.catchUp) }.min()
    }

    mutating func apply(_ event: SourceHappening) {
        let source = event.source
        _ = removeReturned(at: event.time)
        switch event.event {
        case .linkLost, .backendLost, .brokerLost, .observerAway: set(source, nil)
        // An observer that joins finds its devices as one that is back does.
        case .linkBack, .backendBack, .brokerBack, .observerBack, .observerJoined:
            set(source, event.time)
        case .observerForgotten: returns[source] = nil
        case .filled: break
        }
    }

    /// Notes which observers of a fleet are online.
    package mutating func apply(_ online: [ObserverName: Bool]) {
        for (name, isOnline) in online where observers?[name] != isOnline {
            let source = name.source
            if !isOnline {
                set(source, nil)
            } else if returns[source] == .some(nil) {
                returns[source] = nil
            }
        }
        for name in (observers ?? [:]).keys where online[name] == nil { returns[name.source] = nil }
        (observers, observed) = (online, Set(online.keys.map(\.source)))
    }

    private mutating func set(_ source: String, _ time: Timestamp?) {
        if returns[source] != nil || returns.count < Self.limit { returns[source] = .some(time) }
    }

    /// Forgets sources that have been back for long enough, and returns whether there were any.
    package mutating func removeReturned(at time: Timestamp) -> Bool {
        guard let due, due <= time else { return false }
        returns = returns.filter { $0.value.map { $0.advanced(by: Self.catchUp) > time } ?? true }
        return true
    }

    /// Whether no device can be heard, because everything through which devices are heard is away.
    package func hearNothing(_ count: Count) -> Bool {
        count.heard == 0
            && (count.unknown > 0 || returns.values.contains(nil)
                || observers.map { !$0.values.contains(true) } ?? false)
    }

    /// Whether a device of some paths may not be heard, because sources are away or have just returned.
    package func concern(_ paths: Set<String>) -> Bool {
        returns.keys.contains { !Self.isPath($0) }
            || !paths.isEmpty && paths.allSatisfy { openTime($0) != .some(Self.always) }
    }

    /// Returns the time at which it is known that a device of some paths, or one that never had a path, is not there;
    /// `nil` if that is not known now.
    package func knownTime(_ paths: Set<String>, in count: Count) -> Timestamp? {
        var latest = Self.always
        // An observer that is away did not see what has no path, but one that is back may see it now.
        for (source, time) in returns where !Self.isPath(source) || paths.isEmpty && time != nil {
            guard let time else { return nil }
            latest = max(latest, time.advanced(by: Self.catchUp))
        }
        if paths.isEmpty { return hearNothing(count) && observers != [:] ? nil : latest }
        return paths.lazy.compactMap(openTime).min().map { max(latest, $0) }
    }

    /// Returns the sources that are away, of some paths or of all.
    package func away(_ paths: Set<String>?) -> Set<String> {
        Set(
            returns.lazy.filter { source, time in
                time == nil && (paths.map { !Self.isPath(source) || $0.contains(source) } ?? true)
            }.map(\.key))
    }

    private static let always = Timestamp(microseconds: .min)

    /// The time from which devices are heard on a path; `nil` if they are not, as by an observer that was forgotten.
    private func openTime(_ path: String) -> Timestamp? {
        if let time = returns[path] { return time?.advanced(by: Self.catchUp) }
        let isForgotten =
            observers != nil && path.hasPrefix("observer ") && !observed.contains(path)
        return isForgotten ? nil : Self.always
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

extension ObserverName {
    /// The observer as a path of devices.
    package var source: String { "observer \(title)" }
}

extension ListItem {
    /// Whether none of the observers that have it was online: what removes it then is no goodbye.
    package var isUnseen: Bool { peer.presence == .unknown && !peer.views.isEmpty }

    /// The interfaces and observers through which it is known.
    package var paths: Set<String> {
        peer.views.isEmpty
            ? Set(peer.interfaces.map { "interface \($0)" }) : Set(peer.views.map(\.name.source))
    }
}
