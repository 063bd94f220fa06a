// One run of `peerlist announce`: announces a service until it is told to end.
import Glibc
import PeerList
import PeerRecording

/// One run of `peerlist announce`, from the options to the exit status.
struct AnnounceRun {
    private let options: AnnounceOptions
    private let inbox = AsyncStream<Message>.makeStream()

    /// How long a failure may be the beginning of the daemon's going away, which is told then.
    private static let patience = Duration.seconds(2)
    /// How long the daemon is given to withdraw what it announces, at the end.
    static let withdrawalLimit = Duration.seconds(2)
    /// What is said where it does not.
    static let leftText =
        "avahi-daemon does not answer; it will withdraw the service when it continues"

    private enum Message {
        /// No backend can be asked, for this reason.
        case unavailable(String)
        case news(AnnouncementNews)
        case signalled
        /// Whether the failure of this number is still the last that was heard.
        case stillFailed(Int)
    }

    init(_ options: AnnounceOptions) { self.options = options }

    /// Announces until a signal comes; then the service is withdrawn.
    ///
    /// - Returns: The status to exit with; what is wrong has been said on standard error.
    func run() async -> ExitStatus {
        let entry = inbox.continuation
        let signals = Signals([SIGINT, SIGTERM, SIGHUP]) { entry.yield(.signalled) }
        defer { withExtendedLifetime(signals) {} }
        ReaderWatch.start(on: STDOUT_FILENO) { entry.yield(.signalled) }
        let browser = LinkBrowser(options.browseOptions, asking: options.backend)
        let forward = Task {
            do throws(BackendError) {
                // A daemon that hangs holds it up, and must not hold up who wants the end.
                _ = try await browser.start()
            } catch {
                entry.yield(.unavailable(error.description))
                return
            }
            for await event in browser.events {
                if let news = AnnouncementNews(event.kind) { entry.yield(.news(news)) }
            }
        }
        let (status, isAnnounced) = await follow()
        let isWithdrawn = await browser.stop(within: Self.withdrawalLimit)
        forward.cancel()
        guard status == .done else { return status }
        guard isWithdrawn || !isAnnounced else {
            complain(Self.leftText)
            return options.isJSON ? tell(.left(Self.leftText)) ?? .failure : .failure
        }
        return tell(.withdrawn) ?? .done
    }

    /// Tells what becomes of the service, until it ends or is of no use.
    ///
    /// - Returns: The status to end with, and whether others can see the service now.
    private func follow() async -> (ExitStatus, isAnnounced: Bool) {
        var failure: (number: Int, message: String) = (0, "")
        var last: AnnouncementNews?
        var isAnnounced: Bool { last?.isAnnounced == true }
        for await message in inbox.stream {
            switch message {
            case .signalled: return (.done, isAnnounced)
            case .unavailable(let reason):
                complain(reason)
                return (.failure, false)
            case .news(.failed(let message)):
                failure = (failure.number + 1, message)
                post(.stillFailed(failure.number))
            case .news(.hostRenamed(let message)):
                if options.isJSON, let status = tell(.hostRenamed(message)) {
                    return (status, isAnnounced)
                }
                complain(message)
            case .news(let news):
                failure.number += 1
                let isTold = options.isJSON || news.isNews(after: last)
                last = news
                if isTold, let status = tell(news) { return (status, isAnnounced) }
            case .stillFailed(let number) where number == failure.number:
                if options.isJSON { _ = tell(.failed(failure.message)) }
                complain(failure.message)
                return (.failure, false)
            case .stillFailed: break
            }
        }
        return (.done, isAnnounced)
    }

    private func post(_ message: Message) {
        Task { [entry = inbox.continuation] in
            try? await Task.sleep(for: Self.patience)
            entry.yield(message)
        }
    }

    /// Prints it.
    ///
    /// - Returns: The status to end with where it cannot be printed, else `nil`.
    private func tell(_ news: AnnouncementNews) -> ExitStatus? {
        let line =
            options.isJSON ? news.json(of: options, at: .now()) : news.sentence(of: options)
        guard let code = writeAll(Array("\(line)\n".utf8), to: STDOUT_FILENO) else { return nil }
        guard code != EPIPE else { return .done }
        complain("standard output: \(LineFailure(code: code))")
        return .failure
    }
}

extension AnnounceOptions {
    /// What a browser takes that announces the service and looks for nothing.
    var browseOptions: BrowseOptions {
        var browse = BrowseOptions()
        browse.interface = interface.flatMap { NetworkInterface(named: $0) }
        browse.family = family
        browse.announcesOnly = true
        browse.announcement = Announcement(
            name: name, type: type, port: port, txt: txt, subtypes: subtypes)
        return browse
    }
}
