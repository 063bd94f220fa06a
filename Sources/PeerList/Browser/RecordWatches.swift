// Notices SRV and TXT records that open resolvers do not report.
import FoundationEssentials

/// The record browsers beside open resolvers, and the resolvers that a new record makes stale.
///
/// A record that is announced within a second of the one before it does not flush that one from caches
/// (RFC 6762, section 10.2). An open Avahi resolver reports the record that it has until that expires, up
/// to 75 minutes later. A new resolver reports the record that was cached last, so the resolver is renewed.
struct RecordWatches {
    /// The time from a new record until the resolver is renewed; an ordinary change has flushed the former
    /// record by then.
    static let settling = Duration.milliseconds(1_500)

    private struct Watch {
        let path: LinkPath
        var browsers: [any Lookup] = []
        /// The types of which a record was reported.
        var types: Set<RecordType> = []
    }

    private var watches: [UUID: Watch] = [:]
    private var waiting: [(id: UUID, path: LinkPath)] = []
    private var renewals: [UUID: Duration] = [:]

    /// Whether no record browser is open.
    var isEmpty: Bool { watches.isEmpty }

    /// When the next resolver is to be renewed, or `nil` for never.
    var deadline: Duration? { renewals.values.min() }

    /// Adds a service whose resolver stays open on a path.
    mutating func add(_ id: UUID, on path: LinkPath) {
        guard watches[id]?.path != path else { return }
        remove(id)
        watches[id] = Watch(path: path)
        waiting.append((id, path))
    }

    /// Closes the record browsers of a service.
    mutating func remove(_ id: UUID) {
        for browser in watches.removeValue(forKey: id)?.browsers ?? [] { browser.close() }
        renewals[id] = nil
    }

    /// Closes all record browsers.
    mutating func removeAll() {
        for id in watches.keys { remove(id) }
        waiting = []
    }

    /// Returns a service whose record browsers are to be opened, and the path, or `nil`.
    mutating func popWaiting() -> (id: UUID, path: LinkPath)? {
        while let next = waiting.popLast() {
            if let watch = watches[next.id], watch.path == next.path, watch.browsers.isEmpty {
                return next
            }
        }
        return nil
    }

    /// Keeps an open record browser of a service.
    mutating func keep(_ browser: any Lookup, of id: UUID) {
        watches[id]?.browsers.append(browser)
    }

    /// Notes a record of a service; any but the first of its type schedules a renewal.
    mutating func appeared(_ type: RecordType, of id: UUID, at now: Duration) {
        guard watches[id]?.types.insert(type).inserted == false, renewals[id] == nil else { return }
        renewals[id] = now + Self.settling
    }

    /// Returns the services whose resolvers are to be renewed now, each once.
    mutating func takeDue(at now: Duration) -> [UUID] {
        let due = renewals.filter { $0.value <= now }.map(\.key)
        for id in due { renewals[id] = nil }
        return due
    }
}

extension LinkBrowser {
    /// Renews stale resolvers, and opens record browsers while no service waits to be resolved.
    func continueWatching() {
        for id in resolving.watches.takeDue(at: now) { resolving.schedule.ask(id, at: now) }
        guard !resolving.schedule.isBusy() else { return }
        while let (id, path) = resolving.watches.popWaiting() { openWatch(id, path) }
    }

    private func openWatch(_ id: UUID, _ path: LinkPath) {
        guard let instance = resolving.services[id]?.instance, let name = escapedName(of: instance)
        else { return }
        for type in [RecordType.srv, .txt] {
            let browser = try? stack?.browseRecords(type, of: name, path: LookupPath(path)) {
                event in
                self.assumeIsolated { $0.recordBrowsed(event, type, id) }
            }
            if let browser { resolving.watches.keep(browser, of: id) }
        }
    }

    private func recordBrowsed(_ event: RecordEvent, _ type: RecordType, _ id: UUID) {
        guard case .appeared = event else { return }
        resolving.watches.appeared(type, of: id, at: now)
        planTimer()
    }
}
