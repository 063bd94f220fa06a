// A hook: a program to run at changes of the list, and the values of a change that it gets.
import FoundationEssentials
import Glibc
import PeerHappenings
import PeerModel
import PeerRecording
import PeerSystem
package import PeerText

package struct Hook: Equatable, Sendable {
    /// The kinds of changes. A change may have several.
    package enum Event: String, Sendable, Hashable, CaseIterable {
        case arrived, departed
        /// A device was never seen before.
        case new
        case changed
        /// An item stopped answering.
        case unanswered
        /// An item was not found again after an interface of this machine was back, or was found after all.
        case link
    }

    package static let standardEvents: Set<Event> = [.arrived, .departed]

    /// The changes at which the program is run.
    package var events = standardEvents
    /// The time for which a device has to be gone or silent before the program is run for it; `nil` for none.
    package var absence: Duration?
    /// The program, and its arguments.
    var arguments: [String]

    package init(events: Set<Event> = standardEvents, arguments: [String]) {
        (self.events, self.arguments) = (events, arguments)
    }

    /// The kind of change for which the hook is run; `nil` if it is not.
    func event(of change: ItemHappening) -> Event? {
        change.hookEvents.first(where: events.contains)
    }

    /// The program in quotation marks, for messages, without the arguments, which may have a password.
    var title: String { quoted(arguments[0]) }

    /// Refuses a program that cannot be run, and changes that the list does not report.
    package func check(usesLedger: Bool) throws(UsageError) {
        guard usesLedger || !events.contains(.new) else {
            throw UsageError(
                "a hook for 'new' needs the ledger of devices; leave '--no-ledger' out")
        }
        if let fault = Self.fault(ofProgram: arguments[0]) {
            throw UsageError("the hook \(title) cannot be run: \(fault)")
        }
    }

    /// Returns why a program, found by `PATH` unless it contains a slash, cannot be run.
    package static func fault(ofProgram program: String) -> String? {
        guard program.contains("/") else {
            let path = environmentVariable("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
            let isFound = path.split(separator: ":", omittingEmptySubsequences: false).contains {
                isProgram($0.isEmpty ? program : "\($0)/\(program)")
            }
            return isFound ? nil : "there is no such program in PATH; write its path"
        }
        guard !isProgram(program) else { return nil }
        let reason =
            unsafe access(program, F_OK) == 0 ? "is not an executable file" : "does not exist"
        let isHome = program.hasPrefix("~")
        return "the program \(reason)"
            + (isHome ? "; '~' is not expanded, write the whole path" : "")
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }
}

/// An event for which the program of a hook is run.
package protocol HookCall: Sendable {
    /// The share of a bound on memory: 1, and more for a large one.
    var weight: Int { get }
    /// The main values as environment variables, each of one line.
    var variables: [String: String] { get }

    /// Returns a line of JSON with all values, and the number of earlier calls that the program did not get.
    func line(droppedCount: Int) -> [UInt8]
}

/// An event of an item, for which the program of a hook is run.
struct HappeningCall: HookCall {
    let change: ItemHappening
    let event: Hook.Event

    /// More for a device of many services.
    var weight: Int { 1 + change.item.peer.services.count / 20 }
    var variables: [String: String] { change.variables(event) }

    func line(droppedCount: Int) -> [UInt8] {
        change.changeLine(event.rawValue, droppedCount: droppedCount)
    }
}

/// The maximum length of a variable for the program of a hook, in bytes.
private let variableLimit = 4_096

/// Returns texts, separated by spaces and without control characters, that fit a variable.
package func hookVariable(_ texts: [String]) -> String {
    var value = ""
    for text in texts {
        let text = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isHidden }))
        let longer = value.isEmpty ? text : "\(value) \(text)"
        guard longer.utf8.count <= variableLimit else { break }
        value = longer
    }
    return value
}

extension ItemHappening {
    /// The kinds of change that it is for hooks, the most specific kind first; none if hooks do not get it.
    var hookEvents: [Hook.Event] {
        let isNew = item.peer.isNew
        return switch event {
        case .there: isNew ? [.new] : []
        case .arrived where reason == .link, .left where reason == .link: [.link]
        case .arrived: isNew ? [.new, .arrived] : [.arrived]
        case .left: [.departed]
        case _ where was == nil: []
        case .silent: [.unanswered, .changed]
        case .answers, .changed, .identified: [.changed]
        }
    }

    /// Returns the main values as environment variables, without control characters; the line has all
    /// values, exactly.
    func variables(_ event: Hook.Event) -> [String: String] {
        let peer = item.peer
        var types: [String] = []
        // Services are in the order of their types.
        for service in peer.services where types.last != service.type { types.append(service.type) }
        let values: KeyValuePairs<String, [String]> = [
            "EVENT": [event.rawValue], "TIME": [time.description],
            "ID": [item.id.uuidString.lowercased()], "NAME": [item.name],
            "ADDRESS": [peer.addressesByReach.first ?? ""], "TYPES": types,
        ]
        var variables: [String: String] = [:]
        for fact in DeviceFact.all(in: .hooks) {
            variables["PEERLIST_" + fact.key.uppercased()] = hookVariable(fact.texts(of: peer))
        }
        // A service has an identifier and a name of its own.
        for (key, texts) in values { variables["PEERLIST_" + key] = hookVariable(texts) }
        if let vouching = peer.vouchedBy {
            let texts = [vouching.rule.rawValue, vouching.other].compactMap(\.self)
            variables["PEERLIST_VOUCHED_BY"] = hookVariable(texts)
        }
        return variables
    }
}
