// Decides when the service types that were heard on the link are browsed for, and for how long.

/// The service types of which records were heard, and which no responder was heard to list.
///
/// Anyone on the link can invent such types, and each browse makes this machine query the link for one. So only a few
/// are admitted a minute, fewer of one sender, and a type that turns out to have no service is dropped. Well-known
/// types, and types that the options name, are admitted at once and kept.
struct HeardTypes {
    /// The maximum number of types that are admitted within ``interval``: of all senders, and of one, so that a sender
    /// that invents types does not delay the types of the others.
    static let admissionLimit = (all: 20, sender: 5)
    static let interval = Duration.seconds(60)
    /// The maximum number of senders whose types wait, and of types of each.
    static let waitingLimit = (senders: 64, types: 8)
    /// The time within which a service of an admitted type has to be found.
    static let patience = Duration.seconds(30)
    /// The time between two searches for types without services. A search takes time linear in the number of services.
    static let checkInterval = Duration.seconds(10)

    private struct Admitted {
        var expiry: Duration
        /// The time at which the type was admitted, or at which it was last seen to have services; `nil` for a type
        /// that is kept.
        var lastOffered: Duration?
    }

    /// The types of a sender that wait, in the order in which they were heard.
    private struct Waiting {
        let sender: HostAddress
        var types: [(name: String, expiry: Duration)] = []
    }

    /// The types that are browsed for while a backend runs, in canonical form.
    private var admitted: [String: Admitted] = [:]
    /// The admitted types that are to be browsed for now.
    private var ready: [String] = []
    private var waiting: [Waiting] = []
    /// The admissions within the last ``interval``, oldest first.
    private var admissions: [(time: Duration, name: String, sender: HostAddress)] = []
    private var admissionDue: Duration?
    private var checkDue: Duration?
    private var hasReported = false

    /// The time at which ``popReady(at:_:)`` or ``popUnoffered(at:offered:)`` is due.
    var deadline: Duration? { [admissionDue, checkDue].compactMap { $0 }.min() }

    /// Handles a type, in canonical form, of which a record was heard, other than in a responder's list of types.
    ///
    /// The type is limited if it is neither well known nor named by the options, and browsed already if a responder
    /// lists it.
    mutating func hear(
        _ name: String, until expiry: Duration, from sender: HostAddress, isLimited: Bool,
        isBrowsed: @autoclosure () -> Bool, at now: Duration
    ) {
        if let known = admitted[name] {
            admitted[name]?.expiry = max(known.expiry, expiry)
        } else if !isLimited {
            admitted[name] = Admitted(expiry: expiry)
            ready.append(name)
        } else if !isBrowsed() {
            enqueue(name, until: expiry, of: sender, at: now)
        }
    }

    /// Handles a type that a responder lists, so that the backend finds it by itself; in canonical form.
    mutating func listed(_ name: String) {
        if admitted[name]?.lastOffered != nil { admitted[name] = nil }
        for index in waiting.indices { waiting[index].types.removeAll { $0.name == name } }
        admissions.removeAll { $0.name == name }
    }

    /// Handles types, in canonical form, that are no longer browsed for.
    mutating func closed(_ names: some Sequence<String>) {
        for name in names { admitted[name] = nil }
    }

    /// Handles the start of a backend, which browses for nothing yet.
    mutating func browsingBegan(at now: Duration) {
        admitted = admitted.filter { $0.value.expiry > now }.mapValues {
            Admitted(expiry: $0.expiry, lastOffered: $0.lastOffered.map { _ in now })
        }
        ready = admitted.keys.sorted()
    }

    /// Pops the types to browse for now; to be called while a backend runs.
    mutating func popReady(at now: Duration, _ step: inout DiscoveryStep) -> [String] {
        if let due = admissionDue, due <= now { admit(at: now, &step) }
        defer { ready = [] }
        return ready
    }

    /// Pops the types for which no service has been found in time; to be called while a backend runs. The offered types
    /// are all types of found services, in canonical form.
    mutating func popUnoffered(at now: Duration, offered: () -> Set<String>) -> [String] {
        guard let due = checkDue, due <= now else { return [] }
        let offered = offered()
        var dropped: [String] = []
        for (name, type) in admitted {
            guard let last = type.lastOffered else { continue }
            if offered.contains(name) {
                admitted[name]?.lastOffered = now
            } else if last + Self.patience <= now {
                dropped.append(name)
            }
        }
        closed(dropped)
        let isWatching = admitted.values.contains { $0.lastOffered != nil }
        checkDue = isWatching ? now + Self.checkInterval : nil
        return dropped.sorted()
    }

    private mutating func enqueue(
        _ name: String, until expiry: Duration, of sender: HostAddress, at now: Duration
    ) {
        var index = waiting.firstIndex { $0.sender == sender }
        if index == nil, waiting.count < Self.waitingLimit.senders {
            index = waiting.count
            waiting.append(Waiting(sender: sender))
        }
        guard let index, waiting[index].types.count < Self.waitingLimit.types,
            !waiting[index].types.contains(where: { $0.name == name })
        else { return }
        waiting[index].types.append((name, expiry))
        // A sender that has to wait until then is one more that waits.
        if admissionDue == nil || admissionCount(of: sender) < Self.admissionLimit.sender {
            admissionDue = now
        }
    }

    private func admissionCount(of sender: HostAddress) -> Int {
        admissions.count { $0.sender == sender }
    }

    /// Admits waiting types, beginning with the senders of the fewest admitted types.
    private mutating func admit(at now: Duration, _ step: inout DiscoveryStep) {
        admissions.removeAll { $0.time + Self.interval <= now }
        for index in waiting.indices {
            waiting[index].types.removeAll { $0.expiry <= now || admitted[$0.name] != nil }
        }
        waiting.removeAll { $0.types.isEmpty }
        while admissions.count < Self.admissionLimit.all {
            let counts = waiting.map { admissionCount(of: $0.sender) }
            guard let index = counts.indices.min(by: { counts[$0] < counts[$1] }),
                counts[index] < Self.admissionLimit.sender
            else { break }
            let sender = waiting[index].sender
            let (name, expiry) = waiting[index].types.removeFirst()
            if waiting[index].types.isEmpty { waiting.remove(at: index) }
            guard admitted[name] == nil else { continue }
            admitted[name] = Admitted(expiry: expiry, lastOffered: now)
            admissions.append((now, name, sender))
            ready.append(name)
            if checkDue == nil { checkDue = now + Self.patience }
        }
        admissionDue = waiting.isEmpty ? nil : admissions.first.map { $0.time + Self.interval }
        guard !waiting.isEmpty, !hasReported else { return }
        hasReported = true
        step.report(
            .notice(
                .serviceLimit,
                """
                new service types are heard that no machine lists, more than \
                \(Self.admissionLimit.all) a minute or \(Self.admissionLimit.sender) of one \
                machine, so some are shown later or not at all; name the ones you want with --type
                """))
    }
}
