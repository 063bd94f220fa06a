// Runs `peerlist announce`: announces a service until a signal arrives or the reader is gone.
import Glibc
import PeerList
import PeerSession
import PeerSystem
import PeerText

struct AnnounceRun {
    private let options: AnnounceOptions
    private let inbox = AsyncStream<Message>.makeStream()
    private let manager = ServiceManager.current

    /// The delay after which a failure is final, unless the daemon is lost meanwhile.
    private static let failureDelay = Duration.seconds(2)
    /// The maximum time for the daemon to withdraw the service.
    static let withdrawalLimit = Duration.seconds(2)

    private enum Message {
        case unavailable(String)
        case event(AnnouncementEvent)
        /// A signal arrived, or the reader of standard output is gone.
        case stop
        case failureConfirmed(number: Int)
    }

    init(_ options: AnnounceOptions) { self.options = options }

    /// Announces the service until a signal arrives, then withdraws it.
    func run() async -> ExitStatus {
        let entry = inbox.continuation
        let signals = Signals([SIGINT, SIGTERM, SIGHUP]) { entry.yield(.stop) }
        defer { withExtendedLifetime(signals) {} }
        watchReader(of: STDOUT_FILENO) { entry.yield(.stop) }
        let browser = LinkBrowser(options.browseOptions, asking: options.backend)
        // A daemon that hangs blocks this task, but not the signals.
        let forwarding = Task {
            do throws(BackendError) {
                _ = try await browser.start()
            } catch {
                entry.yield(.unavailable(error.description))
                return
            }
            for await event in browser.events {
                if let event = AnnouncementEvent(event.kind) { entry.yield(.event(event)) }
            }
        }
        let watch = manager?.watch { reply in
            _ = await browser.backend
            reply()
        }
        let (status, isAnnounced) = await reportEvents()
        manager?.notify("STOPPING=1")
        let isWithdrawn = await browser.stop(within: Self.withdrawalLimit)
        forwarding.cancel()
        watch?.cancel()
        guard status == .done else { return status }
        guard isWithdrawn || !isAnnounced else {
            complain(AnnouncementEvent.leftText)
            return options.isJSON ? report(.left) ?? .failure : .failure
        }
        return report(.withdrawn) ?? .done
    }

    private func reportEvents() async -> (ExitStatus, isAnnounced: Bool) {
        var failure: (number: Int, message: String) = (0, "")
        var last: AnnouncementEvent?
        var isAnnounced: Bool { if case .announced = last { true } else { false } }
        for await message in inbox.stream {
            switch message {
            case .stop: return (.done, isAnnounced)
            case .unavailable(let reason):
                complain(reason)
                return (.failure, false)
            case .event(.message(.failed, let message)):
                failure = (failure.number + 1, message)
                Task { [entry = inbox.continuation, number = failure.number] in
                    try? await Task.sleep(for: Self.failureDelay)
                    entry.yield(.failureConfirmed(number: number))
                }
            case .event(.message(.notice, let message)):
                if options.isJSON, let status = report(.message(.notice, message)) {
                    return (status, isAnnounced)
                }
                complain(message, .warning)
            case .event(let event):
                failure.number += 1
                if case .announced = event { manager?.notify("READY=1") }
                // A change of the backend repeats the last event.
                let isReported = options.isJSON || event != last
                last = event
                if isReported, let status = report(event) { return (status, isAnnounced) }
            case .failureConfirmed(let number) where number == failure.number:
                if options.isJSON { _ = report(.message(.failed, failure.message)) }
                complain(failure.message)
                return (.failure, false)
            case .failureConfirmed: break
            }
        }
        return (.done, isAnnounced)
    }

    /// Prints an event, and returns the exit status if that fails.
    private func report(_ event: AnnouncementEvent) -> ExitStatus? {
        let service = options.announcement
        let line =
            options.isJSON
            ? event.json(of: service, at: .now()) : event.sentence(of: service) + "\n"
        return writeOut(Array(line.utf8))
    }
}

extension AnnounceOptions {
    fileprivate var announcement: Announcement {
        Announcement(name: name, type: type, port: port, txt: txt, subtypes: subtypes)
    }

    /// The options of a browser that announces the service and browses nothing.
    var browseOptions: BrowseOptions {
        var browse = BrowseOptions()
        browse.interface = interface.flatMap { NetworkInterface(named: $0) }
        browse.family = family
        browse.announcesOnly = true
        browse.announcement = announcement
        return browse
    }
}

/// Calls a closure once the reading end of a pipe is closed, even if nothing is being written.
private func watchReader(of descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
    _ = startThread {
        var request = pollfd(fd: descriptor, events: 0, revents: 0)
        while unsafe poll(&request, 1, -1) < 0, errno == EINTR {}
        if request.revents & Int16(POLLERR) != 0 { body() }
    }
}
