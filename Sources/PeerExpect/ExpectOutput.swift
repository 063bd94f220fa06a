// Watches a list: writes faults and their ends as they happen, and runs programs for them.
package import FoundationEssentials
package import PeerHooks
package import PeerModel
package import PeerRecording
import PeerText

/// A program to run for faults, and the kinds of events for which it is run.
package struct FaultHook: Equatable, Sendable {
    package var events: Set<FaultEvent.Kind> = []
    package let hook: Hook

    package init(arguments: [String]) { hook = Hook(events: [], arguments: arguments) }
}

/// An output of a session that compares the list with what is expected.
package final class ExpectOutput: ListOutput {
    private let writer: LineWriter
    private let isJSON: Bool
    private let hooks: [(events: Set<FaultEvent.Kind>, runner: HookRunner)]
    private var watch: FaultWatch
    package private(set) var dueTime: Timestamp?
    /// Asks devices whether they answer at their addresses.
    private let ask: @Sendable (Set<UUID>) -> Void
    private let asks: Bool
    /// The time at which devices are asked next; `nil` until everything that was there at the start is known.
    private var askTime: Timestamp?
    /// The time from one question to the next, in microseconds.
    private static let askInterval: Int64 = 60_000_000

    /// Creates an output; the hooks are run by the runners at the same indices, and `ask` asks devices whether they answer
    /// at their addresses.
    package init(
        _ writer: LineWriter, isJSON: Bool, _ file: ExpectationFile, _ hooks: [FaultHook],
        _ runners: [HookRunner], ask: @escaping @Sendable (Set<UUID>) -> Void = { _ in }
    ) {
        (self.writer, self.isJSON) = (writer, isJSON)
        self.hooks = zip(hooks, runners).map { ($0.events, $1) }
        watch = FaultWatch(file)
        self.ask = ask
        asks = file.expectations.contains(where: \.asks)
    }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        if case .ended = event { for (_, runner) in hooks { runner.beginEnding() } }
        guard let events = watch.handle(event, at: time) else { return }
        for event in events {
            writer.write(Array((isJSON ? event.line : event.sentence()).utf8))
            let call = FaultCall(event: event)
            for (kinds, runner) in hooks where kinds.contains(event.kind) { runner.add(call) }
        }
        askDevices(at: time)
        dueTime = [watch.due, askTime].compactMap(\.self).min()
    }

    /// Asks the devices that are there, if the file wants to know and it is time.
    private func askDevices(at time: Timestamp) {
        guard asks, watch.isReady, askTime.map({ $0 <= time }) ?? true else { return }
        askTime = time.advanced(by: Self.askInterval)
        let devices = watch.devicesToAsk
        if !devices.isEmpty { ask(devices) }
    }

    package func close(within limit: Duration) async -> LineFailure? {
        await writer.close(within: limit)
    }
}

/// A fault, or its end, for which the program of a hook is run.
private struct FaultCall: HookCall {
    let event: FaultEvent

    var weight: Int { 1 }

    var variables: [String: String] {
        let device = event.fault.devices.first
        return [
            "PEERLIST_EVENT": event.kind.rawValue, "PEERLIST_TIME": event.time.description,
            "PEERLIST_SINCE": event.fault.since.description,
            "PEERLIST_EXPECTATION": hookVariable([event.fault.expectation ?? ""]),
            "PEERLIST_TEXT": hookVariable([event.fault.text]),
            "PEERLIST_ID": device?.id.uuidString.lowercased() ?? "",
            "PEERLIST_NAME": hookVariable([device?.name ?? ""]),
        ]
    }

    func line(droppedCount: Int) -> [UInt8] { Array(event.line(droppedCount: droppedCount).utf8) }
}
