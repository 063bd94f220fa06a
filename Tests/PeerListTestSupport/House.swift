// A small network in which everything happens once, for texts that people read.
import FoundationEssentials
public import PeerList
public import PeerRecording

/// A house with a few devices, seen from Anna's laptop.
public enum House {
    /// Something that happens in the house.
    public enum Step: Sendable {
        /// The list changes.
        case update(PeerListUpdate, list: [ListSection])
        /// Something is to be told.
        case notice(Notice)
    }

    /// Whose lines they are.
    public static func header(_ grouping: Grouping) -> LineHeader {
        LineHeader(
            run: id("0b3f2a56-6c1f-4d0e-9a53-2f7c5f7f4a10"), observerHost: "anna.local",
            observerID: anna.id, backend: "daemon", grouping: grouping)
    }

    /// The morning of 21 November 2026, 08:30 UTC, and so many seconds.
    public static func time(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: 1_795_249_800_000_000 + Int64(seconds * 1_000_000))
    }

    /// All that happens, in order.
    public static func steps(_ grouping: Grouping) -> [Step] {
        var script = ListScript()
        return events.map { event in
            switch event {
            case .notice(let notice): return .notice(notice)
            case .change(let cause, let reason, let time, let peers):
                let update = script.change(
                    cause, reason: reason, at: time, to: peers.sections(grouping))
                return .update(update, list: script.sections)
            }
        }
    }

    private enum Event {
        case change(PeerListUpdate.Cause, PeerListUpdate.Departure, Timestamp, [Peer])
        case notice(Notice)
    }

    private static let events: [Event] = [
        .change(.arrived, .removed, time(0.1), [anna]),
        .change(.arrived, .removed, time(0.6), [anna, pending]),
        .change(.identity, .identity, time(0.7), [anna, printer]),
        .change(.arrived, .removed, time(2), [anna, printer, tv]),
        .change(.changed, .removed, time(8), [anna, printer.reconfigured, tv]),
        .change(.changed, .removed, time(9), [anna.renamed, printer.reconfigured, tv]),
        .change(
            .presence, .removed, time(132),
            [anna.renamed, printer.reconfigured, tv.with(.unanswered)]),
        .change(
            .backend, .removed, time(200),
            [anna.renamed, printer.reconfigured, tv].map { $0.with(.unknown) }),
        .notice(
            Notice(
                .backendLost, "avahi-daemon went away; what it told is unknown until it is back",
                time: time(200))),
        .change(
            .backend, .removed, time(204),
            [anna.renamed, printer.reconfigured].map { $0.with(.present, time(204)) } + [
                tv.with(.unknown)
            ]),
        .change(
            .backend, .backend, time(214),
            [anna.renamed, printer.reconfigured].map { $0.with(.present, time(204)) }),
        .change(.departed, .removed, time(300), [anna.renamed.with(.present, time(204))]),
    ]

    /// A UUID that is written out; one that is none stops the test.
    static func id(_ text: String) -> UUID {
        guard let id = UUID(uuidString: text) else { fatalError("\(text) is not a UUID") }
        return id
    }
}

extension House {
    /// Three devices: the laptop, a printer that does not answer, a television.
    public static func devices() -> [ListSection] { someDevices.sections(.device) }

    /// The same devices, grouped by type.
    public static func services() -> [ListSection] { someDevices.sections(.type) }

    private static let someDevices = [
        anna, printer.reconfigured.with(.unanswered), tv,
    ]
}
