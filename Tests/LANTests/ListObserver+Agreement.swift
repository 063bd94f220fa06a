// Compares a list after faults or changes with one that is started afterwards.
import LabSupport
import PeerModel
import Testing

/// The error that two lists differ that should be equal.
struct Disagreement: Error, CustomStringConvertible {
    let description: String
}

extension FoldedList {
    /// The items without the fields that depend on the observer, their services in the order of identifiers.
    var comparableItems: [JSON] {
        withoutObserver.flatMap(\.items).map { item in
            var item = item
            let services = item["services"].array
            if !services.isEmpty {
                item["services"] = .array(services.sorted { $0["id"].string < $1["id"].string })
            }
            return item
        }
    }

    /// The present peers by identifier, without the fields that depend on the observer.
    var present: [String: JSON] {
        let peers = comparableItems.filter { $0["presence"].string == "present" }
        return [String: JSON](peers.map { ($0["id"].string, $0) }) { $1 }
    }
}

extension ListObserver {
    /// Waits until the peers that are present here are those that a list started now shows.
    ///
    /// - Parameters:
    ///   - lab: The lab.
    ///   - host: The machine on which the lists run.
    ///   - backend: The backend of the fresh list.
    ///   - count: The number of peers.
    ///   - moment: The end of the fault or change.
    /// - Returns: The time from the moment to the last change of the list.
    /// - Throws: ``Disagreement`` if the two do not become equal within two minutes, or more on a busy machine.
    @discardableResult
    func agrees(
        in lab: Lab, on host: String, backend: String = "daemon", peers count: Int,
        since moment: Timestamp
    ) async throws -> Duration {
        let limit = Duration.seconds(120)
        let start = ContinuousClock.now
        while true {
            let fresh = try await lab.freshList(on: host, backend: backend).present
            try await catchUp()
            let shown = list.present
            if shown == fresh && shown.count == count {
                let change = Timestamp(list.lastChange) ?? moment
                return .microseconds(max(0, change.microseconds - moment.microseconds))
            }
            let passed = ContinuousClock.now - start
            guard passed < limit || passed < limit + Deadline.addition(to: limit) else {
                throw Disagreement(description: "shown: \(shown)\nfresh: \(fresh)")
            }
        }
    }
}

extension Lab {
    /// Returns the list of a fresh observer, which has a number of seconds to become quiet.
    func freshList(
        on host: String, backend: String = "daemon", interface: String? = nil, seconds: Int = 20
    ) async throws -> FoldedList {
        let once = try await run(
            host,
            [BuiltProducts.peerlist, "--once", "--json", "--backend", backend]
                + ["--timeout", "\(seconds)"] + (interface.map { ["--interface", $0] } ?? []),
            within: .seconds(seconds + 55))
        var list = FoldedList()
        for line in once.output.split(separator: "\n") { try list.fold(String(line)) }
        guard list.ending == "finished" else { throw Disagreement(description: once.errors) }
        return list
    }
}

extension ListObserver {
    /// Renames the output file and has the program reopen it.
    ///
    /// - Returns: The list that the lines of the old file fold to, and the list
    ///   with which the program begins the new file.
    func listsAcrossReopening(
        of file: String
    ) async throws -> (folded: FoldedList, held: FoldedList) {
        _ = try await FinishedProcess(["mv", file, file + ".old"])
        await send(1)
        let lines = try RunningProcess(["tail", "-n", "+1", "--follow=name", "--retry", file])
        let begin = try await lines.line(within: .seconds(60)) { $0.contains(#""type":"begin""#) }
        await lines.send(15)
        var (folded, held) = (FoldedList(), FoldedList())
        let old = try await FinishedProcess(["cat", file + ".old"])
        for line in old.output.split(separator: "\n") { try folded.fold(String(line)) }
        try held.fold(begin)
        return (folded, held)
    }
}

extension ListObserver {
    /// Starts a list on h2 that shows two services of h1 and one of h3, with all of their addresses. With another service,
    /// whose evidence makes h1 one machine on several networks.
    static func settled(
        in lab: Lab, _ backend: String = "daemon", withEvidence: Bool = false
    ) async throws -> ListObserver {
        if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
        try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h1", txt: "a=1")
        try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 22, on: "h1")
        if withEvidence { try lab.publishEvidence(on: "h1") }
        try lab.publishFile("print", named: "Printer", "_ipp._tcp", 631, on: "h3")
        let observer = try ListObserver(lab, on: "h2", "--backend", backend)
        try await observer.agrees(in: lab, on: "h2", backend: backend, peers: 2, since: .now())
        // In their first second, addresses are still arriving, not changing.
        try await lab.rest(1)
        return observer
    }
}
