// The topics on which observers of a fleet publish, and the names in them.
package import FoundationEssentials
package import PeerModel

/// The topics below a prefix: `PREFIX/v1/SITE/OBSERVER/status`, `…/peers/UUID` and `…/census`.
package struct FleetTopics: Sendable, Hashable {
    /// A topic of an observer.
    package enum Topic: Sendable, Hashable {
        case status(ObserverName)
        case peer(ObserverName, UUID)
        case census(ObserverName)
        /// The filter without topics of ``FleetTopics/mark(of:)``.
        case mark(ObserverName)
    }

    /// The site of observers that name none. Host names identify devices there as on a single link.
    package static let standardSite = "home"

    /// The maximum length of the names of sites and observers, in bytes.
    package static let nameLimit = 64

    /// The maximum size of a message about a peer or a status, in bytes.
    package static let payloadLimit = 256 << 10

    /// The levels before the version of the topics.
    package let prefix: String

    package init(prefix: String) { self.prefix = prefix }

    /// Whether a text can be the name of a site or an observer: a level of a topic (MQTT 5, section 4.7)
    /// without control characters, 1 to 64 bytes long.
    package static func isName(_ text: some StringProtocol) -> Bool {
        (1...nameLimit).contains(text.utf8.count)
            && !text.unicodeScalars.contains {
                switch $0 {
                case "/", "+", "#", "$", "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": true
                default: false
                }
            }
    }

    package func status(of name: ObserverName) -> String { base(name) + "/status" }

    package func peer(_ id: UUID, of name: ObserverName) -> String {
        base(name) + "/peers/" + id.uuidString.lowercased()
    }

    package func census(of name: ObserverName) -> String { base(name) + "/census" }

    /// The prefix of the state topics of device trackers, of an observer or else of the fleet's list; the
    /// identifiers of the devices follow.
    package func trackers(of name: ObserverName?) -> String {
        name.map { base($0) + "/home/" } ?? prefix + "/v1/trackers/"
    }

    /// The topic of the status of an observer, or of the list of the fleet, as the publisher of device
    /// trackers.
    package func trackerStatus(of name: ObserverName?) -> String {
        name.map(status) ?? prefix + "/v1/trackers/status"
    }

    /// A topic on which an observer tests whether it may publish and read.
    package func test(of name: ObserverName) -> String { base(name) + "/test" }

    /// The filter of the statuses of all observers.
    package var allStatuses: String { prefix + "/v1/+/+/status" }

    /// A filter without topics, as ``mark(of:)``, for the end of ``allStatuses``.
    package var statusMark: String { prefix + "/v1/mark" }

    /// The filter of the peers of an observer.
    package func peers(of name: ObserverName) -> String { base(name) + "/peers/+" }

    /// A filter without topics. Its end is confirmed after all messages of earlier subscriptions were sent.
    package func mark(of name: ObserverName) -> String { base(name) + "/mark" }

    private func base(_ name: ObserverName) -> String {
        "\(prefix)/v1/\(name.site)/\(name.observer)"
    }

    /// Parses a topic; returns `nil` if it is none of an observer's status, peers, census or mark.
    package func parse(_ topic: String) -> Topic? {
        // By bytes, because a combining mark makes one character of itself and the slash before it.
        let start = (prefix + "/v1/").utf8
        guard topic.utf8.starts(with: start) else { return nil }
        let levels = topic.utf8.dropFirst(start.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(Substring.init)
        guard levels.count >= 3, levels[0...1].allSatisfy(Self.isName) else { return nil }
        let name = ObserverName(site: String(levels[0]), observer: String(levels[1]))
        switch (levels.count, levels[2]) {
        case (3, "status"): return .status(name)
        case (3, "census"): return .census(name)
        case (3, "mark"): return .mark(name)
        case (4, "peers"):
            // Upper case would be a second topic of the same peer.
            guard let id = UUID(uuidString: String(levels[3])),
                id.uuidString.lowercased() == levels[3]
            else { return nil }
            return .peer(name, id)
        default: return nil
        }
    }
}
