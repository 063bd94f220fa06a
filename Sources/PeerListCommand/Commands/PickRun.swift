// Runs `peerlist pick`: the list on the controlling terminal, and the chosen rows on standard output.
import Glibc
import PeerLedger
import PeerList
import PeerRecording
import PeerScreen
import PeerSession
import PeerText
import TerminalList

@MainActor final class PickRun {
    private enum Outcome {
        /// The user or a signal ended the list without a choice.
        case left
        case picked([PickedRow], departedCount: Int)
        case nothingFound
        /// Several devices match, and there is no terminal to choose on.
        case ambiguous(PickedRow.Matches)
        /// The choice is not possible: no terminal, or wrong settings of the list.
        case refused(String)
    }

    /// The matches when discovery was quiet, or at the timeout.
    private typealias Found = (matches: PickedRow.Matches, isQuiet: Bool)

    private let pick: PickOptions
    private let options: Options
    private let settings: ScreenSettings
    private let session: AsyncStream<SessionMessage>.Continuation
    private var outcome = Outcome.left
    /// Waits for the choice, and shows the list for it.
    private var asking: Task<Void, Never>?

    init(
        _ pick: PickOptions, _ options: Options, _ settings: ScreenSettings,
        _ session: AsyncStream<SessionMessage>.Continuation
    ) {
        (self.pick, self.options, self.settings) = (pick, options, settings)
        self.session = session
    }

    /// Lets the user choose while a session runs with an output and, with `--one`, until it reports
    /// what was found.
    func run(
        _ header: LineHeader,
        _ runSession: (sending any ListOutput, OneShot?) async -> SessionEnd
    ) async -> ExitStatus {
        let signals = Signals([SIGINT, SIGTERM, SIGHUP]) { [session] in
            session.yield(.ended(.interrupted))
        }
        defer { withExtendedLifetime(signals) {} }
        let (found, entry) = AsyncStream<Found>.makeStream()
        let (output, events) = ScreenOutput.make()
        asking = Task {
            if pick.isOne, await isDecided(by: found) { return }
            await show(events)
        }
        let once =
            pick.isOne
            ? options.withProgress(
                options.oneShot(usual: settings.protocols) {
                    [query = pick.query] sections, isQuiet in
                    let matches = PickedRow.matches(query, in: sections, of: header.browsedDomain)
                    entry.yield((matches, isQuiet))
                }) : nil
        let ending = await runSession(output, once)
        asking?.cancel()
        await asking?.value
        if case .failed = ending { return ExitStatus(of: ending) }
        return await report(header.filter)
    }

    /// Waits for what is found, and ends the session unless the user has to choose.
    private func isDecided(by results: AsyncStream<Found>) async -> Bool {
        for await found in results {
            if found.matches.count > 1 {
                if hasControllingTerminal() { return false }
                end(with: .ambiguous(found.matches))
                continue
            }
            if !found.isQuiet { complain(OneShot.text(isLate: true, waitingFor: [])) }
            end(with: found.matches.first.map { .picked([$0], departedCount: 0) } ?? .nothingFound)
        }
        // The session has ended before.
        return true
    }

    private func end(with outcome: Outcome) {
        self.outcome = outcome
        // The terminal is the user's again while the session ends.
        asking?.cancel()
        session.yield(.ended(.finished))
    }

    /// Shows the list until the task is cancelled.
    private func show(_ events: AsyncStream<ScreenEvent>) async {
        let picker = Picker(pick) { [weak self] rows, departedCount in
            self?.end(
                with: rows.isEmpty ? .left : .picked(rows, departedCount: departedCount))
        }
        do {
            // A single match is printed whatever the settings are, so they were not read before.
            let settings =
                pick.isOne
                ? try ScreenSettings(options.screen, isShown: true)
                : settings
            let loop = ScreenLoop(
                try settings.terminal(.controlling, height: pick.height),
                PeerScreen(settings, picker: picker, network: listenedInterfaces),
                session: session
            ) { [session] in session.yield(.ended($0)) }
            await loop.run(events)
        } catch let error as UsageError {
            end(with: .refused(error.description))
        } catch {
            end(with: .refused("\(error); \(Self.advice)"))
        }
    }

    /// Prints what was chosen; what cannot be printed is left out, with a message.
    private func report(_ filter: LineHeader.Filter) async -> ExitStatus {
        switch outcome {
        case .left: return .interrupted
        case .refused(let reason):
            complain(reason)
            return .usage
        case .ambiguous(let matches):
            listCandidates(
                "\(matches.count) devices match; narrow the query, or run it in a terminal to choose",
                matches.devices, matches.count)
            return .usage
        case .nothingFound:
            if pick.query.isEmpty {
                NothingFound(filter).report()
            } else {
                complain(
                    "nothing matches \(quoted(pick.query)); 'peerlist --once' lists all devices")
            }
            return .nothingFound
        case .picked(let picked, let departedCount):
            let part = pick.part
            let rows = pick.isReachable ? await Self.answering(picked) : picked
            let texts = await Self.texts(of: rows, part)
            for (index, row) in rows.enumerated() where texts[index] == nil {
                let fault =
                    row.fault(printing: part) ?? row.fault(printing: part, isNameKnown: false)
                complain("left out: \(fault ?? row.name)")
            }
            if departedCount > 0 { complain("left out: \(departedCount) that departed") }
            let lines = rows.indices.compactMap { texts[$0] }.map { $0 + "\n" }
            return lines.isEmpty ? .nothingFound : printOut(lines.joined())
        }
    }

    /// Asks rows at their addresses, and returns the rows that answer; a message names each of the others.
    private nonisolated static func answering(_ rows: [PickedRow]) async -> [PickedRow] {
        let others = AddressQuestion.Others.here(rows.map(\.peer))
        let questions = rows.map {
            AddressQuestion.all(of: $0.peer, port: $0.servicePort, among: others)
        }
        Progress.update(.search("asking what was chosen", until: nil))
        var answers = await AddressProbe().ask(questions.flatMap(\.self))[...]
        return zip(rows, questions).compactMap { row, questions in
            let own = Array(answers.prefix(questions.count))
            answers = answers.dropFirst(questions.count)
            if let answering = row.answering(own) { return answering }
            let reason =
                questions.isEmpty
                ? "none of its addresses can work from here"
                : own.map { "\($0.address): \($0.text)" }.joined(separator: ", ")
            complain("left out: \(row.name): \(reason)")
            return nil
        }
    }

    /// Returns what is printed of rows, by index; the host names are looked up at the same time.
    private nonisolated static func texts(
        of rows: [PickedRow], _ part: PickOptions.Part?
    ) async -> [Int: String] {
        await withTaskGroup(of: (Int, String?).self) { group in
            for (index, row) in rows.enumerated() {
                group.addTask { (index, await row.text(part)) }
            }
            var texts: [Int: String] = [:]
            for await (index, text) in group { texts[index] = text }
            return texts
        }
    }

    /// The advice where no list can be shown.
    private nonisolated static let advice =
        "'--one' needs none if a single device matches, and 'peerlist --once' lists them all"

    /// Throws if the list is certain to be needed, and there is no terminal to show it on.
    nonisolated static func checkTerminal(for pick: PickOptions) throws(UsageError) {
        guard pick.isOne || hasControllingTerminal() else {
            throw UsageError("there is no terminal to choose on; \(advice)")
        }
    }
}
