// One run of the list: opens what it needs, lets the session run, and closes it all again.
import FoundationEssentials
import Glibc
import PeerList

/// One run of the list, from the options to the exit status.
struct ListRun {
    private let options: Options
    private let inbox = AsyncStream<SessionMessage>.makeStream()

    init(_ options: Options) { self.options = options }

    /// Runs until the end.
    ///
    /// - Returns: The status to exit with; what is wrong has been said on standard error.
    @MainActor func run() async -> ExitStatus {
        do throws(OutputFile.Refusal) {
            let file = try options.output.map { path throws(OutputFile.Refusal) in
                try OutputFile(path: path)
            }
            return await discover(file)
        } catch {
            complain("--output: \(error)")
            return .usage
        }
    }

    @MainActor private func discover(_ file: OutputFile?) async -> ExitStatus {
        let announcedID = options.announcement == nil ? nil : MachineIdentity().announcedID()
        let browser = DaemonBrowser(options.browseOptions(announcedID: announcedID))
        do throws(BackendError) {
            let host = try await browser.start()
            let header = options.lineHeader(host: host, announcedID: announcedID)
            let ending = await hold(browser, header, file)
            return status(of: ending)
        } catch {
            complain(error.description)
            return .noBackend
        }
    }

    private func hold(
        _ browser: DaemonBrowser, _ header: LineHeader, _ file: OutputFile?
    ) async -> SessionEnd {
        let entry = inbox.continuation
        let signals = Signals { entry.yield(.signalled) }
        let session = Session(
            listing: PeerListing(options: options.listOptions), header: header,
            once: options.once ? Session.Once(timeout: options.timeout) : nil,
            inbox: (inbox.stream, entry), outputs: outputs(file))
        let ending = await session.run(browser.events)
        await stop(browser)
        withExtendedLifetime(signals) {}
        return ending
    }

    /// Withdraws and disconnects, unless the daemon hangs: it takes back what we announce when we are gone.
    private func stop(_ browser: DaemonBrowser) async {
        let (finished, done) = AsyncStream<Void>.makeStream()
        let stopping = Task {
            await browser.stop()
            done.finish()
        }
        let limit = Task {
            try? await Task.sleep(for: .seconds(1))
            done.finish()
        }
        for await _ in finished {}
        limit.cancel()
        stopping.cancel()
    }

    private func outputs(_ file: OutputFile?) -> [any ListOutput] {
        let entry = inbox.continuation
        var outputs: [any ListOutput] = []
        if let file {
            outputs.append(LineOutput(file: file) { entry.yield(.file($0)) })
        }
        outputs.append(
            LineOutput(descriptor: STDOUT_FILENO) { event in
                if case .failed(let failure) = event { entry.yield(.outputFailed(failure)) }
            })
        return outputs
    }

    private func status(of ending: SessionEnd) -> ExitStatus {
        switch ending {
        case .finished, .readerGone: return .done
        case .interrupted: return .interrupted
        case .failed(let reason):
            complain(reason)
            return .failure
        }
    }
}
