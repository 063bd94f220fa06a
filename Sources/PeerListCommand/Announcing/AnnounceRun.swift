// One run of `peerlist announce`: announces a service until it is told to end.
import Glibc
import PeerList

/// One run of `peerlist announce`, from the options to the exit status.
struct AnnounceRun {
    private let options: AnnounceOptions
    private let inbox = AsyncStream<Message>.makeStream()

    /// How long a failure may be the beginning of the daemon's going away, which is told then.
    private static let patience = Duration.seconds(2)

    private enum Message {
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
        do throws(BackendError) {
            _ = try await browser.start()
        } catch {
            complain(error.description)
            return .noBackend
        }
        let forward = Task {
            for await event in browser.events {
                if let news = AnnouncementNews(event.kind) { entry.yield(.news(news)) }
            }
        }
        let status = await follow()
        await browser.stop(within: .seconds(1))
        forward.cancel()
        return status == .done ? tell(.withdrawn) ?? .done : status
    }

    /// Tells what becomes of the service, until it ends or is of no use.
    private func follow() async -> ExitStatus {
        var failure: (number: Int, message: String) = (0, "")
        for await message in inbox.stream {
            switch message {
            case .signalled: return .done
            case .news(.failed(let message)):
                failure = (failure.number + 1, message)
                post(.stillFailed(failure.number))
            case .news(let news):
                failure.number += 1
                if let status = tell(news) { return status }
            case .stillFailed(let number) where number == failure.number:
                if options.isJSON { _ = tell(.failed(failure.message)) }
                complain(failure.message)
                return .failure
            case .stillFailed: break
            }
        }
        return .done
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
